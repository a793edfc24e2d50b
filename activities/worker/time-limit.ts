import { Context } from '@temporalio/activity'
import { ServiceError } from '../../src/core/errors.ts'

/** How long before Temporal ends an attempt it ends itself: its tools, its folder and its row are then in order. */
const closingMilliseconds = 30_000
/** A second attempt has the pieces that the first stored, and perhaps a quieter machine. */
const maxLateAttempts = 2
const maxTimerMilliseconds = 2 ** 31 - 1

/** The heartbeat of an attempt whose time is over, and that has not ended yet. */
export const lateHeartbeat = 'late'

/** Aborts when the attempt's time is over. */
const timeLimits = new WeakMap<Context, AbortSignal>()

/** The end of the attempt's time, if its activity has a limit. */
export function timeLimitOf(context: Context): AbortSignal | undefined {
  return timeLimits.get(context)
}

/**
 * Runs an activity of a job, which throws `timed_out` shortly before Temporal would end its attempt, and is tried at most once more.
 * Temporal would try it ten times: so does not even an attempt that ignores its limit.
 */
export async function withinTime<T>(work: () => Promise<T>, closingMs = closingMilliseconds): Promise<T> {
  const context = Context.current()
  const { attempt, startToCloseTimeoutMs } = context.info
  const heartbeatDetails: unknown = context.info.heartbeatDetails
  const milliseconds = Math.min(startToCloseTimeoutMs - closingMs, maxTimerMilliseconds)
  // An attempt of seconds has no time to end itself.
  if (!(milliseconds > 0)) return work()
  if (heartbeatDetails === lateHeartbeat && attempt > maxLateAttempts) throw timedOut()
  const limit = AbortSignal.timeout(milliseconds)
  timeLimits.set(context, limit)
  try {
    return await work()
  } catch (error) {
    throw limit.aborted && !context.cancellationSignal.aborted ? timedOut(error) : error
  }
}

function timedOut(cause?: unknown): ServiceError {
  return new ServiceError('timed_out', undefined, { cause, retryable: true, maxAttempts: maxLateAttempts })
}
