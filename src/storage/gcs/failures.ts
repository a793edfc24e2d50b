import { withTimeout } from '../../core/abortable.ts'
import { ServiceError } from '../../core/errors.ts'
import { ObjectExistsError, ObjectNotFoundError } from '../storage.ts'

/** A failed call of GCS. Its message may contain keys, but no token and no signed URL. */
export class GcsError extends Error {
  override readonly name = 'GcsError'
  readonly status: number | undefined
  /** Whether a retry can succeed. */
  readonly isPassing: boolean

  constructor(message: string, { status, isPassing = false }: { status?: number; isPassing?: boolean } = {}) {
    super(message)
    this.status = status
    this.isPassing = isPassing
  }
}

/** Runs a step on GCS. Turns failures into a retryable `server_error`; rethrows an abort as its reason. */
export async function onGcs<T>(step: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await step()
  } catch (error) {
    signal?.throwIfAborted()
    if (isStorageFault(error)) throw error
    throw new ServiceError('server_error', undefined, { cause: withoutSecrets(error), retryable: true })
  }
}

/** The HTTP status that an error of the client library carries. */
export function httpStatusOf(error: unknown): number | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : undefined
}

/** Rejects with a retryable error if GCS takes longer. */
export function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  return withTimeout(work, milliseconds, () => new GcsError(`no answer in ${milliseconds} ms`, { isPassing: true }))
}

function isStorageFault(error: unknown): boolean {
  return error instanceof ServiceError || error instanceof ObjectNotFoundError || error instanceof ObjectExistsError
}

/** The library's errors contain whole requests with their authorization, and causes go to the log. */
function withoutSecrets(error: unknown): GcsError {
  if (error instanceof GcsError) return error
  const status = httpStatusOf(error)
  return new GcsError(error instanceof Error ? error.message : String(error), status === undefined ? {} : { status })
}
