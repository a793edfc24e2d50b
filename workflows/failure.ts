import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  ChildWorkflowFailure,
  isCancellation,
  TimeoutFailure,
  upsertSearchAttributes,
} from '@temporalio/workflow'
import { type ErrorCode, errorTable, isErrorCode } from '../src/core/errors.ts'
import { errorCodeAttribute } from '../src/temporal/names.ts'

export interface JobFailure {
  readonly code: ErrorCode
  readonly message: string
}

export const canceledFailure = failureWithCode('canceled')

/** The public failure of a job that ended with an error. Only a cancellation of the workflow itself, or of its child, is `canceled`. */
export function describeFailure(error: unknown): JobFailure {
  if (CancellationScope.current().consideredCancelled) return canceledFailure
  if (error instanceof ChildWorkflowFailure && isCancellation(error)) return canceledFailure
  const cause = rootOf(error)
  if (cause instanceof ApplicationFailure && cause.type && isErrorCode(cause.type)) {
    return { code: cause.type, message: cause.message }
  }
  return failureWithCode(cause instanceof TimeoutFailure ? 'timed_out' : 'server_error')
}

/** A step of a chain fails with the failure of its child, which has the failure of its activity. */
function rootOf(error: unknown): unknown {
  return error instanceof ActivityFailure || error instanceof ChildWorkflowFailure ? rootOf(error.cause) : error
}

/** The error that a workflow ends with. Temporal shows Canceled only for a CancelledFailure, and a canceled activity may end with another error. */
export function endingOf(error: unknown, { code, message }: JobFailure): unknown {
  return code === 'canceled' && !isCancellation(error) ? new CancelledFailure(message) : error
}

/**
 * Lets operators find the workflow by its ErrorCode. Called after the row has ended, because a namespace without the attribute
 * must not prevent that.
 */
export function indexFailure({ code }: JobFailure): void {
  upsertSearchAttributes([{ key: errorCodeAttribute, value: code }])
}

function failureWithCode(code: ErrorCode): JobFailure {
  return { code, message: errorTable[code].message }
}
