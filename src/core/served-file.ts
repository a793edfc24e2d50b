import { contentDisposition } from './content-disposition.ts'
import { contentTypes, posterContentType, previewContentType } from './media.ts'

const shownTypes: readonly string[] = [...Object.values(contentTypes), posterContentType, previewContentType]

/** How a stored file is given out: media and our own pictures open in the browser, and anything else is a download of no type. */
export function servedFile(contentType: string, fileName: string): { contentType: string; contentDisposition: string } {
  return shownTypes.includes(contentType)
    ? { contentType, contentDisposition: contentDisposition('inline', fileName) }
    : { contentType: 'application/octet-stream', contentDisposition: contentDisposition('attachment', fileName) }
}
