import { lowerBound, makeNumbers } from '../../core/many-numbers.ts'
import type { ClipFormat } from '../../core/media.ts'
import type { Segment } from '../../core/segments.ts'
import type { FrameTimes } from '../inspect/frame-window.ts'
import { frameToleranceSeconds, maxFilmFrameSeconds } from '../inspect/packets.ts'
import type { Tracks } from '../inspect/tracks.ts'
import { ratio } from '../inspect/video-track.ts'
import type { ClipCaptions } from './burn-captions.ts'
import type { ClipTracks } from './clip-marks.ts'
import type { ClipPicture } from './clip-picture.ts'
import type { ClipPlan, ReceiptRange } from './clip-receipt.ts'
import type { Quality } from './encoders.ts'
import type { KeptPicture } from './picture-filters.ts'
import { tickOf } from './track-arguments.ts'
import { divideVideo, type VideoPiece } from './video-pieces.ts'

/** What the frames of the source decide of a joined clip. Finding them means reading the source, so long jobs store it. */
export interface JoinLayout {
  readonly ranges: readonly PlacedRange[]
  /** Ranges that contain no frame. */
  readonly leftOut: readonly Segment[]
  /** Empty if no range shows a frame. */
  readonly pieces: readonly VideoPiece[]
}

/** Everything that decides a clip of several ranges. */
export interface JoinPlan extends ClipTracks, JoinLayout {
  readonly requested: readonly Segment[]
  readonly clock: TickClock
  readonly lengthTicks: number
  readonly format: ClipFormat
  readonly quality: Quality
  /** Null keeps the source's. */
  readonly picture: ClipPicture | null
  readonly kept: KeptPicture
  readonly captions: ClipCaptions | null
  readonly fadeSeconds: number
  /** Null keeps the source's. */
  readonly loudnessLufs: number | null
}

interface LayoutRequest extends ClipTracks {
  /** Ascending and separate, on the clock where the media starts at 0. */
  readonly ranges: readonly Segment[]
  /** Empty without video. */
  readonly frames: FrameTimes
  /** The lengths of the pieces. */
  readonly thirds: readonly number[]
}

/** Ticks of the video, or samples where there is no video. */
export function clockOf({ originSeconds }: Pick<Tracks, 'originSeconds'>, { video, audio }: ClipTracks): TickClock {
  return { originSeconds, secondsPerTick: video ? ratio(tickOf(video)) : 1 / (audio[0]?.sampleRate ?? 1000) }
}

export async function gridOf({ starts, endSeconds }: FrameTimes, clock: TickClock): Promise<FrameGrid> {
  const toTick = (seconds: number) => Math.round((seconds + clock.originSeconds) / clock.secondsPerTick)
  const endTick = starts.length > 0 ? toTick(endSeconds) : 0
  const frameTicks = await makeNumbers(starts.length, (index) => toTick(starts[index] ?? 0))
  return { ...clock, frameTicks, endTick }
}

/** Puts the ranges on the grid of the video's frames, or of the samples where there is no video. */
export async function layOut(
  tracks: Tracks,
  { ranges, frames, thirds, ...chosen }: LayoutRequest,
): Promise<JoinLayout> {
  const grid = await gridOf(frames, clockOf(tracks, chosen))
  // Without audio the clip starts with its first frame.
  const from = chosen.audio.length > 0 ? 0 : (frames.starts[0] ?? 0)
  const shown = ranges.flatMap(({ start, end }) => (end > from ? [{ start: Math.max(start, from), end }] : []))
  const placed = snapRanges(shown, grid)
  const leftOut = ranges.filter(({ end }) => !placed.some(({ requested }) => requested.end === end))
  const hasVideo = chosen.video !== null && placed.some((range) => range.frames > 0)
  return {
    ranges: placed,
    leftOut,
    pieces: hasVideo ? divideVideo(placed, grid, thirds) : [],
  }
}

/** The part of the plan that the receipt needs. */
export function describeJoin(plan: JoinPlan): ClipPlan {
  const { requested, ranges, leftOut, clock, lengthTicks, video, audio, picture, captions } = plan
  const { secondsPerTick, originSeconds } = clock
  const toSeconds = (tick: number) => tick * secondsPerTick - originSeconds
  return {
    requested,
    leftOut,
    zeroSeconds: toSeconds(ranges[0]?.startTick ?? 0),
    endZeroSeconds: toSeconds((ranges.at(-1)?.endTick ?? 0) - lengthTicks),
    ...{ video, audio, picture, captions },
    plannedFrames: ranges.reduce((sum, { frames }) => sum + frames, 0),
    mode: 'exact',
    framesCopied: 0,
    ranges: shownRanges(ranges, clock),
  }
}

/** What the clip shows of each range, in seconds. */
export function shownRanges(
  ranges: readonly PlacedRange[],
  { secondsPerTick, originSeconds }: TickClock,
): ReceiptRange[] {
  return ranges.map(({ requested, startTick, endTick, atTick }) => ({
    requested,
    presented: { start: startTick * secondsPerTick - originSeconds, end: endTick * secondsPerTick - originSeconds },
    atSeconds: atTick * secondsPerTick,
  }))
}

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
export interface PlacedRange {
  /** In seconds on the media's clock. */
  readonly requested: Segment
  readonly startTick: number
  readonly endTick: number
  /** Start in the output. */
  readonly atTick: number
  /** The first frame that it adds: for a slide, one from before the range's start. Undefined if it adds no frame. */
  readonly firstFrameTick?: number | undefined
  readonly frames: number
}

/**
 * Moves ascending, separate ranges onto the grid. Each edge moves by less than a frame, so that after every range the output
 * is within half a frame of the requested length. Ranges that become empty are dropped.
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

/** The pair of cuts nearest to the requested edges that keeps the total length right. */
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
