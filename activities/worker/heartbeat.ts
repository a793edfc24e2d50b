import { Context } from '@temporalio/activity'
import { lateHeartbeat, timeLimitOf } from './time-limit.ts'

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
  const timeLimit = timeLimitOf(context)
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
