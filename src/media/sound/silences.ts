import type { Segment } from '../../core/segments.ts'
import { collectInTurns, startTurns } from '../../core/turns.ts'
import { type Envelope, fullScale } from './envelope.ts'

export interface SilenceOptions {
  /** In seconds; inside the envelope's stretch. */
  readonly window: Segment
  /** Linear, 0 to 1. A millisecond is quiet while every sample of every channel is below it. */
  readonly amplitude: number
  readonly minSilenceSeconds: number
}

/**
 * The quiet stretches of the window, in seconds on the media's clock. They consist of whole quiet milliseconds, so each is
 * up to 2 ms shorter than in the samples: every silence longer than the minimum + 2 ms is found, and none below the minimum.
 */
export async function findSilences(
  envelope: Envelope,
  { window, amplitude, minSilenceSeconds }: SilenceOptions,
): Promise<Segment[]> {
  const { startMs, peaks } = envelope
  // Rounded as in silencedetect, so that a sample at exactly this level counts the same.
  const limit = Math.max(1, Math.trunc(amplitude * (fullScale - 1)))
  const first = Math.max(0, Math.floor(window.start * 1000) - startMs)
  const end = Math.min(peaks.length, Math.ceil(window.end * 1000) - startMs)
  // The window can still shorten a run at its edge, so the minimum is checked again below.
  const minLength = Math.max(1, Math.floor(minSilenceSeconds * 1000))
  const runs = await quietRuns(peaks, { first, end, limit, minLength })
  function* silences() {
    for (const run of runs) {
      const silence = {
        start: Math.max((startMs + run.start) / 1000, window.start),
        end: Math.min((startMs + run.end) / 1000, window.end),
      }
      if (isAsLongAs(silence, minSilenceSeconds)) yield silence
    }
  }
  return collectInTurns(silences())
}

interface RunOptions {
  readonly first: number
  readonly end: number
  /** Values at or above it are loud. */
  readonly limit: number
  /** At least 1. */
  readonly minLength: number
}

/**
 * The runs of at least `minLength` quiet values, ascending and separate. Each candidate is read backwards from its end: a loud value rules out every
 * candidate that contains it, so most loud values are never read.
 */
async function quietRuns(peaks: Uint16Array, { first, end, limit, minLength }: RunOptions): Promise<Segment[]> {
  const turns = startTurns()
  let reads = 0
  // Of a day, asking for the time at every value would take longer than all else.
  const isDue = () => (++reads & 0xffff) === 0 && turns.isDue()
  const isQuiet = (index: number, from: number) => index >= from && index < end && (peaks[index] ?? 0) < limit
  const runs: Segment[] = []
  let start = first
  let knownQuietTo = first
  while (start + minLength <= end) {
    if (isDue()) await turns.next()
    let index = start + minLength - 1
    for (; isQuiet(index, knownQuietTo); index--) if (isDue()) await turns.next()
    if (index >= knownQuietTo) {
      knownQuietTo = start + minLength
      start = index + 1
      continue
    }
    let stop = start + minLength
    for (; isQuiet(stop, start); stop++) if (isDue()) await turns.next()
    runs.push({ start, end: stop })
    start = stop + 1
    knownQuietTo = start
  }
  return runs
}

function isAsLongAs({ start, end }: Segment, seconds: number): boolean {
  // Differences of times have rounding errors.
  return end - start >= seconds - 1e-9
}
