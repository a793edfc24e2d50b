import { ServiceError } from '../../core/errors.ts'
import type { MediaSource } from '../source/media-source.ts'

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

/** Tags behind the last frame: ID3v1, APE and Lyrics3. */
const endTag = /^(TAG|APETAGEX|LYRICSBEGIN)/

/** Whether frames follow each other from the start: two and the start of a third, or fewer if the sound ends earlier. */
export function isChain(bytes: Buffer, { frameBytes }: FrameKind): boolean {
  let at = 0
  for (let frame = 0; frame < 3; frame++) {
    if (frame > 0 && (at === bytes.length || endTag.test(bytes.toString('latin1', at, at + 11)))) return true
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

/** A quarter of a megabyte is looked through in milliseconds. */
const scannedBytes = 2 ** 18
const adtsHeaderBytes = 7

/** A long file is looked through in this many parts, spread evenly: a recording between two of them can be missed. */
const maxScans = 256

/**
 * Throws `unsupported_file_type` for ADTS frames of several sample rates, as joined recordings have. The frames state no times, and ffmpeg
 * counts all of them at the rate of the first.
 */
export async function assertOneRate(source: Pick<MediaSource, 'bytes' | 'readAt'>, signal: AbortSignal): Promise<void> {
  const rates = new Set<number>()
  const step = Math.max(scannedBytes, Math.floor(source.bytes / maxScans))
  for (let position = 0; position < source.bytes; position += step) {
    for (const rate of adtsRates(await source.readAt(position, scannedBytes, signal))) rates.add(rate)
    if (rates.size > 1) throw changingRate()
  }
}

/** The indexes of the sample rates of frames that follow each other. */
function adtsRates(bytes: Buffer): Set<number> {
  const rates = new Set<number>()
  let last = { rate: -1, frames: 0 }
  for (let at = 0; at + adtsHeaderBytes <= bytes.length; ) {
    const { rate, next } = adtsStepAt(bytes, at)
    last = { rate, frames: rate === last.rate ? last.frames + 1 : 1 }
    if (rate >= 0 && last.frames === certainFrames) rates.add(rate)
    at = next
  }
  return rates
}

function changingRate(): ServiceError {
  return new ServiceError(
    'unsupported_file_type',
    'The AAC file changes its sample rate, as recordings in a row do. Convert each of them to M4A or MP3, then join them.',
  )
}

/** `rate` is the index of the sample rate of the frame at this place, or -1 without a frame. `next` is where the next frame can begin. */
function adtsStepAt(bytes: Buffer, at: number) {
  const isSync = bytes[at] === 0xff && ((bytes[at + 1] ?? 0) & 0xf6) === 0xf0
  const length = isSync ? adtsFrameBytes(bytes.subarray(at, at + adtsHeaderBytes)) : undefined
  if (length !== undefined) return { rate: ((bytes[at + 2] ?? 0) >> 2) & 15, next: at + length }
  const sync = bytes.indexOf(0xff, at + 1)
  return { rate: -1, next: sync < 0 ? bytes.length : sync }
}

// An Ogg file can be a chain of links (RFC 3533, section 4): complete recordings in a row, as internet radio is saved. ffmpeg reads
// the links after the first with times that begin again, or not at all.

export function chainedOgg(): ServiceError {
  return new ServiceError(
    'unsupported_file_type',
    'The Ogg file is several recordings in a row, as internet radio is saved. Convert it to one recording, such as FLAC or MP3.',
  )
}

/** Recorders of browsers that are stopped and begun again can write all of it to one file, whose times then begin again. */
export function restartedRecording(): ServiceError {
  return new ServiceError(
    'unsupported_file_type',
    'The file is several recordings in a row, whose times begin again. Save each recording as a file of its own, and use that.',
  )
}

/** The largest page: a header of 27 bytes, 255 sizes, and 255 segments of 255 bytes. */
const maxPageBytes = 27 + 255 + 255 * 255

/**
 * Throws `chainedOgg` if the last page belongs to a stream that does not begin at the start of the file, or if a stream begins elsewhere,
 * near the start or the end. Longer links begin at times that go back.
 */
export async function assertOneLink(source: MediaSource, signal: AbortSignal): Promise<void> {
  const head = await source.readAt(0, maxPageBytes, signal)
  const tailStart = Math.max(0, source.bytes - maxPageBytes)
  const tail = await source.readAt(tailStart, maxPageBytes, signal)
  const { serials, end } = streamsAtStart(head)
  const last = pageAt(tail, tail.lastIndexOf(pageMark, undefined, 'latin1'))
  if (last && !serials.includes(last.serial)) throw chainedOgg()
  if (hasFirstPage(head, end) || hasFirstPage(tail, Math.max(0, end - tailStart))) throw chainedOgg()
}

const pageMark = 'OggS\0'

/** The serial numbers of the streams whose first pages begin the file, and the end of those pages. */
function streamsAtStart(head: Buffer) {
  const serials: number[] = []
  let end = 0
  for (let page = pageAt(head, 0); page?.isFirst; page = pageAt(head, page.end)) {
    serials.push(page.serial)
    end = page.end
  }
  return { serials, end }
}

/** Whether a stream begins in the bytes from this place on. */
function hasFirstPage(bytes: Buffer, from: number): boolean {
  for (let at = bytes.indexOf(pageMark, from, 'latin1'); at >= 0; at = bytes.indexOf(pageMark, at + 1, 'latin1')) {
    if (pageAt(bytes, at)?.isFirst) return true
  }
  return false
}

function pageAt(bytes: Buffer, at: number) {
  if (at < 0 || at + 27 > bytes.length || bytes.toString('latin1', at, at + 4) !== 'OggS') return undefined
  const sizes = bytes.subarray(at + 27, at + 27 + bytes.readUInt8(at + 26))
  return {
    serial: bytes.readUInt32LE(at + 14),
    isFirst: (bytes.readUInt8(at + 5) & 2) !== 0,
    end: at + 27 + sizes.length + sizes.reduce((sum, size) => sum + size, 0),
  }
}
