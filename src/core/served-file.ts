import { create } from 'content-disposition'
import { contentTypes, posterContentType, previewContentType } from './media.ts'

const shownTypes: readonly string[] = [...Object.values(contentTypes), posterContentType, previewContentType]

/**
 * How a stored file is served: media and our pictures open in the browser, unless they are to be saved; other files download
 * without a type.
 */
export function servedFile(
  contentType: string,
  fileName: string,
  asAttachment = false,
): { contentType: string; contentDisposition: string } {
  const name = printable(fileName)
  const fallback = asciiName(name)
  return shownTypes.includes(contentType)
    ? { contentType, contentDisposition: create(name, { type: asAttachment ? 'attachment' : 'inline', fallback }) }
    : { contentType: 'application/octet-stream', contentDisposition: create(name, { fallback }) }
}

/** Well-formed and without control characters: the package percent-encodes line breaks and throws for half a surrogate pair. */
function printable(name: string): string {
  return Buffer.from(name)
    .toString()
    .replace(/\p{Cc}/gu, '_')
}

/**
 * The name for clients that read no filename*, such as curl -J: letters without their accents, `-` for dashes, and `_` for the rest. The
 * package would write `?`, which no file on Windows may be called and which shells read as a pattern.
 */
function asciiName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/\p{Pd}/gu, '-')
    .replace(/[^ -~]/gu, '_')
}
