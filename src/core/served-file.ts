import { create } from 'content-disposition'
import { contentTypes, posterContentType, previewContentType } from './media.ts'
import { normalForm } from './text.ts'

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
  return shownTypes.includes(contentType)
    ? { contentType, contentDisposition: contentDisposition(fileName, asAttachment ? 'attachment' : 'inline') }
    : { contentType: 'application/octet-stream', contentDisposition: contentDisposition(fileName) }
}

export function contentDisposition(fileName: string, type: 'attachment' | 'inline' = 'attachment'): string {
  const name = printable(fileName)
  return create(name, { type, fallback: asciiName(name) })
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
  return normalForm(name, 'NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/\p{Pd}/gu, '-')
    .replace(/[^ -~]/gu, '_')
}

export interface ByteRange {
  /** First byte. */
  readonly start: number
  /** Last byte, inclusive. */
  readonly end: number
}

const single = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/

/**
 * The range that a Range header requests of `bytes` bytes (RFC 9110, 14.2). `unsatisfiable` if it lies past the end.
 * `whole` if the header must be ignored: another unit, several ranges, bad syntax.
 */
export function parseByteRange(header: string, bytes: number): ByteRange | 'whole' | 'unsatisfiable' {
  const match = single.exec(header.trim())
  if (!match) return 'whole'
  const [, first, last, suffix] = match
  if (first === undefined) {
    const length = Math.min(Number(suffix), bytes)
    return length === 0 ? 'unsatisfiable' : { start: bytes - length, end: bytes - 1 }
  }
  const start = Number(first)
  const end = last ? Number(last) : Infinity
  if (end < start) return 'whole'
  return start >= bytes ? 'unsatisfiable' : { start, end: Math.min(end, bytes - 1) }
}
