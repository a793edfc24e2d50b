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
  return shownTypes.includes(contentType)
    ? { contentType, contentDisposition: create(name, { type: asAttachment ? 'attachment' : 'inline' }) }
    : { contentType: 'application/octet-stream', contentDisposition: create(name) }
}

/** Well-formed and without control characters: the package percent-encodes line breaks and throws for half a surrogate pair. */
function printable(name: string): string {
  return Buffer.from(name)
    .toString()
    .replace(/\p{Cc}/gu, '_')
}
