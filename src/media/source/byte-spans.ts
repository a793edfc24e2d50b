import { lowerBound } from '../../core/binary-search.ts'
import type { Segment } from '../../core/segments.ts'

/** Sorted, separate spans of bytes. Binary search, since a crafted file can cause hundreds of thousands. */
export interface ByteSpans {
  /** The first span that ends after a byte. */
  endingAfter(at: number): Segment | undefined
  /** Adds a span, and merges it with those that it touches. */
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
      let next = first
      for (let touched = spans[next]; touched && touched.start <= end; touched = spans[++next]) {
        start = Math.min(start, touched.start)
        end = Math.max(end, touched.end)
      }
      spans.splice(first, next - first, { start, end })
    },
  }
}
