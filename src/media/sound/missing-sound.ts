import type { AudioTrack } from '../../core/media.ts'
import { durationOf, type Segment } from '../../core/segments.ts'
import { type Envelope, frameAt } from './envelope.ts'

/** Lengths that containers state are rounded, and include what decoders drop. */
const maxDeviationSeconds = 1

/**
 * The part of a window, up to its end or to that of the track, in which the track states sound and has none that can be read: its
 * packets are missing. Undefined if there is none, or if the track's length is not known. A track that begins late, or has gaps,
 * has packets after them.
 */
export function missingSound(
  { endSeconds = 0 }: Pick<AudioTrack, 'endSeconds'>,
  { startMs, sampleRate, frames }: Envelope,
  window: Segment,
): Segment | undefined {
  const decodedEnd = (frameAt(startMs, sampleRate) + frames) / sampleRate
  const missing = { start: Math.max(window.start, decodedEnd), end: Math.min(window.end, endSeconds) }
  return durationOf(missing) > maxDeviationSeconds ? missing : undefined
}
