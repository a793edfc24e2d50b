import { lowerBound } from '../../core/binary-search.ts'
import type { Segment } from '../../core/segments.ts'
import { frameToleranceSeconds, maxFilmFrameSeconds } from '../inspect/margins.ts'

/** Where cuts may lie: whole ticks of the container's clock, at frames where there are frames. */
export interface FrameGrid {
  /** When frames begin, ascending; empty without video. */
  readonly frameTicks: readonly number[]
  /** When the last frame makes way. */
  readonly endTick: number
  readonly secondsPerTick: number
  /** Where the media's clock has its 0. */
  readonly originSeconds: number
}

/** A range that was put on the grid. Ticks of the source are on the container's clock. */
export interface PlacedRange {
  /** In seconds on the media's clock. */
  readonly requested: Segment
  readonly startTick: number
  readonly endTick: number
  /** Where it starts in the output. */
  readonly atTick: number
  /** The first frame that it shows, from before its start where a slide stands; undefined where no new one is shown. */
  readonly firstFrameTick: number | undefined
  readonly frames: number
}

/**
 * Puts ascending, separate ranges on the grid. Each edge moves by less than a frame, and rounds so that the output is
 * nowhere further than half a frame from the length that was asked for up to there. Ranges that come to nothing are left
 * out.
 */
export function snapRanges(ranges: readonly Segment[], grid: FrameGrid): PlacedRange[] {
  const { secondsPerTick, originSeconds } = grid
  const toTicks = (seconds: number) => (seconds + originSeconds) / secondsPerTick
  const placed: PlacedRange[] = []
  let [atTick, wantedTicks, previousEnd] = [0, 0, Number.NEGATIVE_INFINITY]
  for (const requested of ranges) {
    const [start, end] = [toTicks(requested.start), toTicks(requested.end)]
    wantedTicks += end - start
    const [startTick, endTick] = nearestCuts(start, end, previousEnd, wantedTicks - atTick, grid)
    if (endTick === startTick) continue
    placed.push({ requested, startTick, endTick, atTick, ...framesShown(grid, startTick, endTick, previousEnd) })
    atTick += endTick - startTick
    previousEnd = endTick
  }
  return placed
}

/** Of the pairs of neighbouring cuts, the nearest to what was asked that keeps the sum right. */
function nearestCuts(start: number, end: number, previousEnd: number, wanted: number, grid: FrameGrid) {
  const starts = cutsAround(start, grid).filter((tick) => tick >= previousEnd)
  const pairs = (starts.length > 0 ? starts : [previousEnd]).flatMap((from) =>
    cutsAround(end, grid).map((to): [number, number] => [from, Math.max(from, to)]),
  )
  const cost = ([from, to]: [number, number]) => {
    const drift = Math.abs(to - from - wanted)
    const moved = Math.abs(from - start) + Math.abs(to - end)
    return drift <= (nextFrame(grid, from) - from) / 2 + 0.5 ? moved : 1e9 + drift
  }
  return pairs.reduce((best, pair) => (cost(pair) < cost(best) ? pair : best))
}

/** The cuts before and after a moment; the ticks around it where no frame begins nearby. */
function cutsAround(tick: number, grid: FrameGrid): number[] {
  const { frameTicks, secondsPerTick } = grid
  const tolerance = frameToleranceSeconds / secondsPerTick
  const next = firstFrom(frameTicks, tick + tolerance)
  const before = frameTicks[next - 1]
  if (before === undefined) return ticksAround(tick)
  if (tick - before <= tolerance) return [before]
  const after = frameTicks[next] ?? grid.endTick
  if (Math.abs(after - tick) <= tolerance) return [after]
  const isFilm = after > tick && (after - before) * secondsPerTick <= maxFilmFrameSeconds
  return isFilm ? [before, after] : ticksAround(tick)
}

function ticksAround(tick: number): number[] {
  const nearest = Math.round(tick)
  return Math.abs(tick - nearest) < 1e-3 ? [nearest] : [Math.floor(tick), Math.ceil(tick)]
}

/** How long a frame at this place stands: the most that a cut is worth moving; 0 where cuts are free. */
function nextFrame({ frameTicks, endTick, secondsPerTick }: FrameGrid, tick: number): number {
  const next = frameTicks[firstFrom(frameTicks, tick + 1)] ?? endTick
  return (next - tick) * secondsPerTick <= maxFilmFrameSeconds ? Math.max(tick, next) : tick
}

function framesShown({ frameTicks }: FrameGrid, startTick: number, endTick: number, previousEnd: number) {
  const first = firstFrom(frameTicks, startTick)
  const last = firstFrom(frameTicks, endTick)
  const held = frameTicks[first - 1]
  // What the range before it shows goes on; what stood in a part that is left out comes in.
  const bringsIn = frameTicks[first] !== startTick && held !== undefined && held >= previousEnd
  const from = bringsIn ? first - 1 : first
  return { firstFrameTick: from < last ? frameTicks[from] : undefined, frames: last - from }
}

/** Index of the first value that is `from` or more. */
function firstFrom(ascending: readonly number[], from: number): number {
  return lowerBound(ascending, (value) => value < from)
}
