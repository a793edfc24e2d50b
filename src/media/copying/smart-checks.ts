import { lowerBound } from '../../core/binary-search.ts'
import type { FrameGrid, PlacedRange, TickClock } from '../clip/snap-ranges.ts'
import type { SmartPlan } from './smart-plan.ts'
import type { AccessPoints, CopiedStretch, MixedPiece } from './stretches.ts'

// What a finished smart clip must show, and where it is decoded to check that.

type CheckedPlan = Pick<SmartPlan, 'pieces' | 'grid' | 'clock'>

/** When the frames of the clip start in it, ascending. */
export function* plannedTimes({ pieces, grid, clock }: CheckedPlan): Iterable<number> {
  for (const range of pieces.flatMap(rangesOf)) {
    const { from, to } = framesOfRange(range, grid)
    for (let index = from; index < to; index++) yield timeOf(range, grid.frameTicks[index] ?? 0, clock)
  }
}

/** Places of its frames in the grid. */
function framesOfRange({ startTick, firstFrameTick = startTick, frames }: PlacedRange, { frameTicks }: FrameGrid) {
  const from = lowerBound(frameTicks, (tick) => tick < firstFrameTick)
  return { from, to: Math.min(from + frames, frameTicks.length) }
}

/** Where a frame of the source is in the clip, in seconds. */
function timeOf({ startTick, atTick }: PlacedRange, sourceTick: number, { secondsPerTick }: TickClock): number {
  return (atTick + Math.max(0, sourceTick - startTick)) * secondsPerTick
}

export function rangesOf(piece: MixedPiece): readonly PlacedRange[] {
  return 'copied' in piece ? [piece.copied.range] : piece.encoded.ranges
}

/** Ticks of the source. */
export interface TickSpan {
  readonly fromTick: number
  readonly toTick: number
}

/** Frames that follow each other in the clip, and what they are compared with. */
export interface CheckedFrames {
  /** A group of pictures of the source; null for an encoded piece, which must decode without an error. */
  readonly source: TickSpan | null
  readonly count: number
  /** When the first and the last start in the clip. */
  readonly firstSeconds: number
  readonly lastSeconds: number
}

/**
 * What is decoded around each joint with a copied stretch, as runs of frames without a gap: whole encoded pieces, and of copied
 * stretches the group of pictures beside the joint.
 */
export function framesAtJoints(plan: CheckedPlan): CheckedFrames[][] {
  const groupOf = (pieceIndex: number, edge: 'first' | 'last'): CheckedFrames[] => {
    const piece = plan.pieces[pieceIndex]
    if (!piece || 'encoded' in piece) return []
    const source = groupAtEdge(piece.copied, plan.grid.accessPoints, edge)
    return [checkedFrames(plan, piece, source)]
  }
  return plan.pieces.flatMap((piece, index) => {
    const before = groupOf(index - 1, 'last')
    if ('copied' in piece) return before.length > 0 ? [[...before, ...groupOf(index, 'first')]] : []
    const after = groupOf(index + 1, 'first')
    if (before.length + after.length === 0) return []
    return [[...before, checkedFrames(plan, piece, null), ...after]]
  })
}

/** The frames of a piece, or those of it that are in a span of the source. */
function checkedFrames({ grid, clock }: CheckedPlan, piece: MixedPiece, source: TickSpan | null): CheckedFrames {
  const { fromTick, toTick } = source ?? { fromTick: Number.NEGATIVE_INFINITY, toTick: Number.POSITIVE_INFINITY }
  const { frameTicks } = grid
  const [after, before] = [fromTick, toTick].map((bound) => lowerBound(frameTicks, (tick) => tick < bound))
  const shown = rangesOf(piece).flatMap((range) => {
    const { from, to } = framesOfRange(range, grid)
    const [first, end] = [Math.max(from, after ?? 0), Math.min(to, before ?? 0)]
    const at = (index: number) => timeOf(range, frameTicks[index] ?? 0, clock)
    return first < end ? [{ count: end - first, firstSeconds: at(first), lastSeconds: at(end - 1) }] : []
  })
  return {
    source,
    count: shown.reduce((sum, { count }) => sum + count, 0),
    firstSeconds: shown[0]?.firstSeconds ?? 0,
    lastSeconds: shown.at(-1)?.lastSeconds ?? 0,
  }
}

/** The first or the last group of pictures of a stretch. */
function groupAtEdge(
  { fromTick, toTick }: CopiedStretch,
  { ticks, leadingTicks }: AccessPoints,
  edge: 'first' | 'last',
): TickSpan {
  const first = lowerBound(ticks, (tick) => tick <= fromTick)
  const end = lowerBound(ticks, (tick) => tick < toTick)
  if (first >= end) return { fromTick, toTick }
  return edge === 'first'
    ? { fromTick, toTick: leadingTicks[first] ?? toTick }
    : { fromTick: ticks[end - 1] ?? fromTick, toTick }
}
