import { contentDisposition } from './content-disposition.ts'
import { contentTypes, posterContentType } from './media.ts'

const shownTypes: readonly string[] = [...Object.values(contentTypes), posterContentType]

/** How a stored file is given out: media opens in the browser, and anything else is a download of no type. */
export function servedFile(contentType: string, fileName: string): { contentType: string; contentDisposition: string } {
  return shownTypes.includes(contentType)
    ? { contentType, contentDisposition: contentDisposition('inline', fileName) }
    : { contentType: 'application/octet-stream', contentDisposition: contentDisposition('attachment', fileName) }
}
