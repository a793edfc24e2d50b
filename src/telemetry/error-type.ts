import { ApplicationFailure, CancelledFailure } from '@temporalio/common'
import { ServiceError } from '../core/errors.ts'

/** The code of an error for spans and labels. Never its text, which can contain a path or a URL. */
export function errorTypeOf(error: unknown): string {
  if (error instanceof ServiceError) return error.code
  if (error instanceof ApplicationFailure) return error.type ?? 'server_error'
  const isAbort = error instanceof CancelledFailure || (error instanceof Error && error.name === 'AbortError')
  return isAbort ? 'canceled' : 'server_error'
}
