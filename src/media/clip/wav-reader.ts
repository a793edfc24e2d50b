import { alignedTo } from '../../core/aligned-bytes.ts'
import { unreadableStream } from '../inspect/quicktime-fragments.ts'

const bytesPerSample = 4
/** RIFF, a length, WAVE. */
const riffBytes = 12

/** Without tags, ffmpeg writes a header of about 100 bytes. A longer one is refused before it is kept. */
const maxHeaderBytes = 4 * 1024

/**
 * Parses a stream of 32-bit float WAV in chunks of any length. Passes the header, with sample rate and channel layout, to
 * `onHeader`, and returns the samples of whole frames. Throws `processing_failed` if the stream has no such header.
 */
export function wavReader(channels: number, onHeader: (header: Buffer) => void): (chunk: Buffer) => Float32Array {
  const frameBytes = channels * bytesPerSample
  let hasHeader = false
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    let bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    if (!hasHeader) {
      const length = headerLength(bytes.subarray(0, maxHeaderBytes))
      if (length === undefined) {
        if (bytes.length >= maxHeaderBytes) throw unreadableStream('no header of WAV')
        rest = bytes
        return new Float32Array(0)
      }
      hasHeader = true
      onHeader(bytes.subarray(0, length))
      bytes = bytes.subarray(length)
    }
    const whole = bytes.length - (bytes.length % frameBytes)
    rest = bytes.subarray(whole)
    return floatsOf(bytes.subarray(0, whole))
  }
}

/** Bytes before the data (RIFF, chunk by chunk); undefined while more are needed. */
function headerLength(bytes: Buffer): number | undefined {
  let at = riffBytes
  if (bytes.length >= at && !/^RIFF....WAVE/s.test(bytes.toString('latin1', 0, at))) throw unreadableStream('no WAV')
  while (at + 8 <= bytes.length) {
    if (bytes.toString('latin1', at, at + 4) === 'data') return at + 8
    at += 8 + bytes.readUInt32LE(at + 4)
  }
  return undefined
}

function floatsOf(bytes: Buffer): Float32Array {
  const { buffer, byteOffset } = alignedTo(bytes, bytesPerSample)
  return new Float32Array(buffer, byteOffset, bytes.length / bytesPerSample)
}
