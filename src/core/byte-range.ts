export interface ByteRange {
  /** First byte. */
  readonly start: number
  /** Last byte, inclusive. */
  readonly end: number
}

const single = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/

/**
 * What a Range header asks of `bytes` bytes (RFC 9110, 14.2): one stretch, `unsatisfiable` where none of it is there,
 * or `whole` where the header is to be ignored: no bytes unit, several ranges, bad syntax.
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
