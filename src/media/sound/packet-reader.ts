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
 * chunk as views of it. Keeps copies of what a chunk leaves unread.
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
    if (bytes.length < bytesOfBox(bytes)) return 0
    if (isData(bytes)) packetBytesLeft = bytes.readUInt32BE(0) - boxHeadBytes
    else if (nameOf(bytes) === 'moof') startFrame = timeOf(bytes.subarray(0, bytesOfBox(bytes)))
    return bytesOfBox(bytes)
  }
  /** Reads what comes next. Returns its bytes: 0 while more are needed. */
  const readNext = (bytes: Buffer) => (packetBytesLeft > 0 ? readPacket(bytes) : readBox(bytes))
  const bytesOfNext = (bytes: Buffer) => (packetBytesLeft > 0 ? frameBytes : bytesOfBox(bytes))
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

/** What is read at once of the box that begins here, as far as its head is there: of data the head, of other boxes all. */
function bytesOfBox(bytes: Buffer): number {
  return bytes.length < boxHeadBytes || isData(bytes) ? boxHeadBytes : bytes.readUInt32BE(0)
}

function isData(bytes: Buffer): boolean {
  return nameOf(bytes) === 'mdat'
}

function nameOf(bytes: Buffer): string {
  return bytes.toString('latin1', 4, boxHeadBytes)
}

function timeOf(fragment: Buffer): number {
  const at = fragment.indexOf('tfdt', 0, 'latin1') + timeOffset
  return fragment.readUInt32BE(at) * 2 ** 32 + fragment.readUInt32BE(at + 4)
}
