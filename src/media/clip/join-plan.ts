import type { ClipFormat } from '../../core/media.ts'
import type { Segment } from '../../core/segments.ts'
import { ratio } from '../inspect/frame-rate.ts'
import type { Frame } from '../inspect/frame-window.ts'
import type { Tracks } from '../inspect/tracks.ts'
import type { ClipPlan } from './clip-receipt.ts'
import type { ClipTracks } from './clip-tracks.ts'
import type { Quality } from './encoders.ts'
import { type FrameGrid, type PlacedRange, snapRanges } from './snap-ranges.ts'
import { tickOf } from './track-arguments.ts'

/** Everything that decides a clip of several ranges. */
export interface JoinPlan extends ClipTracks {
  readonly requested: readonly Segment[]
  readonly ranges: readonly PlacedRange[]
  /** Ranges that contain no frame. */
  readonly leftOut: readonly Segment[]
  readonly grid: FrameGrid
  readonly lengthTicks: number
  readonly format: ClipFormat
  readonly quality: Quality
  readonly fadeSeconds: number
}

export interface JoinRequest extends ClipTracks {
  /** Ascending and separate, on the clock where the media starts at 0. */
  readonly ranges: readonly Segment[]
  /** In any order; empty without video. */
  readonly frames: readonly Frame[]
  readonly format: ClipFormat
  readonly quality: Quality
  readonly fadeSeconds: number
}

/** Puts the ranges on the grid of the video's frames, or of the samples where there is no video. */
export function planJoin({ originSeconds }: Tracks, { ranges, frames, ...request }: JoinRequest): JoinPlan {
  const { video, audio } = request
  const secondsPerTick = video ? ratio(tickOf(video)) : 1 / (audio[0]?.sampleRate ?? 1000)
  const toTick = (seconds: number) => Math.round((seconds + originSeconds) / secondsPerTick)
  const sorted = frames.toSorted((a, b) => a.pts - b.pts)
  const first = sorted[0]
  const last = sorted.at(-1)
  const grid: FrameGrid = {
    frameTicks: sorted.map(({ pts }) => toTick(pts)),
    endTick: last ? toTick(last.pts + last.duration) : 0,
    secondsPerTick,
    originSeconds,
  }
  // Without audio the clip starts with its first frame.
  const from = audio.length === 0 && first ? first.pts : 0
  const shown = ranges.flatMap(({ start, end }) => (end > from ? [{ start: Math.max(start, from), end }] : []))
  const placed = snapRanges(shown, grid)
  const leftOut = ranges.filter(({ end }) => !placed.some(({ requested }) => requested.end === end))
  return { ...request, requested: ranges, ranges: placed, leftOut, grid, lengthTicks: totalLength(placed) }
}

export function totalLength(ranges: readonly PlacedRange[]): number {
  return ranges.reduce((sum, { startTick, endTick }) => sum + endTick - startTick, 0)
}

/** The part of the plan that the receipt needs. */
export function describeJoin({ requested, ranges, leftOut, grid, lengthTicks, video, audio }: JoinPlan): ClipPlan {
  const { secondsPerTick, originSeconds } = grid
  const toSeconds = (tick: number) => tick * secondsPerTick - originSeconds
  return {
    requested,
    leftOut,
    zeroSeconds: toSeconds(ranges[0]?.startTick ?? 0),
    endZeroSeconds: toSeconds((ranges.at(-1)?.endTick ?? 0) - lengthTicks),
    video,
    audio,
    plannedFrames: ranges.reduce((sum, { frames }) => sum + frames, 0),
    ranges: ranges.map((range) => ({
      requested: range.requested,
      presented: { start: toSeconds(range.startTick), end: toSeconds(range.endTick) },
      atSeconds: range.atTick * secondsPerTick,
    })),
  }
}
