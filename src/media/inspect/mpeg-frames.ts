/** Bitrates in kbit/s of MPEG audio headers, by version and layer; index 0 is "free", 15 is forbidden. */
const bitrates: Readonly<Record<string, readonly number[]>> = {
  '1/1': [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
  '1/2': [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  '1/3': [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  '2/1': [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
  '2/2': [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
}
const sampleRates = [44_100, 48_000, 32_000]

/** Whether MPEG audio frames (ISO 11172-3) follow each other from the start. */
export function isMpegAudioChain(bytes: Buffer): boolean {
  return isChain(bytes, mpegAudioFrameBytes)
}

/** Whether ADTS frames (ISO 14496-3) follow each other from the start. */
export function isAdtsChain(bytes: Buffer): boolean {
  return isChain(bytes, adtsFrameBytes)
}

/** Checks two frames and the start of a third, or fewer if the file ends earlier. */
function isChain(bytes: Buffer, frameBytes: (header: Buffer) => number | undefined): boolean {
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
