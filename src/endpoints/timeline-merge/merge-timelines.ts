import { lowerBound } from '../../core/binary-search.ts'
import { intersect, normalize, type Segment, subtract } from '../../core/segments.ts'
import type { LabelledSegment } from '../define-timeline-endpoint.ts'

export type MergeMode = 'union' | 'intersection' | 'subtract' | 'interleave'

export interface SourcedSegment extends LabelledSegment {
  /** Indexes of the timelines that cover a part of it. */
  readonly sources: readonly number[]
}

/**
 * Merges timelines into one. It is in order and without overlap, but for `interleave`, which keeps every segment as it is. `subtract`
 * removes all others from the first.
 */
export function mergeTimelines(timelines: readonly (readonly LabelledSegment[])[], mode: MergeMode): SourcedSegment[] {
  if (mode === 'interleave') return interleave(timelines)
  const [first = [], ...others] = timelines
  const merged = combine[mode](first, others)
  const sources = merged.map((): number[] => [])
  for (const [index, timeline] of timelines.entries()) {
    for (const position of coveredBy(merged, timeline)) sources[position]?.push(index)
  }
  return merged.map(({ start, end }, position) => ({ start, end, sources: sources[position] ?? [] }))
}

const combine = {
  union: (first: readonly Segment[], others: readonly (readonly Segment[])[]) => normalize([first, ...others].flat()),
  intersection: (first: readonly Segment[], others: readonly (readonly Segment[])[]) =>
    others.reduce<Segment[]>(intersect, normalize(first)),
  subtract: (first: readonly Segment[], others: readonly (readonly Segment[])[]) => subtract(first, others.flat()),
} satisfies Record<Exclude<MergeMode, 'interleave'>, unknown>

function interleave(timelines: readonly (readonly LabelledSegment[])[]): SourcedSegment[] {
  return timelines
    .flatMap((segments, index) => segments.map((segment) => ({ ...segment, sources: [index] })))
    .toSorted((a, b) => a.start - b.start || a.end - b.end)
}

/** The indexes of the merged segments of which a timeline covers a part. `merged` is sorted. */
function coveredBy(merged: readonly Segment[], timeline: readonly Segment[]): ReadonlySet<number> {
  const positions = new Set<number>()
  for (const { start, end } of normalize(timeline)) {
    const first = lowerBound(merged, (segment) => segment.end <= start)
    for (let position = first; (merged[position]?.start ?? end) < end; position++) positions.add(position)
  }
  return positions
}
