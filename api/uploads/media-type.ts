import { ServiceError } from '../../src/core/errors.ts'
import {
  contentTypes,
  isMediaFormat,
  isPictureFormat,
  type MediaFormat,
  mediaFormats,
  type PictureFormat,
  pictureFormats,
  pictureTypes,
} from '../../src/core/media.ts'

type UploadFormat = MediaFormat | PictureFormat

const uploadTypes: Readonly<Record<UploadFormat, string>> = { ...contentTypes, ...pictureTypes }
const uploadFormats: readonly UploadFormat[] = [...mediaFormats, ...pictureFormats]

export interface MediaType {
  /** Undefined if neither name nor type says it: jobs detect it from the bytes. */
  readonly format: UploadFormat | undefined
  readonly contentType: string
}

const unknownType = 'application/octet-stream'

/** Other names of the accepted types that browsers and systems use. */
const aliases: ReadonlyMap<string, UploadFormat> = new Map<string, UploadFormat>([
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
  ['audio/opus', 'opus'],
  ['audio/x-flac', 'flac'],
  ['audio/x-aiff', 'aiff'],
  ['audio/amr-wb', 'amr'],
  ['video/x-matroska', 'mkv'],
  ['audio/x-matroska', 'mka'],
  ['image/jpg', 'jpg'],
])

/** Other extensions of the accepted formats. */
const extensionAliases: ReadonlyMap<string, UploadFormat> = new Map<string, UploadFormat>([
  ['oga', 'ogg'],
  ['aif', 'aiff'],
  ['aifc', 'aiff'],
  ['awb', 'amr'],
  ['jpeg', 'jpg'],
])

/**
 * The type of an upload, from its file name and the caller's content type, if sent. Throws `unsupported_file_type`, and
 * `invalid_request` if one names media and the other a picture. Jobs read the bytes, so other differences have no effect.
 */
export function mediaTypeOf(fileName: string, claimed: string | undefined): MediaType {
  const claimedFormat = claimed === undefined ? undefined : formatOfType(claimed)
  const format = formatOfName(fileName) ?? claimedFormat
  if (format && claimedFormat && isPictureFormat(format) !== isPictureFormat(claimedFormat))
    throw new ServiceError(
      'invalid_request',
      `content_type: ${uploadTypes[claimedFormat]} is not the type of a .${format} file. Send the type of the file, or leave it out.`,
    )
  const known = claimedFormat ?? format
  return { format, contentType: known ? uploadTypes[known] : unknownType }
}

/** Undefined without an extension. */
function formatOfName(fileName: string): UploadFormat | undefined {
  const extension = /\.([^./\\]*)$/.exec(fileName)?.[1]?.toLowerCase()
  if (extension === undefined || isMediaFormat(extension) || isPictureFormat(extension)) return extension
  const isPlain = /^[\w-]{1,20}$/.test(extension)
  return (
    extensionAliases.get(extension) ??
    refuse(isPlain ? `This is a .${extension} file` : 'The extension of the file is not supported')
  )
}

/** Undefined for `unknownType`, which names no format. */
function formatOfType(contentType: string): UploadFormat | undefined {
  const essence = contentType.split(';', 1).join('').trim().toLowerCase()
  if (essence === unknownType) return undefined
  const format = uploadFormats.find((candidate) => uploadTypes[candidate] === essence) ?? aliases.get(essence)
  const isPlain = /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(essence)
  return (
    format ?? refuse(isPlain ? `The content type ${essence} is not supported` : 'The content type is not supported')
  )
}

function refuse(what: string): never {
  throw new ServiceError('unsupported_file_type', `${what}. Use one of ${uploadFormats.join(', ')}.`)
}
