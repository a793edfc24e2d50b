import { durationOf, type Segment } from '../../core/segments.ts'
import { boxHeadBytes, boxIn, fragmentOptions, timeOf, unreadableStream } from '../inspect/quicktime-fragments.ts'

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
  /** What has arrived of a box that is no picture. */
  let head: Buffer = Buffer.alloc(0)
  let frame: { readonly bytes: Uint8Array<ArrayBuffer>; filled: number } | undefined
  let seconds = 0

  /** Reads one box up to the bytes of a picture. Returns what follows it, or nothing while more of it is needed. */
  const readBox = (bytes: Buffer): Buffer => {
    const content = head.length > 0 ? Buffer.concat([head, bytes]) : bytes
    const { name, boxBytes, neededBytes } = boxIn(content)
    const isWhole = content.length >= neededBytes
    head = isWhole ? Buffer.alloc(0) : content
    if (!isWhole) return head.subarray(head.length)
    if (name === 'moof') seconds = timeOf(content.subarray(0, boxBytes)) / 1000
    if (name === 'mdat') {
      if (boxBytes !== boxHeadBytes + frameBytes)
        throw unreadableStream(`a picture of ${boxBytes - boxHeadBytes} bytes`)
      frame = { bytes: new Uint8Array(frameBytes), filled: 0 }
    }
    return content.subarray(neededBytes)
  }

  return (chunk) => {
    const frames: TimedFrame[] = []
    for (let rest = chunk; rest.length > 0; ) {
      if (!frame) {
        rest = readBox(rest)
        continue
      }
      const taken = rest.subarray(0, frameBytes - frame.filled)
      frame.bytes.set(taken, frame.filled)
      frame.filled += taken.length
      rest = rest.subarray(taken.length)
      if (frame.filled < frameBytes) continue
      frames.push({ seconds, bytes: frame.bytes })
      frame = undefined
    }
    return frames
  }
}
