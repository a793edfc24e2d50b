import { dropShorterThan, joinAcross, type Segment } from '../core/segments.ts'
import { shortestWindowSeconds } from '../endpoints/job-window.ts'
import { maxRanges } from '../endpoints/video-clip-window/ranges.ts'

/** Ranges as one clip job takes them: none too short to cut, and the shortest gaps closed where there are too many. */
export function clipRanges(ranges: readonly Segment[]): Segment[] {
  const long = dropShorterThan(ranges, shortestWindowSeconds)
  const gaps = long.slice(1).map(({ start }, index) => start - (long[index]?.end ?? start))
  const widestClosed = gaps.toSorted((a, b) => a - b)[long.length - maxRanges - 1]
  return widestClosed === undefined ? long : joinAcross(long, widestClosed)
}
