import type { ExportDocument } from './export-document.ts'

/** An absolute path of any system, or an address. A folder ends with a slash. */
export const mediaPathPattern = /^(?:\/|[A-Za-z]:[\\/]|\\\\[^\\]|(?:file|https?|s3|gs):\/\/)[^\p{Cc}]*$/u

type Placed = Pick<ExportDocument, 'mediaPath' | 'mediaName'>

/** The path of the medium, if the caller has said where it is. After `file:` programs such as ffmpeg read a path as it is. */
export function mediaPathOf({ mediaPath, mediaName }: Placed): string | undefined {
  if (!mediaPath || !/[\\/]$/.test(mediaPath)) return mediaPath
  return `${mediaPath}${/^(?:https?|s3|gs):/.test(mediaPath) ? encodeURIComponent(mediaName) : mediaName}`
}

/** The address by which an editor opens the medium. Without a path, it asks for the medium by its name. */
export function mediaAddress({ mediaPath, mediaName }: Placed): string {
  const encodedName = encodeURIComponent(mediaName)
  const path = mediaPathOf({ mediaPath, mediaName: mediaPath?.startsWith('file:') ? encodedName : mediaName })
  if (path === undefined) return `file://localhost/${encodedName}`
  if (/^\w+:\/\//.test(path)) return path.replaceAll(' ', '%20')
  const slashed = path.startsWith('/') ? path : path.replaceAll('\\', '/')
  const address = slashed.split('/').map(encodeURIComponent).join('/')
  // A share of Windows begins with its server.
  if (address.startsWith('//')) return `file:${address}`
  return `file://localhost/${address.replace(/^\//, '')}`
}
