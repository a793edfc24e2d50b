import { alignedTo } from '../../core/many-numbers.ts'
import type { Segment } from '../../core/segments.ts'
import { hourMs } from '../../core/time-code.ts'

/** A stretch of media in milliseconds; both ends are multiples of `cellMs`. */
export interface Stretch {
  readonly startMs: number
  readonly endMs: number
}

/**
 * Levels of a stretch of an audio track, on the media's clock, measured in one decoding pass: enough to find silences, loud
 * parts and quiet points with any settings, and to draw them. The window of millisecond `i` contains the frames from
 * `floor(i·rate/1000)` up to the next window's first. Values are 0 where the track has no sound: before its start, in gaps
 * of its timestamps, and after its end.
 */
export interface Envelope extends Stretch {
  readonly sampleRate: number
  /** Frames from the start of the stretch to its end, or to the end of the track. */
  readonly frames: number
  /** Errors while the track was decoded. */
  readonly decodeErrors: number
  /** For each 1 ms: highest absolute sample of any channel, 0 to `fullScale`. */
  readonly peaks: Uint16Array
  /** For each 10 ms: sum of the squared samples of the loudest channel. */
  readonly squares: Float32Array
}

export const fullScale = 32_768

/** Length of one value of `squares`. */
export const cellMs = 10

/** The index of the first frame in the window of a millisecond. */
export function frameAt(milliseconds: number, sampleRate: number): number {
  return Math.floor((milliseconds * sampleRate) / 1000)
}

export function framesIn({ startMs, endMs }: Stretch, sampleRate: number): number {
  return frameAt(endMs, sampleRate) - frameAt(startMs, sampleRate)
}

/** The smallest stretch of whole cells that covers a window in seconds. */
export function stretchAround({ start, end }: { readonly start: number; readonly end: number }): Stretch {
  // Keeps the times of whole cells on them.
  const rounding = 1e-6
  return {
    startMs: Math.floor((start * 1000) / cellMs + rounding) * cellMs,
    endMs: Math.ceil((end * 1000) / cellMs - rounding) * cellMs,
  }
}

/** The levels of a part of the envelope. */
export function levelsWithin(
  { startMs, peaks, squares }: Envelope,
  part: Stretch,
): Stretch & Pick<Envelope, 'peaks' | 'squares'> {
  const [from, to] = [Math.max(0, part.startMs - startMs), Math.max(0, part.endMs - startMs)]
  const levels = { peaks: peaks.subarray(from, to), squares: squares.subarray(from / cellMs, to / cellMs) }
  return { startMs: startMs + from, endMs: startMs + from + levels.peaks.length, ...levels }
}

/**
 * Joins the adjacent stretches of a whole as they come, in any order: a day takes 200 MB, which are not held twice. The result is
 * complete once all are added.
 */
export function createEnvelopeJoin(whole: Stretch): { add(part: Envelope): void; joined(): Envelope } {
  const { startMs, endMs } = whole
  const peaks = new Uint16Array(endMs - startMs)
  const squares = new Float32Array((endMs - startMs) / cellMs)
  let [sampleRate, frames, decodeErrors] = [0, 0, 0]
  return {
    add: (part) => {
      peaks.set(part.peaks, part.startMs - startMs)
      squares.set(part.squares, (part.startMs - startMs) / cellMs)
      sampleRate = part.sampleRate
      decodeErrors += part.decodeErrors
      if (part.frames > 0)
        frames = Math.max(frames, framesIn({ startMs, endMs: part.startMs }, sampleRate) + part.frames)
    },
    joined: () => ({ startMs, endMs, sampleRate, frames, decodeErrors, peaks, squares }),
  }
}

/*
 * An envelope as a file, all numbers little-endian:
 *
 *   offset  bytes          what
 *   0       4              "MTEV"
 *   4       4   uint32     version of this layout and of how the values are measured
 *   8       4   uint32     startMs
 *   12      4   uint32     endMs
 *   16      4   uint32     sampleRate
 *   20      4   uint32     decodeErrors
 *   24      8   float64    frames
 *   32      n·2 uint16     peaks, n = endMs − startMs
 *   …       n/10·4 float32 squares
 */
export const envelopeVersion = 1
export const envelopeContentType = 'application/octet-stream'

const magic = 'MTEV'
/** The layout, for reads of a part of the file. */
export const envelopeHeaderBytes = 32
export const [peakBytes, squareBytes] = [2, 4]

/** The bytes are not a complete envelope of this version: measure the track again. */
export class EnvelopeFormatError extends Error {
  override readonly name = 'EnvelopeFormatError'
}

/** The bytes of the file, in parts that are not copied. */
export function envelopeBytes({
  startMs,
  endMs,
  sampleRate,
  decodeErrors,
  frames,
  peaks,
  squares,
}: Envelope): Buffer[] {
  const header = Buffer.alloc(envelopeHeaderBytes)
  header.write(magic, 'latin1')
  for (const [index, value] of [envelopeVersion, startMs, endMs, sampleRate, decodeErrors].entries()) {
    header.writeUInt32LE(value, 4 + index * 4)
  }
  header.writeDoubleLE(frames, 24)
  return [header, bytesOf(peaks), bytesOf(squares)]
}

export function encodeEnvelope(envelope: Envelope): Buffer {
  return Buffer.concat(envelopeBytes(envelope))
}

/** Reads the file of an envelope into one place. Throws EnvelopeFormatError. */
export async function readEnvelope(stream: AsyncIterable<Buffer>): Promise<Envelope> {
  let bytes = Buffer.alloc(0)
  let [at, isWhole] = [0, false]
  for await (const chunk of stream) {
    if (!isWhole) {
      const begun = Buffer.concat([bytes, chunk])
      isWhole = begun.length >= envelopeHeaderBytes
      bytes = isWhole ? Buffer.alloc(fileBytes(readEnvelopeHeader(begun))) : begun
      at = begun.copy(bytes)
      if (at < begun.length) throw damaged('another length')
    } else {
      if (at + chunk.length > bytes.length) throw damaged('another length')
      at += chunk.copy(bytes, at)
    }
  }
  return decodeEnvelope(bytes.subarray(0, at))
}

/** Values stay where they are if they can. Throws EnvelopeFormatError. */
export function decodeEnvelope(bytes: Buffer): Envelope {
  const header = readEnvelopeHeader(bytes)
  if (bytes.length !== fileBytes(header)) throw damaged('another length')
  const peaksEnd = envelopeHeaderBytes + (header.endMs - header.startMs) * 2
  const peaks = alignedTo(bytes.subarray(envelopeHeaderBytes, peaksEnd), peakBytes)
  const squares = alignedTo(bytes.subarray(peaksEnd), squareBytes)
  return {
    ...header,
    peaks: new Uint16Array(peaks.buffer, peaks.byteOffset, peaks.length / peakBytes),
    squares: new Float32Array(squares.buffer, squares.byteOffset, squares.length / squareBytes),
  }
}

type EnvelopeHeader = Omit<Envelope, 'peaks' | 'squares'>

/** No job analyses more than a day. */
const maxMilliseconds = 25 * hourMs

/** Throws EnvelopeFormatError. */
export function readEnvelopeHeader(bytes: Buffer): EnvelopeHeader {
  if (bytes.length < envelopeHeaderBytes || bytes.toString('latin1', 0, 4) !== magic) throw damaged('no envelope')
  if (bytes.readUInt32LE(4) !== envelopeVersion) throw damaged('another version')
  const startMs = bytes.readUInt32LE(8)
  const endMs = bytes.readUInt32LE(12)
  const sampleRate = bytes.readUInt32LE(16)
  const decodeErrors = bytes.readUInt32LE(20)
  const frames = bytes.readDoubleLE(24)
  const isPlausible = endMs > startMs && startMs % cellMs === 0 && endMs % cellMs === 0 && sampleRate > 0
  if (!isPlausible || !Number.isInteger(frames) || frames < 0) throw damaged('odd header')
  if (endMs - startMs > maxMilliseconds) throw damaged('more than a day')
  if (frames > framesIn({ startMs, endMs }, sampleRate)) throw damaged('more frames than fit')
  return { startMs, endMs, sampleRate, frames, decodeErrors }
}

function fileBytes({ startMs, endMs }: Stretch): number {
  return envelopeHeaderBytes + (endMs - startMs) * 2 + ((endMs - startMs) / cellMs) * 4
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint16Array | Float32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

function damaged(why: string): EnvelopeFormatError {
  return new EnvelopeFormatError(why)
}

const minute = 60
const hour = 3_600
const steps = [
  ...[0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30],
  ...[minute, 2 * minute, 5 * minute, 10 * minute, 15 * minute, 30 * minute, hour, 2 * hour, 4 * hour],
]
const maxTicks = 12

/** Round times in the window: at most 13 for up to a day of media. */
export function ticksIn({ start, end }: Segment): number[] {
  const step = steps.find((candidate) => (end - start) / candidate <= maxTicks) ?? hour * 6
  const first = Math.ceil(start / step - 1e-9)
  const count = Math.floor((end - first * step) / step + 1e-9) + 1
  return Array.from({ length: count }, (_, index) => Math.round((first + index) * step * 100) / 100)
}

/** `0:05`, `1:02:05`; hundredths only if they are not zero. */
export function labelTime(seconds: number): string {
  const whole = Math.floor(seconds + 1e-9)
  const hundredths = Math.round((seconds - whole) * 100)
  const two = (value: number) => String(value).padStart(2, '0')
  const [hours, minutes] = [Math.floor(whole / hour), Math.floor(whole / minute) % 60]
  const fraction = hundredths > 0 ? `.${two(hundredths)}`.replace(/0$/, '') : ''
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(whole % 60)}${fraction}`
}
