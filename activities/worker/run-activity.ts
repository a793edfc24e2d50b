import { Context } from '@temporalio/activity'
import { ApplicationFailure } from '@temporalio/common'
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker'
import type { Logger } from 'pino'
import { unlessAborted, withTimeout } from '../../src/core/abortable.ts'
import { askAgain, succeeds } from '../../src/core/concurrency.ts'
import { errorTable, ServiceError } from '../../src/core/errors.ts'
import { isUnreachable } from '../../src/db/database.ts'
import type { Deferral } from '../../src/temporal/names.ts'
import type { Dependencies } from '../dependencies.ts'

/** Maps every error of an activity to a code of the table, and logs the original. No cause leaves the worker. */
export function withErrorTable(context: Context, logger: Logger): ActivityInboundCallsInterceptor {
  const translate = (error: unknown) => {
    const { activityType: activity, attempt, workflowExecution } = context.info
    const known = error instanceof ServiceError
    const code = known ? error.code : 'server_error'
    logger.warn({ jobId: workflowExecution?.workflowId, activity, attempt, code, err: error }, 'activity failed')
    return ApplicationFailure.create({
      type: code,
      message: known ? error.message : errorTable.server_error.message,
      nonRetryable: known && !error.isRetriedAfter(attempt),
    })
  }
  return {
    execute: async (input, next) => {
      try {
        return await next(input)
      } catch (error) {
        // An aborted activity can throw any error. Temporal decides whether the abort is a cancellation.
        if (context.cancellationSignal.aborted) await context.cancelled
        throw translate(error)
      }
    },
  }
}

/** Less than the shortest time limit of an activity of jobs, so that most outages end before the activity does. */
const waitLimits = { pauseMilliseconds: 2_000, maxMilliseconds: 300_000 }
/** A connection can stay open without an answer. */
const maxPingMilliseconds = 5_000

interface Outage extends Pick<Dependencies, 'logger'> {
  /** Fails while the database gives no answer. */
  readonly ping: () => Promise<void>
}

/**
 * Runs an activity. If it fails because the database gives no answer, it fails only after the database is back: an outage then
 * spends one of its attempts. A longer outage defers it, which spends none. It keeps its task slot, because no other work could
 * use it. If the database answers the ping, the activity fails immediately, because only its statement took too long.
 */
export async function outlastOutage<T>(
  { ping, logger }: Outage,
  work: () => Promise<T>,
  limits = waitLimits,
): Promise<T | Deferral> {
  try {
    return await work()
  } catch (error) {
    if (!isUnreachable(error)) throw error
    const isBack = await whileBeating(async (signal) => {
      const late = () => new Error('the database does not answer')
      const ask = () => unlessAborted(withTimeout(ping(), maxPingMilliseconds, late), signal)
      if (await succeeds(ask())) return true
      logger.warn({ err: error }, 'no database; an activity waits for it')
      return succeeds(askAgain(ask, () => true, { ...limits, signal }))
    })
    if (isBack || Context.current().cancellationSignal.aborted) throw error
    return { deferred: 'no_database' }
  }
}

/** How long before Temporal ends an attempt it ends itself: its tools, its folder and its row are then in order. */
const closingMilliseconds = 30_000
/** A second attempt has the pieces that the first stored, and perhaps a quieter machine. */
const maxLateAttempts = 2
const maxTimerMilliseconds = 2 ** 31 - 1

/** The heartbeat of an attempt whose time is over, and that has not ended yet. */
export const lateHeartbeat = 'late'

/** Each aborts when the time of its attempt is over. An activity without a limit has none. */
const timeLimits = new WeakMap<Context, AbortSignal>()

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

/**
 * A cancellation reaches an activity with its next heartbeat: within a second while its caller may still be watching. Temporal
 * Cloud bills every heartbeat, so work that takes longer sends fewer, two within each heartbeat timeout.
 */
const soonMilliseconds = 1_000
const laterMilliseconds = 4_000
const soonBeats = 15

/**
 * Runs the work with heartbeats, which deliver cancellation through the signal; the attempt's time limit and `limitSignal` abort that
 * signal too. Writes the work's progress at most once per heartbeat.
 */
export async function whileBeating<T>(
  work: (signal: AbortSignal, reportProgress: (fraction: number) => void) => Promise<T>,
  writeProgress: (fraction: number) => Promise<void> = async () => {},
  limitSignal?: AbortSignal,
): Promise<T> {
  const context = Context.current()
  const { cancellationSignal } = context
  const timeLimit = timeLimits.get(context)
  let progress = 0
  let written = 0
  let writing: Promise<void> = Promise.resolve()

  let beats = 0
  const beat = () => {
    beats += 1
    timer = setTimeout(beat, beats < soonBeats ? soonMilliseconds : laterMilliseconds)
    // The SDK logs a warning if a local activity sends heartbeats.
    if (!context.info.isLocal) context.heartbeat(timeLimit?.aborted ? lateHeartbeat : progress)
    if (progress <= written) return
    written = progress
    // Progress is optional: a failed write must not end the work.
    writing = writing.then(() => writeProgress(written)).catch(() => {})
  }
  let timer = setTimeout(beat, soonMilliseconds)
  try {
    const signal = AbortSignal.any([cancellationSignal, timeLimit, limitSignal].filter((each) => each !== undefined))
    return await work(signal, (fraction) => {
      progress = Math.min(Math.max(fraction, progress), 1)
    })
  } finally {
    clearTimeout(timer)
    await writing
  }
}
