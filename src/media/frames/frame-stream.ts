import { durationOf, type Segment } from '../../core/segments.ts'
import { fragmentOptions, fragmentReader, unreadableStream } from '../inspect/quicktime-fragments.ts'

/** How long a model may take to look at a window: a slow core decodes a few large pictures a second, and decoding waits for the model. */
export function lookingDeadline(window: Segment): number {
  return 120 + 15 * durationOf(window)
}

/** Output options for pictures in fragments of QuickTime, one each, with times in milliseconds. Rows must have a whole number of 16-bit words. */
export const timedFrameOptions: readonly string[] = [
  ...fragmentOptions('frag_every_frame'),
  ...['-video_track_timescale', '1000'],
]

export interface TimedFrame {
  /** On the clock of the stream. */
  readonly seconds: number
  readonly bytes: Uint8Array<ArrayBuffer>
}

/**
 * Parses a stream that was made with these options, in chunks of any length. Returns the pictures that each chunk completes. Throws
 * `processing_failed` if the stream has anything but whole pictures of one track.
 */
export function frameParser(frameBytes: number): (chunk: Buffer) => TimedFrame[] {
  let pixels = new Uint8Array(0)
  let frames: TimedFrame[] = []
  const read = fragmentReader((bytes, { time, at, bytesOfFragment }) => {
    if (bytesOfFragment !== frameBytes) throw unreadableStream(`a picture of ${bytesOfFragment} bytes`)
    if (at === 0) pixels = new Uint8Array(frameBytes)
    pixels.set(bytes, at)
    if (at + bytes.length === frameBytes) frames.push({ seconds: time / 1000, bytes: pixels })
  })
  return (chunk) => {
    frames = []
    read(chunk)
    return frames
  }
}
