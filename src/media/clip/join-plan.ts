import { makeNumbers } from '../../core/many-numbers.ts'
import type { Segment } from '../../core/segments.ts'
import { type FrameGrid, type PlacedRange, snapRanges, type TickClock } from '../../core/snap-ranges.ts'
import type { FrameTimes } from '../inspect/frame-window.ts'
import type { Tracks } from '../inspect/tracks.ts'
import { ratio } from '../inspect/video-track.ts'
import type { ClipTracks } from './clip-marks.ts'
import type { ClipPlan, ReceiptRange } from './clip-receipt.ts'
import type { ClipEncoding } from './join-arguments.ts'
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
export interface JoinPlan extends ClipTracks, JoinLayout, ClipEncoding {
  readonly requested: readonly Segment[]
  /** Whether other workers can make pieces too. */
  readonly isLong: boolean
  readonly clock: TickClock
  readonly lengthTicks: number
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
    pieces: hasVideo ? divideVideo(placed, grid, thirds, frames.longestGroupSeconds) : [],
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
