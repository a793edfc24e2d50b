import { dropShorterThan, joinAcross, type Segment } from '../core/segments.ts'
import { shortestWindowSeconds } from '../endpoints/job-window.ts'
import { maxRanges } from '../endpoints/video-clip-window/ranges.ts'

/** The ranges for one clip job. Ranges that are too short to cut are left out. If there are too many, the shortest gaps are closed. */
export function clipRanges(ranges: readonly Segment[]): Segment[] {
  const long = dropShorterThan(ranges, shortestWindowSeconds)
  const gaps = long.slice(1).map(({ start }, index) => start - (long[index]?.end ?? start))
  const widestClosed = gaps.toSorted((a, b) => a - b)[long.length - maxRanges - 1]
  return widestClosed === undefined ? long : joinAcross(long, widestClosed)
}
