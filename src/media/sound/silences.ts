import { clampTo, type Segment } from '../../core/segments.ts'
import { type Envelope, fullScale } from './envelope.ts'

export interface SilenceOptions {
  /** In seconds; inside the envelope's stretch. */
  readonly window: Segment
  /** Linear, 0 to 1. A millisecond is quiet while every sample of every channel is below it. */
  readonly amplitude: number
  readonly minSilenceSeconds: number
}

/**
 * The quiet stretches of the window, in seconds on the media's clock. They run over whole quiet milliseconds, so each is up
 * to 2 ms shorter than the truth: all that are longer than the minimum + 2 ms are found, and none that is shorter.
 */
export function findSilences(envelope: Envelope, { window, amplitude, minSilenceSeconds }: SilenceOptions): Segment[] {
  const { startMs, peaks } = envelope
  // As silencedetect rounds it, so that a sample at the very level counts alike.
  const limit = Math.max(1, Math.trunc(amplitude * (fullScale - 1)))
  const first = Math.max(0, Math.floor(window.start * 1000) - startMs)
  const end = Math.min(peaks.length, Math.ceil(window.end * 1000) - startMs)
  // A stretch at the edge of the window may still be cut, and is held against the minimum again.
  const shortest = Math.max(1, Math.floor(minSilenceSeconds * 1000))
  const quiet = quietRuns(peaks, { first, end, limit, shortest }).map((run) => ({
    start: (startMs + run.start) / 1000,
    end: (startMs + run.end) / 1000,
  }))
  return clampTo(quiet, window).filter((stretch) => isAsLongAs(stretch, minSilenceSeconds))
}

interface RunOptions {
  readonly first: number
  readonly end: number
  /** Values from here on are loud. */
  readonly limit: number
  /** At least 1. */
  readonly shortest: number
}

/**
 * The runs of quiet values, as long as the shortest or longer. Each place for a run is read from its end backwards: a loud
 * value there rules out every place that holds it, so that most of what is loud is never read.
 */
function quietRuns(peaks: Uint16Array, { first, end, limit, shortest }: RunOptions): Segment[] {
  const isLoud = (index: number) => (peaks[index] ?? 0) >= limit
  const runs: Segment[] = []
  let start = first
  let knownQuietTo = first
  while (start + shortest <= end) {
    let index = start + shortest - 1
    while (index >= knownQuietTo && !isLoud(index)) index--
    if (index >= knownQuietTo) {
      knownQuietTo = start + shortest
      start = index + 1
      continue
    }
    let stop = start + shortest
    while (stop < end && !isLoud(stop)) stop++
    runs.push({ start, end: stop })
    start = stop + 1
    knownQuietTo = start
  }
  return runs
}

function isAsLongAs({ start, end }: Segment, seconds: number): boolean {
  // Differences of times carry an error in the last places.
  return end - start >= seconds - 1e-9
}
