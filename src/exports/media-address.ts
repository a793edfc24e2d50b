import type { ExportDocument } from './export-document.ts'

/** An absolute path of any system, or an address. A folder ends with a slash. */
export const mediaPathPattern = /^(?:\/|[A-Za-z]:[\\/]|\\\\[^\\]|(?:file|https?|s3|gs):\/\/)[^\p{Cc}]*$/u

/** The path of the medium, if the caller has said where it is. */
export function mediaPathOf({ mediaPath, mediaName }: ExportDocument): string | undefined {
  return mediaPath && /[\\/]$/.test(mediaPath) ? `${mediaPath}${mediaName}` : mediaPath
}

/** The address by which an editor opens the medium. Without a path, it asks for the medium by its name. */
export function mediaAddress(document: ExportDocument): string {
  const path = mediaPathOf(document)
  if (path === undefined) return `file://localhost/${encodeURIComponent(document.mediaName)}`
  if (/^\w+:\/\//.test(path)) return path.replaceAll(' ', '%20')
  const slashed = path.startsWith('/') ? path : path.replaceAll('\\', '/')
  const address = slashed.split('/').map(encodeURIComponent).join('/')
  // A share of Windows begins with its server.
  if (address.startsWith('//')) return `file:${address}`
  return `file://localhost/${address.replace(/^\//, '')}`
}
