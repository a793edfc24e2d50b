import { ServiceError } from '../../src/core/errors.ts'
import {
  contentTypes,
  type FontFormat,
  fontTypes,
  isFontFormat,
  isMediaFormat,
  isPictureFormat,
  type MediaFormat,
  type PictureFormat,
  pictureTypes,
} from '../../src/core/media.ts'

type UploadFormat = MediaFormat | PictureFormat | FontFormat

const uploadTypes: Readonly<Record<UploadFormat, string>> = { ...contentTypes, ...pictureTypes, ...fontTypes }
const uploadFormats = Object.keys(uploadTypes).filter(isUploadFormat)

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
  ['application/mp4', 'mp4'],
  ['image/jpg', 'jpg'],
  ['font/sfnt', 'ttf'],
  ['application/x-font-ttf', 'ttf'],
  ['application/x-font-truetype', 'ttf'],
  ['application/x-font-otf', 'otf'],
  ['application/x-font-opentype', 'otf'],
  ['application/vnd.ms-opentype', 'otf'],
])

/** Other extensions of the accepted formats. */
const extensionAliases: ReadonlyMap<string, UploadFormat> = new Map<string, UploadFormat>([
  ...(['m4b', 'm4r'] as const).map((extension) => [extension, 'm4a'] as const),
  ...(['3gp', '3g2', 'f4v'] as const).map((extension) => [extension, 'mp4'] as const),
  ...(['mpga', 'mp2'] as const).map((extension) => [extension, 'mp3'] as const),
  ...(['oga', 'ogv', 'ogx'] as const).map((extension) => [extension, 'ogg'] as const),
  ['qt', 'mov'],
  ['weba', 'webm'],
  ['wave', 'wav'],
  ['aif', 'aiff'],
  ['aifc', 'aiff'],
  ['awb', 'amr'],
  ['jpeg', 'jpg'],
])

/**
 * The type of an upload, from the caller's content type, if sent, and from its file name, whose extension can be any. Throws
 * `unsupported_file_type` for a content type that is not of media, and `invalid_request` if one names media and the other a picture or a
 * font. Jobs read the bytes, so other differences have no effect.
 */
export function mediaTypeOf(fileName: string, claimed: string | undefined): MediaType {
  const { format: claimedFormat, essence } = claimed === undefined ? {} : readType(claimed)
  const format = formatOfName(fileName) ?? claimedFormat
  if (format && claimedFormat && kindOf(format) !== kindOf(claimedFormat))
    throw new ServiceError(
      'invalid_request',
      `content_type: ${uploadTypes[claimedFormat]} is not the type of a .${format} file. Send the type of the file, or leave it out.`,
    )
  const known = claimedFormat ?? format
  return { format, contentType: (known && uploadTypes[known]) ?? essence ?? unknownType }
}

function kindOf(format: UploadFormat): 'picture' | 'font' | 'media' {
  if (isPictureFormat(format)) return 'picture'
  return isFontFormat(format) ? 'font' : 'media'
}

function isUploadFormat(value: string): value is UploadFormat {
  return isMediaFormat(value) || isPictureFormat(value) || isFontFormat(value)
}

/** Undefined for an extension that says nothing. */
function formatOfName(fileName: string): UploadFormat | undefined {
  const extension = /\.([^./\\]*)$/.exec(fileName)?.[1]?.toLowerCase()
  if (extension === undefined || isUploadFormat(extension)) return extension
  return extensionAliases.get(extension)
}

/** The format that a content type names, or another type of media itself, such as video/mp2t: its bytes can have a supported format. */
function readType(contentType: string): { readonly format?: UploadFormat; readonly essence?: string } {
  const essence = contentType.split(';', 1).join('').trim().toLowerCase()
  if (essence === unknownType) return {}
  const format = uploadFormats.find((candidate) => uploadTypes[candidate] === essence) ?? aliases.get(essence)
  if (format) return { format }
  if (/^(?:audio|video)\/[\w.+-]{1,60}$/.test(essence)) return { essence }
  const isPlain = /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(essence)
  throw new ServiceError(
    'unsupported_file_type',
    `${isPlain ? `The content type ${essence}` : 'The content type'} is not of media. Send that of the file, or leave it out.`,
  )
}
