/** A part of the timeline in seconds, half open: `start` is in it, `end` is not. */
export interface Segment {
  readonly start: number
  readonly end: number
}

/** Of what a segment says, such as the title of a chunk. */
export const maxLabelLength = 200

/** Of a result: every poll returns all of it, a few megabytes. */
export const maxResultSegments = 20_000

/** A job's top-level start and end in seconds; null if the caller left them out or blank. */
export interface JobWindow {
  readonly startSeconds: number | null
  readonly endSeconds: number | null
}

export function durationOf(segment: Segment): number {
  return segment.end - segment.start
}

/** Sorts by the starts. */
export function byStart(a: Pick<Segment, 'start'>, b: Pick<Segment, 'start'>): number {
  return a.start - b.start
}

/** Whether its middle is in the other. Of segments that follow each other, one has it. */
export function isCentredIn({ start, end }: Segment, within: Segment): boolean {
  const middle = (start + end) / 2
  return middle >= within.start && middle < within.end
}

export function totalDuration(segments: readonly Segment[]): number {
  return segments.reduce((sum, segment) => sum + durationOf(segment), 0)
}

/** Tolerance for the rounding error of differences between times. */
export const roundingSeconds = 1e-9

/** Sorts the segments, joins overlapping and touching ones, and drops empty ones. */
export function normalize(segments: readonly Segment[]): Segment[] {
  const joined: { start: number; end: number }[] = []
  for (const { start, end } of segments.filter((s) => s.end > s.start).toSorted(byStart)) {
    const last = joined.at(-1)
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else joined.push({ start, end })
  }
  return joined
}

/** From the first start to the last end. None of no segments. */
export function hullOf(segments: readonly Segment[]): Segment[] {
  if (segments.length === 0) return []
  return [{ start: Math.min(...segments.map(({ start }) => start)), end: Math.max(...segments.map(({ end }) => end)) }]
}

/** The parts of `within` that no segment covers. */
export function complement(segments: readonly Segment[], within: Segment): Segment[] {
  const gaps: Segment[] = []
  let at = within.start
  for (const { start, end } of clampTo(segments, within)) {
    if (start > at) gaps.push({ start: at, end: start })
    at = end
  }
  if (at < within.end) gaps.push({ start: at, end: within.end })
  return gaps
}

/** The parts that both lists cover. */
export function intersect(a: readonly Segment[], b: readonly Segment[]): Segment[] {
  return [...overlapsOf(normalize(a), normalize(b))]
}

/** The parts that both lists cover, of lists that are in order and without overlap. */
export function* overlapsOf(ones: readonly Segment[], others: readonly Segment[]): Generator<Segment> {
  let [at, otherAt] = [0, 0]
  for (;;) {
    const [one, other] = [ones[at], others[otherAt]]
    if (!one || !other) return
    const start = Math.max(one.start, other.start)
    const end = Math.min(one.end, other.end)
    if (start < end) yield { start, end }
    if (one.end < other.end) at += 1
    else otherAt += 1
  }
}

/** The parts that `a` covers and `b` does not. */
export function subtract(a: readonly Segment[], b: readonly Segment[]): Segment[] {
  const from = normalize(a)
  const [first, last] = [from.at(0), from.at(-1)]
  return first && last ? intersect(from, complement(b, { start: first.start, end: last.end })) : []
}

/** Sorts the segments, and joins those with a gap of at most `gapSeconds` between them. */
export function joinAcross(segments: readonly Segment[], gapSeconds: number): Segment[] {
  const joined: { start: number; end: number }[] = []
  for (const { start, end } of normalize(segments)) {
    const last = joined.at(-1)
    if (last && start - last.end <= gapSeconds + roundingSeconds) last.end = end
    else joined.push({ start, end })
  }
  return joined
}

/** The parts of the segments that lie inside `within`. */
export function clampTo(segments: readonly Segment[], within: Segment): Segment[] {
  return normalize(
    segments.map(({ start, end }) => ({ start: Math.max(start, within.start), end: Math.min(end, within.end) })),
  )
}

export function shift(segments: readonly Segment[], seconds: number): Segment[] {
  return segments.map(({ start, end }) => ({ start: start + seconds, end: end + seconds }))
}

/** Extends each segment by `seconds` on both sides (shrinks it when negative), within the bounds. */
export function pad(segments: readonly Segment[], seconds: number, within: Segment): Segment[] {
  return clampTo(
    segments.map(({ start, end }) => ({ start: start - seconds, end: end + seconds })),
    within,
  )
}

/** A segment of exactly this length stays, whatever its times are rounded to. */
export function dropShorterThan<Each extends Segment>(segments: readonly Each[], seconds: number): Each[] {
  return segments.filter((segment) => durationOf(segment) >= seconds - roundingSeconds)
}
