import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  ChildWorkflowFailure,
  isCancellation,
  TimeoutFailure,
} from '@temporalio/workflow'
import { type ErrorCode, errorTable, isErrorCode } from '../src/core/errors.ts'

export interface JobFailure {
  readonly code: ErrorCode
  readonly message: string
}

/** What the caller reads about an error that ended a job. Only a cancellation of the workflow itself, or of its child, counts as `canceled`. */
export function describeFailure(error: unknown): JobFailure {
  if (CancellationScope.current().consideredCancelled) return failureWithCode('canceled')
  if (error instanceof ChildWorkflowFailure && isCancellation(error)) return failureWithCode('canceled')
  const cause = error instanceof ActivityFailure ? error.cause : error
  if (cause instanceof ApplicationFailure && cause.type && isErrorCode(cause.type)) {
    return { code: cause.type, message: cause.message }
  }
  return failureWithCode(cause instanceof TimeoutFailure ? 'timed_out' : 'server_error')
}

/** What a workflow ends with. Temporal shows Canceled for a CancelledFailure only, and a canceled step may end with another error. */
export function endingOf(error: unknown, { code, message }: JobFailure): unknown {
  return code === 'canceled' && !isCancellation(error) ? new CancelledFailure(message) : error
}

function failureWithCode(code: ErrorCode): JobFailure {
  return { code, message: errorTable[code].message }
}
