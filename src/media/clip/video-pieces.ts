import { lowerBound } from '../../core/binary-search.ts'
import type { FrameGrid, PlacedRange } from './snap-ranges.ts'

/** Consecutive ranges of a clip whose video is rendered by one ffmpeg. Pieces are joined by stream copy. */
export interface VideoPiece {
  readonly ranges: readonly PlacedRange[]
  /** When its last frame starts and stops being shown, in seconds from its start. */
  readonly lastSeconds: number
  readonly endSeconds: number
}

/** Divides the ranges into at most as many pieces as there are `thirds`, of these lengths. Ranges are split at frames, and every piece contains a frame. */
export function divideVideo(ranges: readonly PlacedRange[], grid: FrameGrid, thirds: readonly number[]): VideoPiece[] {
  const lengthTicks = totalLength(ranges)
  const ends: number[] = []
  for (const each of thirds) ends.push((ends.at(-1) ?? 0) + each)
  const bounds = ends.slice(0, -1).map((end) => Math.ceil((end * lengthTicks) / (ends.at(-1) ?? 1)))
  const pieceAt = (atTick: number) => lowerBound(bounds, (bound) => bound <= atTick)
  const pieces: PlacedRange[][] = []
  let [current, hasFrames] = [-1, true]
  for (const range of ranges.flatMap((each) => splitRange(each, grid, bounds))) {
    const begins = hasFrames && range.frames > 0 && pieceAt(range.atTick) > current
    const piece = pieces.at(-1)
    if (piece && !begins) piece.push(range)
    else {
      pieces.push([range])
      current = pieceAt(range.atTick)
      hasFrames = false
    }
    hasFrames ||= range.frames > 0
  }
  return pieces.map((piece) => singlePiece(piece, grid))
}

/** One piece of all these ranges, of which one shows a frame. */
export function singlePiece(ranges: readonly PlacedRange[], grid: FrameGrid): VideoPiece {
  return { ranges, ...lastFrameTimes(ranges, grid) }
}

export function totalLength(ranges: readonly PlacedRange[]): number {
  return ranges.reduce((sum, { startTick, endTick }) => sum + endTick - startTick, 0)
}

/** Splits a range at the first frame at or after each bound. Bounds are ticks of the output, ascending. */
function splitRange(range: PlacedRange, grid: FrameGrid, bounds: readonly number[]): PlacedRange[] {
  const { startTick, endTick, atTick } = range
  const bound = bounds.find((tick) => tick > atTick && tick < atTick + endTick - startTick)
  if (bound === undefined) return [range]
  const { frameTicks } = grid
  const from = lowerBound(frameTicks, (tick) => tick < startTick)
  const to = lowerBound(frameTicks, (tick) => tick < endTick)
  const at = lowerBound(frameTicks, (tick) => tick < startTick + bound - atTick)
  const cut = frameTicks[at]
  if (cut === undefined || at >= to) return [range]
  const held = range.frames - (to - from)
  const left = { ...range, endTick: cut, frames: at - from + held }
  const right = { ...range, startTick: cut, atTick: atTick + cut - startTick, firstFrameTick: cut, frames: to - at }
  return [left, ...splitRange(right, grid, bounds)]
}

function lastFrameTimes(ranges: readonly PlacedRange[], { frameTicks, endTick, secondsPerTick }: FrameGrid) {
  const zero = ranges[0]?.atTick ?? 0
  const showing = ranges.findLast(({ frames }) => frames > 0)
  const lastTick = showing && frameTicks[lowerBound(frameTicks, (tick) => tick < showing.endTick) - 1]
  const ending = ranges.findLast(({ startTick }) => startTick < endTick)
  const at = (range: PlacedRange | undefined, tick: number) =>
    range ? (range.atTick - zero + Math.max(0, tick - range.startTick)) * secondsPerTick : 0
  return {
    lastSeconds: at(showing, lastTick ?? 0),
    endSeconds: at(ending, Math.min(ending?.endTick ?? 0, endTick)),
  }
}
