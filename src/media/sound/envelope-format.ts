import { endianness } from 'node:os'
import { cellMs, type Envelope, framesIn } from './envelope.ts'

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

export function encodeEnvelope({ startMs, endMs, sampleRate, decodeErrors, frames, peaks, squares }: Envelope): Buffer {
  const header = Buffer.alloc(headerBytes)
  header.write(magic, 'latin1')
  for (const [index, value] of [envelopeVersion, startMs, endMs, sampleRate, decodeErrors].entries()) {
    header.writeUInt32LE(value, 4 + index * 4)
  }
  header.writeDoubleLE(frames, 24)
  return Buffer.concat([header, littleEndian(peaks, 2), littleEndian(squares, 4)])
}

/** Throws EnvelopeFormatError. */
export function decodeEnvelope(bytes: Buffer): Envelope {
  if (bytes.length < headerBytes || bytes.toString('latin1', 0, 4) !== magic) throw damaged('no envelope')
  if (bytes.readUInt32LE(4) !== envelopeVersion) throw damaged('another version')
  const startMs = bytes.readUInt32LE(8)
  const endMs = bytes.readUInt32LE(12)
  const sampleRate = bytes.readUInt32LE(16)
  const decodeErrors = bytes.readUInt32LE(20)
  const frames = bytes.readDoubleLE(24)
  const isPlausible = endMs > startMs && startMs % cellMs === 0 && endMs % cellMs === 0 && sampleRate > 0
  if (!isPlausible || !Number.isInteger(frames) || frames < 0) throw damaged('odd header')
  if (frames > framesIn({ startMs, endMs }, sampleRate)) throw damaged('more frames than fit')
  const peaksEnd = headerBytes + (endMs - startMs) * 2
  if (bytes.length !== peaksEnd + ((endMs - startMs) / cellMs) * 4) throw damaged('another length')
  return {
    ...{ startMs, endMs, sampleRate, frames, decodeErrors },
    peaks: new Uint16Array(aligned(bytes.subarray(headerBytes, peaksEnd), 2)),
    squares: new Float32Array(aligned(bytes.subarray(peaksEnd), 4)),
  }
}

function littleEndian({ buffer, byteOffset, byteLength }: Uint16Array | Float32Array, valueBytes: 2 | 4): Buffer {
  const bytes = Buffer.from(buffer, byteOffset, byteLength)
  return isLittleEndian ? bytes : swapped(bytes, valueBytes)
}

/** A copy of the bytes in this machine's byte order, in a new buffer. */
function aligned(bytes: Buffer, valueBytes: 2 | 4): ArrayBuffer {
  const copy = new ArrayBuffer(bytes.length)
  const view = Buffer.from(copy)
  bytes.copy(view)
  if (!isLittleEndian) swapped(view, valueBytes).copy(view)
  return copy
}

function swapped(bytes: Buffer, valueBytes: 2 | 4): Buffer {
  return valueBytes === 2 ? Buffer.from(bytes).swap16() : Buffer.from(bytes).swap32()
}

function damaged(why: string): EnvelopeFormatError {
  return new EnvelopeFormatError(why)
}
