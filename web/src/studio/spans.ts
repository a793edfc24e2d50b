/** A stretch of the media, in seconds. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** In order, without overlap, and none empty. */
export function normalize(spans: readonly Span[]): Span[] {
  const sorted = spans.filter(({ start, end }) => end > start).toSorted((a, b) => a.start - b.start)
  const joined: Span[] = []
  for (const span of sorted) {
    const last = joined.at(-1)
    if (last && span.start <= last.end)
      joined[joined.length - 1] = { start: last.start, end: Math.max(last.end, span.end) }
    else joined.push(span)
  }
  return joined
}

/** What normalized spans leave of the stretch. */
export function complement(spans: readonly Span[], within: Span): Span[] {
  const edges = [
    within.start,
    ...spans.flatMap(({ start, end }) => [clamp(start, within), clamp(end, within)]),
    within.end,
  ]
  return edges.flatMap((start, index) => {
    const end = edges[index + 1]
    return index % 2 === 0 && end !== undefined && end > start ? [{ start, end }] : []
  })
}

/** Normalized spans without a stretch. */
export function subtract(spans: readonly Span[], { start, end }: Span): Span[] {
  return spans.flatMap((span) => {
    if (span.end <= start || span.start >= end) return [span]
    const rest = [
      { start: span.start, end: start },
      { start: end, end: span.end },
    ]
    return rest.filter((each) => each.end > each.start)
  })
}

export function totalSeconds(spans: readonly Span[]): number {
  return spans.reduce((sum, { start, end }) => sum + end - start, 0)
}

/** Index of the first of normalized spans that ends after the time; their number if none does. */
export function firstAfter(spans: readonly Span[], time: number): number {
  let low = 0
  let high = spans.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((spans[middle]?.end ?? 0) <= time) low = middle + 1
    else high = middle
  }
  return low
}

export function spanAt(spans: readonly Span[], time: number): Span | undefined {
  const span = spans[firstAfter(spans, time)]
  return span && span.start <= time ? span : undefined
}

export function clamp(value: number, { start, end }: Span): number {
  return Math.min(Math.max(value, start), end)
}
