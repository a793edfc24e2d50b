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
