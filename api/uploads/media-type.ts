import { ServiceError } from '../../src/core/errors.ts'
import { contentTypes, isMediaFormat, type MediaFormat, mediaFormats } from '../../src/core/media.ts'

export interface MediaType {
  readonly format: MediaFormat
  readonly contentType: string
}

/** Other names of the accepted types that browsers and systems use. */
const aliases: ReadonlyMap<string, MediaFormat> = new Map([
  ['audio/mp3', 'mp3'],
  ['audio/x-wav', 'wav'],
  ['audio/wave', 'wav'],
  ['audio/vnd.wave', 'wav'],
  ['audio/x-m4a', 'm4a'],
  ['audio/m4a', 'm4a'],
  ['audio/x-aac', 'aac'],
  ['audio/aacp', 'aac'],
  ['audio/webm', 'webm'],
  ['video/m4v', 'm4v'],
  ['video/ogg', 'ogg'],
  ['application/ogg', 'ogg'],
])

/** The type of an upload, from its file name and the caller's content type, if sent. Throws `unsupported_file_type`. */
export function mediaTypeOf(fileName: string, claimed: string | undefined): MediaType {
  const claimedFormat = claimed === undefined ? undefined : formatOfType(claimed)
  const format = formatOfName(fileName) ?? claimedFormat
  if (!format) throw new ServiceError('unsupported_file_type')
  return { format, contentType: contentTypes[claimedFormat ?? format] }
}

/** Undefined without an extension. */
function formatOfName(fileName: string): MediaFormat | undefined {
  const extension = /\.([^./\\]*)$/.exec(fileName)?.[1]?.toLowerCase()
  if (extension === undefined || isMediaFormat(extension)) return extension
  throw new ServiceError('unsupported_file_type')
}

function formatOfType(contentType: string): MediaFormat {
  const essence = contentType.split(';', 1).join('').trim().toLowerCase()
  const format = mediaFormats.find((candidate) => contentTypes[candidate] === essence) ?? aliases.get(essence)
  if (!format) throw new ServiceError('unsupported_file_type')
  return format
}
