import { Context } from '@temporalio/activity'

const beatMilliseconds = 1_000

/**
 * Runs the work with a heartbeat every second, which delivers cancellation through the signal.
 * Writes the work's progress at most once per heartbeat.
 */
export async function whileBeating<T>(
  work: (signal: AbortSignal, reportProgress: (fraction: number) => void) => Promise<T>,
  writeProgress: (fraction: number) => Promise<void> = async () => {},
): Promise<T> {
  const context = Context.current()
  let progress = 0
  let written = 0
  let writing: Promise<void> = Promise.resolve()

  const beat = () => {
    context.heartbeat(progress)
    if (progress <= written) return
    written = progress
    // Progress is optional: a failed write must not end the work.
    writing = writing.then(() => writeProgress(written)).catch(() => {})
  }
  const timer = setInterval(beat, beatMilliseconds)
  try {
    return await work(context.cancellationSignal, (fraction) => {
      progress = Math.min(Math.max(fraction, progress), 1)
    })
  } finally {
    clearInterval(timer)
    await writing
  }
}
