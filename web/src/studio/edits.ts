import { clamp, complement, normalize, type Span, subtract } from './spans.ts'

/** What a person changed: a stretch goes, or it stays, whatever was found. Later edits win. */
export interface Edit extends Span {
  readonly kind: 'cut' | 'keep'
}

export interface PauseRule {
  /** What stays of each pause, half of it on each side of the cut. */
  readonly keptSeconds: number
}

/** A shorter cut can be heard, and saves nothing. */
const minCutSeconds = 0.1

/** The cuts that shorten pauses. Nothing stays of a pause before the first sound and after the last but its half. */
export function cutsOfPauses(pauses: readonly Span[], { keptSeconds }: PauseRule, durationSeconds: number): Span[] {
  const half = keptSeconds / 2
  return pauses
    .map(({ start, end }) => ({
      start: start <= 0 ? 0 : start + half,
      end: end >= durationSeconds ? durationSeconds : end - half,
    }))
    .filter(({ start, end }) => end - start >= minCutSeconds)
}

/** The cuts with all edits, in order and without overlap. */
export function applyEdits(cuts: readonly Span[], edits: readonly Edit[]): Span[] {
  let all = normalize(cuts)
  for (const { kind, ...span } of edits) all = kind === 'cut' ? normalize(all.concat(span)) : subtract(all, span)
  return all
}

export type Edge = 'start' | 'end'

/** A cut and the media always last longer than this, so that a moved edge leaves something to grip. */
const leastSeconds = 0.02

/** Between which times an edge can be: it stops before the other edge of its cut, and at the cuts beside it. */
export function reachOfEdge(cuts: readonly Span[], cut: Span, edge: Edge, durationSeconds: number): Span {
  const index = cuts.findIndex(({ start }) => start === cut.start)
  if (edge === 'start') {
    const before = cuts[index - 1]
    return { start: before ? before.end + leastSeconds : 0, end: cut.end - leastSeconds }
  }
  const after = cuts[index + 1]
  return { start: cut.start + leastSeconds, end: after ? after.start - leastSeconds : durationSeconds }
}

/** The edit that moves an edge of a cut, and the cut that it leaves. Undefined if it stays where it is. */
export function moveEdge(cut: Span, edge: Edge, wanted: number, reach: Span): { edit: Edit; cut: Span } | undefined {
  const to = clamp(toMillisecond(wanted), reach)
  const from = cut[edge]
  if (to === from) return undefined
  const isLarger = edge === 'start' ? to < from : to > from
  const span = { start: Math.min(from, to), end: Math.max(from, to) }
  return { edit: { kind: isLarger ? 'cut' : 'keep', ...span }, cut: { ...cut, [edge]: to } }
}

/** The ranges of a cut that a job takes: so many that the longest cuts are made, and how many shorter ones are not. */
export function rangesToKeep(cuts: readonly Span[], durationSeconds: number, maxRanges = 500) {
  // With n cuts, at most n + 1 ranges stay.
  const made =
    cuts.length < maxRanges
      ? cuts
      : cuts
          .toSorted((a, b) => b.end - b.start - (a.end - a.start))
          .slice(0, maxRanges - 1)
          .toSorted((a, b) => a.start - b.start)
  const ranges = complement(made, { start: 0, end: durationSeconds })
    .map(({ start, end }) => ({ start: toMillisecond(start), end: toMillisecond(end) }))
    .filter(({ start, end }) => end - start >= shortestRangeSeconds)
  return { ranges, leftOut: cuts.length - made.length }
}

/** The service refuses shorter ranges. */
const shortestRangeSeconds = 0.01

function toMillisecond(seconds: number): number {
  return Math.round(seconds * 1000) / 1000
}
