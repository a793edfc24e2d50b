import { lowerBound } from '../../core/binary-search.ts'
import type { Segment } from '../../core/segments.ts'

/** Stretches of bytes, in order, none touching another: for the hundreds of thousands that a crafted file can leave. */
export interface ByteSpans {
  /** The first one that ends behind a byte. */
  endingAfter(at: number): Segment | undefined
  add(span: Segment): void
}

export function createByteSpans(): ByteSpans {
  const spans: Segment[] = []

  /** Index of the first span that ends at or after a byte. */
  const indexFrom = (at: number) => lowerBound(spans, ({ end }) => end < at)

  return {
    endingAfter: (at) => spans[indexFrom(at + 1)],
    add: (span) => {
      const first = indexFrom(span.start)
      let { start, end } = span
      let behind = first
      for (let next = spans[behind]; next && next.start <= end; next = spans[++behind]) {
        start = Math.min(start, next.start)
        end = Math.max(end, next.end)
      }
      spans.splice(first, behind - first, { start, end })
    },
  }
}
