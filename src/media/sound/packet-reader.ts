import { boxHeadBytes, boxIn, fragmentOptions, timeOf, unreadableStream } from '../inspect/quicktime-fragments.ts'

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
 * Parses a stream that was made with these options, in chunks of any length. Returns the packets, or parts of packets, of each
 * chunk as views of it. Keeps copies of what a chunk leaves unread: less than a frame, or a box of at most `maxBoxBytes`. Throws
 * `processing_failed` if the stream has anything but whole frames of one track.
 */
export function packetReader(frameBytes: number): (chunk: Buffer) => TimedPacket[] {
  let rest: Buffer = Buffer.alloc(0)
  let startFrame = 0
  let packetBytesLeft = 0
  let packets: TimedPacket[] = []
  const readPacket = (bytes: Buffer): number => {
    const here = Math.min(packetBytesLeft, bytes.length)
    const whole = here - (here % frameBytes)
    if (whole === 0) return 0
    packets.push({ startFrame, bytes: bytes.subarray(0, whole) })
    packetBytesLeft -= whole
    startFrame += whole / frameBytes
    return whole
  }
  const readBox = (bytes: Buffer): number => {
    const { name, boxBytes, neededBytes } = boxIn(bytes)
    if (bytes.length < neededBytes) return 0
    if (name === 'mdat') packetBytesLeft = boxBytes - boxHeadBytes
    if (packetBytesLeft % frameBytes > 0) throw unreadableStream(`${packetBytesLeft} bytes in frames of ${frameBytes}`)
    if (name === 'moof') startFrame = timeOf(bytes.subarray(0, boxBytes))
    return neededBytes
  }
  /** Reads what comes next. Returns its bytes: 0 while more are needed. */
  const readNext = (bytes: Buffer) => (packetBytesLeft > 0 ? readPacket(bytes) : readBox(bytes))
  const bytesOfNext = (bytes: Buffer) => (packetBytesLeft > 0 ? frameBytes : boxIn(bytes).neededBytes)
  return (chunk) => {
    packets = []
    let bytes = chunk
    // What the last chunk began is completed by itself, so that this one need not be copied.
    while (rest.length > 0 && bytes.length > 0) {
      const missing = bytesOfNext(rest) - rest.length
      rest = Buffer.concat([rest, bytes.subarray(0, missing)])
      bytes = bytes.subarray(missing)
      rest = rest.subarray(readNext(rest))
    }
    for (let read = readNext(bytes); read > 0; read = readNext(bytes)) bytes = bytes.subarray(read)
    if (bytes.length > 0) rest = Buffer.from(bytes)
    return packets
  }
}
