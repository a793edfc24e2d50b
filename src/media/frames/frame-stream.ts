import { durationOf, type Segment } from '../../core/segments.ts'

/** How long a model may take to look at a window: a slow core decodes a few large pictures a second, and decoding waits for the model. */
export function lookingDeadline(window: Segment): number {
  return 120 + 15 * durationOf(window)
}

/**
 * Output options for pictures in fragments of QuickTime, one picture each, which state its time in milliseconds, even if the video
 * starts late. Rows must have a whole number of 16-bit words.
 */
export const timedFrameOptions: readonly string[] = [
  ...['-f', 'mov', '-movflags', 'empty_moov+frag_discont+frag_every_frame', '-video_track_timescale', '1000'],
  // Either of them would move the first picture to 0.
  ...['-use_editlist', '0', '-avoid_negative_ts', 'disabled'],
]

/** The sizes of a box's head and of the head of `tfdt`, up to its 64-bit time (ISO/IEC 14496-12, 4.2 and 8.8.12). */
const boxHeadBytes = 8
const timeOffset = 8

export interface TimedFrame {
  /** On the clock of the stream. */
  readonly seconds: number
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Parses a stream that was made with these options, in chunks of any length. Returns the pictures that each chunk completes. */
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
    if (name === 'moof') seconds = timeOf(content.subarray(0, boxBytes))
    if (name === 'mdat') {
      if (boxBytes !== boxHeadBytes + frameBytes) throw new Error(`a picture of ${boxBytes - boxHeadBytes} bytes`)
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

/** The box that begins here, and how much of it must have arrived to read it: of a picture only the head. */
function boxIn(content: Buffer) {
  if (content.length < boxHeadBytes) return { name: '', boxBytes: 0, neededBytes: boxHeadBytes }
  const boxBytes = content.readUInt32BE(0)
  if (boxBytes < boxHeadBytes) throw new Error(`a box of ${boxBytes} bytes`)
  const name = content.toString('latin1', 4, boxHeadBytes)
  return { name, boxBytes, neededBytes: name === 'mdat' ? boxHeadBytes : boxBytes }
}

function timeOf(fragment: Buffer): number {
  const at = fragment.indexOf('tfdt', 0, 'latin1') + timeOffset
  return (fragment.readUInt32BE(at) * 2 ** 32 + fragment.readUInt32BE(at + 4)) / 1000
}
