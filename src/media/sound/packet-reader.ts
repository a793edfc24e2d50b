import { fragmentOptions, fragmentReader, unreadableStream } from '../inspect/quicktime-fragments.ts'

/**
 * Output options for PCM in fragments of QuickTime, with times in samples. A packet that starts more than `frag_duration`
 * microseconds after its fragment begins the next fragment, so that no fragment contains a longer gap.
 */
export const timedPcmOptions: readonly string[] = [...fragmentOptions(), '-frag_duration', '100000']

export interface TimedPacket {
  /** The time of its first frame, counted in frames. */
  readonly startFrame: number
  /** Whole frames. */
  readonly bytes: Buffer
}

/**
 * Parses a stream that was made with these options, in chunks of any length. Returns the packets, or parts of packets, of each chunk as
 * views of it. Keeps less than a frame, and copies a frame that is in several chunks. Throws `processing_failed` if the stream has
 * anything but whole frames of one track.
 */
export function packetReader(frameBytes: number): (chunk: Buffer) => TimedPacket[] {
  const begun = Buffer.alloc(frameBytes)
  let begunBytes = 0
  let packets: TimedPacket[] = []
  const read = fragmentReader((bytes, { time, at, bytesOfFragment }) => {
    if (bytesOfFragment % frameBytes > 0) throw unreadableStream(`${bytesOfFragment} bytes in frames of ${frameBytes}`)
    let startFrame = time + Math.floor(at / frameBytes)
    let rest = bytes
    if (begunBytes > 0) {
      const taken = rest.copy(begun, begunBytes)
      begunBytes += taken
      if (begunBytes < frameBytes) return
      packets.push({ startFrame, bytes: Buffer.from(begun) })
      startFrame += 1
      rest = rest.subarray(taken)
    }
    begunBytes = rest.length % frameBytes
    const whole = rest.length - begunBytes
    rest.copy(begun, 0, whole)
    if (whole > 0) packets.push({ startFrame, bytes: rest.subarray(0, whole) })
  })
  return (chunk) => {
    packets = []
    read(chunk)
    return packets
  }
}
