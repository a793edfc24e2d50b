/** Bitrates in kbit/s of MPEG audio headers, by version and layer; index 0 is "free", 15 is forbidden. */
const bitrates: Readonly<Record<string, readonly number[]>> = {
  '1/1': [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  '1/2': [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  '1/3': [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  '2/1': [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  '2/2': [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
}
const sampleRates = [44_100, 48_000, 32_000]

interface FrameKind {
  /** Undefined if the bytes are no header. */
  readonly frameBytes: (header: Buffer) => number | undefined
  /** The bits of the first four bytes that all frames of a file have in common: version, layer and sample rate. */
  readonly commonBits: number
}

/** Frames of MPEG audio (ISO 11172-3). */
export const mpegAudioFrames: FrameKind = { frameBytes: mpegAudioFrameBytes, commonBits: 0xfffe0c00 }

/** ADTS frames (ISO 14496-3). */
export const adtsFrames: FrameKind = { frameBytes: adtsFrameBytes, commonBits: 0xfffefc00 }

/** Other bytes can look like a header, and rarely like this many where each ends. */
const certainFrames = 5

/** Whether frames follow each other from any of the first `maxSkipped` bytes on, as in a stream that was cut inside of a frame. */
export function holdsFrames(bytes: Buffer, kind: FrameKind, maxSkipped: number): boolean {
  for (let at = bytes.indexOf(0xff); at >= 0 && at < maxSkipped; at = bytes.indexOf(0xff, at + 1))
    if (beginsWithFrames(bytes.subarray(at), kind)) return true
  return false
}

function beginsWithFrames(bytes: Buffer, { frameBytes, commonBits }: FrameKind): boolean {
  let at = 0
  for (let frame = 0; frame < certainFrames; frame++) {
    const length = frameBytes(bytes.subarray(at))
    if (length === undefined || (bytes.readInt32BE(at) ^ bytes.readInt32BE(0)) & commonBits) return false
    at += length
  }
  return true
}

/** Whether frames follow each other from the start: two and the start of a third, or fewer if the file ends earlier. */
export function isChain(bytes: Buffer, { frameBytes }: FrameKind): boolean {
  let at = 0
  for (let frame = 0; frame < 3; frame++) {
    if (frame > 0 && at === bytes.length) return true
    const length = frameBytes(bytes.subarray(at))
    if (length === undefined) return false
    at += length
    if (at > bytes.length) return frame > 0
  }
  return true
}

function mpegAudioFrameBytes(header: Buffer): number | undefined {
  if (header.length < 4 || header.readUInt16BE(0) < 0xffe0) return undefined
  const [, second = 0, third = 0] = header
  // Version 2.5, reserved, 2 and 1, by how much lower their sample rates are.
  const divisor = [4, undefined, 2, 1][(second >> 3) & 3]
  const layer = 4 - ((second >> 1) & 3)
  const rate = sampleRates[(third >> 2) & 3]
  if (divisor === undefined || layer === 4 || rate === undefined) return undefined
  const bitrate = bitrates[divisor === 1 ? `1/${layer}` : `2/${Math.min(layer, 2)}`]?.[third >> 4]
  if (!bitrate) return undefined
  const sampleRate = rate / divisor
  const padding = (third >> 1) & 1
  if (layer === 1) return 4 * (Math.floor((12_000 * bitrate) / sampleRate) + padding)
  const samplesByEight = layer === 3 && divisor !== 1 ? 72_000 : 144_000
  return Math.floor((samplesByEight * bitrate) / sampleRate) + padding
}

function adtsFrameBytes(header: Buffer): number | undefined {
  if (header.length < 7 || (header.readUInt16BE(0) & 0xfff6) !== 0xfff0) return undefined
  const length = (header.readUIntBE(3, 3) >> 5) & 0x1fff
  return length < 7 ? undefined : length
}
