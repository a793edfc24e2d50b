import { ServiceError } from '../../core/errors.ts'
import type { MediaSource } from '../source/media-source.ts'

// An Ogg file can be a chain of links (RFC 3533, section 4): complete recordings in a row, as internet radio is saved. ffmpeg reads
// the links after the first with times that begin again, or not at all.

export function chainedOgg(): ServiceError {
  return new ServiceError(
    'unsupported_file_type',
    'The Ogg file is several recordings in a row, as internet radio is saved. Convert it to one recording, such as FLAC or MP3.',
  )
}

/** The largest page: a header of 27 bytes, 255 sizes, and 255 segments of 255 bytes. */
const maxPageBytes = 27 + 255 + 255 * 255

/** Throws `chainedOgg` if the last page belongs to a stream that does not begin at the start of the file. */
export async function assertOneLink(source: MediaSource, signal: AbortSignal): Promise<void> {
  const head = await source.readAt(0, maxPageBytes, signal)
  const tail = await source.readAt(Math.max(0, source.bytes - maxPageBytes), maxPageBytes, signal)
  const last = pageAt(tail, tail.lastIndexOf('OggS\0', undefined, 'latin1'))
  if (last && !streamsAtStart(head).includes(last.serial)) throw chainedOgg()
}

/** The serial numbers of the streams whose first pages begin the file. */
function streamsAtStart(head: Buffer): number[] {
  const serials: number[] = []
  for (let page = pageAt(head, 0); page?.isFirst; page = pageAt(head, page.end)) serials.push(page.serial)
  return serials
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
