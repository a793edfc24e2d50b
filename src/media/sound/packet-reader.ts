/**
 * Output options for PCM in fragments of QuickTime. Each fragment states its time in samples, even if the track starts late. A
 * packet that starts more than `frag_duration` microseconds after its fragment begins the next fragment, so that no fragment
 * contains a longer gap.
 */
export const timedPcmOptions: readonly string[] = [
  ...['-f', 'mov', '-movflags', 'empty_moov+frag_discont', '-frag_duration', '100000'],
  // Either of them would move the first packet to 0.
  ...['-use_editlist', '0', '-avoid_negative_ts', 'disabled'],
]

/** The sizes of a box's head and of the head of `tfdt`, up to its 64-bit time (ISO/IEC 14496-12, 4.2 and 8.8.12). */
const boxHeadBytes = 8
const timeOffset = 8

export interface TimedPacket {
  /** The time of its first frame, counted in frames. */
  readonly startFrame: number
  /** Whole frames. */
  readonly bytes: Buffer
}

/**
 * Parses a stream that was made with these options, in chunks of any length. Returns the packets, or parts of packets, of each
 * chunk as views of it.
 */
export function packetReader(frameBytes: number): (chunk: Buffer) => TimedPacket[] {
  let rest: Buffer = Buffer.alloc(0)
  let startFrame = 0
  let packetBytesLeft = 0
  const readPacket = (bytes: Buffer): TimedPacket | undefined => {
    const here = Math.min(packetBytesLeft, bytes.length)
    const packet = { startFrame, bytes: bytes.subarray(0, here - (here % frameBytes)) }
    packetBytesLeft -= packet.bytes.length
    startFrame += packet.bytes.length / frameBytes
    return packet.bytes.length > 0 ? packet : undefined
  }
  /** Returns the bytes that it has read: 0 while more are needed. */
  const readBox = (bytes: Buffer): number => {
    if (bytes.length < boxHeadBytes) return 0
    const boxBytes = bytes.readUInt32BE(0)
    const name = bytes.toString('latin1', 4, boxHeadBytes)
    if (name === 'mdat') {
      packetBytesLeft = boxBytes - boxHeadBytes
      return boxHeadBytes
    }
    if (bytes.length < boxBytes) return 0
    if (name === 'moof') startFrame = timeOf(bytes.subarray(0, boxBytes))
    return boxBytes
  }
  return (chunk) => {
    rest = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    const packets: TimedPacket[] = []
    for (let read = -1; read !== 0; rest = rest.subarray(read)) {
      const packet = packetBytesLeft > 0 ? readPacket(rest) : undefined
      if (packet) packets.push(packet)
      read = packetBytesLeft > 0 || packet ? (packet?.bytes.length ?? 0) : readBox(rest)
    }
    return packets
  }
}

function timeOf(fragment: Buffer): number {
  const at = fragment.indexOf('tfdt', 0, 'latin1') + timeOffset
  return fragment.readUInt32BE(at) * 2 ** 32 + fragment.readUInt32BE(at + 4)
}
