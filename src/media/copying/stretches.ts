import { lowerBound } from '../../core/binary-search.ts'
import type { FrameGrid, PlacedRange } from '../clip/snap-ranges.ts'
import { singlePiece, type VideoPiece } from '../clip/video-pieces.ts'
import { CopyRefusal } from './copy-refusal.ts'

/** Part of a range whose frames are copied: from one access point until before another, or until the end of the picture. */
export interface CopiedStretch {
  readonly range: PlacedRange
  /** Ticks of the source: presentation times in this interval are those of its packets. */
  readonly fromTick: number
  readonly toTick: number
}

export interface EncodedStretch {
  readonly range: PlacedRange
}

export type PlannedStretch = CopiedStretch | EncodedStretch

/** Pictures at which decoding can start, where frames of different encoders can meet. Both lists ascend. */
export interface AccessPoints {
  readonly ticks: ArrayLike<number>
  /** The earliest time of the frames of each: pictures that are decoded after it can be shown before it, and refer to earlier ones. */
  readonly leadingTicks: ArrayLike<number>
}

export interface AccessGrid extends FrameGrid {
  readonly accessPoints: AccessPoints
  /** A frame that starts so shortly before a range counts as in it. */
  readonly toleranceTicks: number
  /** Whether the grid has the last frame of the picture. */
  readonly hasEnd: boolean
}

/** Divides each range at its first and its last access point. What lies between them is copied, without the leading pictures of both. */
export function divideAtAccessPoints(ranges: readonly PlacedRange[], grid: AccessGrid): PlannedStretch[] {
  return ranges.flatMap((range) => divideRange(range, grid))
}

function divideRange(range: PlacedRange, grid: AccessGrid): PlannedStretch[] {
  const { frameTicks, toleranceTicks, accessPoints } = grid
  const { startTick, endTick, atTick, frames, firstFrameTick } = range
  const index = (tick: number) => lowerBound(frameTicks, (frame) => frame < tick)
  const lastIndex = index(endTick - toleranceTicks)
  const { ticks, leadingTicks } = accessPoints
  const from = ticks[lowerBound(ticks, (tick) => tick < startTick - toleranceTicks)]
  const reachesEnd = grid.hasEnd && lastIndex === frameTicks.length
  const to = reachesEnd ? endTick : leadingTicks[lowerBound(leadingTicks, (tick) => tick <= endTick) - 1]
  if (from === undefined || to === undefined || to <= from || firstFrameTick === undefined) return [{ range }]
  const copied = Math.min(index(to), lastIndex) - index(from)
  const after = Math.max(0, lastIndex - index(to))
  const before = frames - copied - after
  if (copied <= 0) return [{ range }]
  const copyStart = before > 0 ? from : startTick
  const copyEnd = after > 0 ? to : endTick
  const place = (start: number, end: number) => ({
    ...range,
    ...{ startTick: start, endTick: end, atTick: atTick + start - startTick },
  })
  return [
    ...(before > 0 ? [{ range: { ...place(startTick, from), frames: before } }] : []),
    {
      range: { ...place(copyStart, copyEnd), firstFrameTick: from, frames: copied },
      fromTick: from,
      toTick: reachesEnd ? Math.max(endTick, grid.endTick) : to,
    },
    ...(after > 0 ? [{ range: { ...place(to, endTick), firstFrameTick: to, frames: after } }] : []),
  ]
}

/** A piece of the clip's video: encoded, or copied. */
export type MixedPiece = { readonly encoded: VideoPiece } | { readonly copied: CopiedStretch }

/** One ffmpeg encodes neighbouring stretches if it decodes at most this much between them, or would start in front of the first again. */
const maxDecodedGapSeconds = 2

/** Groups the stretches into pieces. Throws `CopyRefusal` if one has no frame. */
export function piecesOfStretches(stretches: readonly PlannedStretch[], grid: AccessGrid): MixedPiece[] {
  const groups: (CopiedStretch | PlacedRange[])[] = []
  for (const stretch of stretches) {
    const group = groups.at(-1)
    if ('fromTick' in stretch) groups.push(stretch)
    else if (Array.isArray(group) && isNear(group.at(-1), stretch.range, grid)) group.push(stretch.range)
    else groups.push([stretch.range])
  }
  return groups.map((group) => {
    if (!Array.isArray(group)) return { copied: group }
    if (group.every(({ frames }) => frames === 0)) throw new CopyRefusal('a range between keyframes shows no frame')
    return { encoded: singlePiece(group, grid) }
  })
}

function isNear(before: PlacedRange | undefined, { startTick }: PlacedRange, grid: AccessGrid): boolean {
  if (!before) return false
  const { accessPoints, secondsPerTick, toleranceTicks } = grid
  const { ticks } = accessPoints
  const next = ticks[lowerBound(ticks, (tick) => tick < before.endTick)] ?? Number.POSITIVE_INFINITY
  return (startTick - before.endTick) * secondsPerTick <= maxDecodedGapSeconds || next > startTick + toleranceTicks
}
