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
  const quiet: Segment[] = []
  let quietFrom = first
  const quietUntil = (index: number) => {
    if (index > quietFrom) quiet.push({ start: (startMs + quietFrom) / 1000, end: (startMs + index) / 1000 })
  }
  for (let index = first; index < end; index++) {
    if ((peaks[index] ?? 0) < limit) continue
    if (index - quietFrom >= shortestMs(minSilenceSeconds)) quietUntil(index)
    quietFrom = index + 1
  }
  quietUntil(end)
  return clampTo(quiet, window).filter((stretch) => isAsLongAs(stretch, minSilenceSeconds))
}

/** A stretch at the edge of the window may still be cut: this only spares the others an object. */
function shortestMs(seconds: number): number {
  return Math.floor(seconds * 1000)
}

function isAsLongAs({ start, end }: Segment, seconds: number): boolean {
  // Differences of times carry an error in the last places.
  return end - start >= seconds - 1e-9
}
