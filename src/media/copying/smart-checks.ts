import { lowerBound } from '../../core/binary-search.ts'
import type { PlacedRange } from '../clip/snap-ranges.ts'
import type { SmartPlan } from './smart-plan.ts'
import type { CopiedStretch, MixedPiece } from './stretches.ts'

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

/** The groups of pictures of the copied stretch at this index that begin or end at a joint. */
export function groupsAtJoints({ pieces, grid }: CheckedPlan, pieceIndex: number): TickSpan[] {
  const piece = pieces[pieceIndex]
  if (!piece || !('copied' in piece)) return []
  const { fromTick, toTick } = piece.copied
  const [second = toTick, last = fromTick] = idrsIn(piece.copied, grid.idrTicks)
  const spans = [
    ...(pieceIndex > 0 ? [{ fromTick, toTick: second }] : []),
    ...(pieceIndex < pieces.length - 1 ? [{ fromTick: last, toTick }] : []),
  ]
  const [first, end] = spans
  // One run decodes both if they touch.
  return first && end && end.fromTick <= first.toTick ? [{ fromTick, toTick }] : spans
}

/** The second and the last IDR picture of a stretch. */
function idrsIn(
  { fromTick, toTick }: CopiedStretch,
  idrTicks: readonly number[],
): [number | undefined, number | undefined] {
  const inside = idrTicks.filter((tick) => tick > fromTick && tick < toTick)
  return [inside[0], inside.at(-1)]
}

/** The frames that are decoded, in runs: whole encoded pieces, and the copied groups beside them. */
export function framesAtJoints(plan: CheckedPlan): PlannedFrame[][] {
  const groups = plan.pieces.map((_, index) => groupsAtJoints(plan, index))
  const runs: PlannedFrame[][] = []
  let isOpen = false
  for (const frame of plannedFrames(plan)) {
    const { pieceIndex, sourceTick } = frame
    const piece = plan.pieces[pieceIndex]
    const isChecked =
      piece !== undefined &&
      ('encoded' in piece ||
        groups[pieceIndex]?.some(({ fromTick, toTick }) => sourceTick >= fromTick && sourceTick < toTick) === true)
    if (isChecked && isOpen) runs.at(-1)?.push(frame)
    else if (isChecked) runs.push([frame])
    isOpen = isChecked
  }
  return runs
}
