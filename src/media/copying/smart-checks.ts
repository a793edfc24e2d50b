import { lowerBound } from '../../core/binary-search.ts'
import type { PlacedRange } from '../clip/snap-ranges.ts'
import type { SmartPlan } from './smart-plan.ts'
import type { AccessPoint, CopiedStretch, MixedPiece } from './stretches.ts'

// What a finished smart clip must show, and where it is decoded to check that.

type CheckedPlan = Pick<SmartPlan, 'pieces' | 'grid' | 'clock'>

export interface PlannedFrame {
  /** Its time in the source. */
  readonly sourceTick: number
  /** Its time in the clip. */
  readonly atSeconds: number
  readonly pieceIndex: number
}

/** The frames of the clip in the order of their times. */
export function plannedFrames({ pieces, grid, clock }: CheckedPlan): PlannedFrame[] {
  const { frameTicks } = grid
  return pieces.flatMap((piece, pieceIndex) =>
    rangesOf(piece).flatMap(({ startTick, atTick, firstFrameTick, frames }) => {
      const first = lowerBound(frameTicks, (tick) => tick < (firstFrameTick ?? startTick))
      return frameTicks.slice(first, first + frames).map((sourceTick) => ({
        sourceTick,
        atSeconds: (atTick + Math.max(0, sourceTick - startTick)) * clock.secondsPerTick,
        pieceIndex,
      }))
    }),
  )
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
  readonly frames: readonly PlannedFrame[]
}

/**
 * What is decoded around each joint with a copied stretch, as runs of frames without a gap: whole encoded pieces, and of copied
 * stretches the group of pictures beside the joint.
 */
export function framesAtJoints(plan: CheckedPlan): CheckedFrames[][] {
  const framesOf: PlannedFrame[][] = plan.pieces.map(() => [])
  for (const frame of plannedFrames(plan)) framesOf[frame.pieceIndex]?.push(frame)
  const groupOf = (pieceIndex: number, edge: 'first' | 'last'): CheckedFrames[] => {
    const piece = plan.pieces[pieceIndex]
    if (!piece || 'encoded' in piece) return []
    const source = groupAtEdge(piece.copied, plan.grid.accessPoints, edge)
    const inGroup = ({ sourceTick }: PlannedFrame) => sourceTick >= source.fromTick && sourceTick < source.toTick
    return [{ source, frames: (framesOf[pieceIndex] ?? []).filter(inGroup) }]
  }
  return plan.pieces.flatMap((piece, index) => {
    const before = groupOf(index - 1, 'last')
    if ('copied' in piece) return before.length > 0 ? [[...before, ...groupOf(index, 'first')]] : []
    const after = groupOf(index + 1, 'first')
    if (before.length + after.length === 0) return []
    return [[...before, { source: null, frames: framesOf[index] ?? [] }, ...after]]
  })
}

/** The first or the last group of pictures of a stretch. */
function groupAtEdge(
  { fromTick, toTick }: CopiedStretch,
  accessPoints: readonly AccessPoint[],
  edge: 'first' | 'last',
): TickSpan {
  const inside = accessPoints.filter(({ tick }) => tick > fromTick && tick < toTick)
  return edge === 'first'
    ? { fromTick, toTick: inside[0]?.leadingTick ?? toTick }
    : { fromTick: inside.at(-1)?.tick ?? fromTick, toTick }
}
