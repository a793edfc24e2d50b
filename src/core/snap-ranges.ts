import { lowerBound } from './many-numbers.ts'
import type { Segment } from './segments.ts'

/** Results state times to the millisecond, so a frame that starts up to half a millisecond before a window counts as in the window. */
export const frameToleranceSeconds = 0.0005

/** Containers round the start of a frame to a tick of theirs: at most half of 1/10000 s. */
const driftToleranceMicroseconds = 50

/** The longest that a frame of film is shown. A frame that is shown for longer is a slide, and may be cut in two. */
export const maxFilmFrameSeconds = 0.1

/** The clock of ticks: the container's. */
export interface TickClock {
  readonly secondsPerTick: number
  /** The time of the media's start on this clock. */
  readonly originSeconds: number
}

/** Possible positions of cuts: frames, and ticks of the container's clock where no frame is near. */
export interface FrameGrid extends TickClock {
  /** Start of each frame, ascending; empty without video. */
  readonly frameTicks: ArrayLike<number>
  /** End of the last frame. */
  readonly endTick: number
}

/** A range on the grid. Source ticks are on the container's clock. */
export interface PlacedRange<Range extends Segment = Segment> {
  /** In seconds on the media's clock. */
  readonly requested: Range
  readonly startTick: number
  readonly endTick: number
  /** Start in the output. */
  readonly atTick: number
  /** The first frame that it adds: for a slide, one from before the range's start. Undefined if it adds no frame. */
  readonly firstFrameTick?: number | undefined
  readonly frames: number
}

/**
 * Moves ranges onto the grid, for clips as for the edits of exports, so that both show the same frames. Each edge moves by less than a
 * frame, so that after every range the output is within half a frame of the requested length. Ranges that become empty are dropped.
 */
export function snapRanges<Range extends Segment>(ranges: readonly Range[], grid: FrameGrid): PlacedRange<Range>[] {
  const { secondsPerTick, originSeconds } = grid
  const toTicks = (seconds: number) => (seconds + originSeconds) / secondsPerTick
  const placed: PlacedRange<Range>[] = []
  let [atTick, wantedTicks, previousEnd] = [0, 0, Number.NEGATIVE_INFINITY]
  for (const requested of ranges) {
    const [start, end] = [toTicks(requested.start), toTicks(requested.end)]
    wantedTicks += end - start
    // What clips are made of is ascending and separate. Exports list other entries too, which show frames again.
    if (requested.start < (placed.at(-1)?.requested.end ?? 0)) previousEnd = Number.NEGATIVE_INFINITY
    const [startTick, endTick] = nearestCuts(start, end, previousEnd, wantedTicks - atTick, grid)
    if (endTick === startTick) continue
    placed.push({ requested, startTick, endTick, atTick, ...framesShown(grid, startTick, endTick, previousEnd) })
    atTick += endTick - startTick
    previousEnd = endTick
  }
  return placed
}

/** The pair of cuts nearest to the requested edges that keeps the total length right. */
function nearestCuts(start: number, end: number, previousEnd: number, wanted: number, grid: FrameGrid) {
  const starts = cutsAround(start, grid).filter((tick) => tick >= previousEnd)
  const pairs = (starts.length > 0 ? starts : [previousEnd]).flatMap((from) =>
    cutsAround(end, grid).map((to): [number, number] => [from, Math.max(from, to)]),
  )
  // In whole microseconds: of two pairs that are as near, the earlier one is taken, however a container counts its ticks.
  const microseconds = (ticks: number) => Math.round(Math.abs(ticks) * grid.secondsPerTick * 1e6)
  const cost = ([from, to]: [number, number]) => {
    const drift = Math.abs(to - from - wanted)
    const moved = microseconds(from - start) + microseconds(to - end)
    const frame = nextFrame(grid, from) - from
    const isRight =
      frame > 0 ? microseconds(drift) <= microseconds(frame) / 2 + driftToleranceMicroseconds : drift <= 0.5
    return isRight ? moved : 1e15 + microseconds(drift)
  }
  return pairs.reduce((best, pair) => (cost(pair) < cost(best) ? pair : best))
}

/** The cuts before and after a tick: frames for film, ticks elsewhere. */
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

/** The start of the next frame after a tick, if it follows as soon as in film; otherwise the tick itself. */
function nextFrame({ frameTicks, endTick, secondsPerTick }: FrameGrid, tick: number): number {
  const next = frameTicks[firstFrom(frameTicks, tick + 1)] ?? endTick
  return (next - tick) * secondsPerTick <= maxFilmFrameSeconds ? Math.max(tick, next) : tick
}

function framesShown({ frameTicks }: FrameGrid, startTick: number, endTick: number, previousEnd: number) {
  const first = firstFrom(frameTicks, startTick)
  const last = firstFrom(frameTicks, endTick)
  const held = frameTicks[first - 1]
  // A frame of the previous range simply stays; a frame that started in a dropped part has to be added.
  const bringsIn = frameTicks[first] !== startTick && held !== undefined && held >= previousEnd
  const from = bringsIn ? first - 1 : first
  return { firstFrameTick: from < last ? frameTicks[from] : undefined, frames: last - from }
}

/** Index of the first value at or after `from`. */
function firstFrom(ascending: ArrayLike<number>, from: number): number {
  return lowerBound(ascending, (value) => value < from)
}
