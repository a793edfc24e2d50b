import { dropShorterThan, joinAcross, type Segment } from '../core/segments.ts'
import { counted } from '../core/text.ts'
import { shortestWindowSeconds } from '../endpoints/job-window.ts'
import { maxRangesWith } from '../endpoints/video-clip-window/ranges.ts'

/** What lies between two ranges. */
export type RangeGap = 'pause' | 'cut'

export interface ClipRanges {
  readonly ranges: readonly Segment[]
  readonly warnings: readonly string[]
}

/**
 * The ranges for one clip job with these settings. Ranges that are too short to cut are left out. If there are too many, the
 * shortest gaps are closed: the detection before is already charged, so that a refusal would take money for nothing.
 */
export function clipRanges(
  found: readonly Segment[],
  settings: { readonly join?: unknown },
  gap: RangeGap = 'pause',
): ClipRanges {
  const long = dropShorterThan(found, shortestWindowSeconds)
  const max = maxRangesWith(settings)
  const gaps = long.slice(1).map(({ start }, index) => start - (long[index]?.end ?? start))
  const widestClosed = gaps.toSorted((a, b) => a - b)[long.length - max - 1]
  if (widestClosed === undefined) return { ranges: long, warnings: [] }
  const ranges = joinAcross(long, widestClosed)
  const closed = counted(long.length - ranges.length, gap)
  return { ranges, warnings: [`One job cuts at most ${max} ranges, so the shortest ${gap}s stay: ${closed}.`] }
}
