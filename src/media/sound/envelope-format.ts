import { endianness } from 'node:os'
import { hourMs } from '../../core/durations.ts'
import { cellMs, type Envelope, framesIn, type Stretch } from './envelope.ts'

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
const headerBytes = 32
const isLittleEndian = endianness() === 'LE'

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
  const header = Buffer.alloc(headerBytes)
  header.write(magic, 'latin1')
  for (const [index, value] of [envelopeVersion, startMs, endMs, sampleRate, decodeErrors].entries()) {
    header.writeUInt32LE(value, 4 + index * 4)
  }
  header.writeDoubleLE(frames, 24)
  return [header, littleEndian(peaks, 2), littleEndian(squares, 4)]
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
      isWhole = begun.length >= headerBytes
      bytes = isWhole ? Buffer.alloc(fileBytes(readHeader(begun))) : begun
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
  const header = readHeader(bytes)
  if (bytes.length !== fileBytes(header)) throw damaged('another length')
  const peaksEnd = headerBytes + (header.endMs - header.startMs) * 2
  const [peaks, squares] = [aligned(bytes.subarray(headerBytes, peaksEnd), 2), aligned(bytes.subarray(peaksEnd), 4)]
  return {
    ...header,
    peaks: new Uint16Array(peaks.buffer, peaks.byteOffset, peaks.length / 2),
    squares: new Float32Array(squares.buffer, squares.byteOffset, squares.length / 4),
  }
}

type EnvelopeHeader = Omit<Envelope, 'peaks' | 'squares'>

/** No job analyses more than a day. */
const maxMilliseconds = 25 * hourMs

function readHeader(bytes: Buffer): EnvelopeHeader {
  if (bytes.length < headerBytes || bytes.toString('latin1', 0, 4) !== magic) throw damaged('no envelope')
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
  return headerBytes + (endMs - startMs) * 2 + ((endMs - startMs) / cellMs) * 4
}

function littleEndian({ buffer, byteOffset, byteLength }: Uint16Array | Float32Array, valueBytes: 2 | 4): Buffer {
  const bytes = Buffer.from(buffer, byteOffset, byteLength)
  return isLittleEndian ? bytes : swapped(bytes, valueBytes)
}

/** The bytes in this machine's byte order, where values can begin: a copy only if they are not so. */
function aligned(bytes: Buffer, valueBytes: 2 | 4): Buffer<ArrayBuffer> | Buffer {
  if (isLittleEndian && bytes.byteOffset % valueBytes === 0) return bytes
  const copy = Buffer.from(new ArrayBuffer(bytes.length))
  bytes.copy(copy)
  return isLittleEndian ? copy : swapped(copy, valueBytes)
}

function swapped(bytes: Buffer, valueBytes: 2 | 4): Buffer {
  return valueBytes === 2 ? Buffer.from(bytes).swap16() : Buffer.from(bytes).swap32()
}

function damaged(why: string): EnvelopeFormatError {
  return new EnvelopeFormatError(why)
}
