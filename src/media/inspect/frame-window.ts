import { ServiceError } from '../../core/errors.ts'
import type { Ffmpeg } from '../../core/ffmpeg.ts'
import { createColumn, lowerBound, sortNumbers } from '../../core/many-numbers.ts'
import { joinAcross, type Segment, shift } from '../../core/segments.ts'

import { frameToleranceSeconds, maxFilmFrameSeconds } from '../../core/snap-ranges.ts'
import { createFrameCounter, prerollSeconds, readPackets, reorderSeconds } from './packets.ts'
import { frameTimesOf } from './picture-details.ts'

import type { Tracks } from './tracks.ts'
import type { SourceVideo } from './video-track.ts'

/** The frames of a window, on the clock where the media starts at 0. */
export interface FrameWindow {
  /** Start of the first frame; before the window if that frame is still shown when the window starts. */
  readonly firstSeconds: number
  readonly lastSeconds: number
  /** End of the last frame: start of the next frame, end of the video, or end of the window. */
  readonly endSeconds: number
  readonly frames: number
}

/** Nine hours of film at 60 frames a second. */
const maxFrames = 2_000_000

/**
 * What lies between ranges further apart than this is not read. Reading begins at a keyframe, also where that is before the gap, so that many
 * short gaps could read most of the film again and again.
 */
const wideGapSeconds = 600

/** Frames in ascending order, as numbers: objects of two million would take 140 MB. */
export interface FrameTimes {
  readonly starts: ArrayLike<number>
  /** When the last one ends. */
  readonly endSeconds: number
  /** The longest time between keyframes, if it was measured. */
  readonly longestGroupSeconds?: number
}

export const noFrames: FrameTimes = { starts: [], endSeconds: 0 }

/** The frames in and around the ranges, without decoding them. The first is the one from which decoding starts. */
export async function readFrames(
  { input, originSeconds }: Tracks,
  video: SourceVideo,
  ranges: readonly Segment[],
  ffmpeg: Ffmpeg,
  signal: AbortSignal,
): Promise<FrameTimes> {
  const starts = createColumn()
  let [frames, last, endSeconds, longestGroupSeconds] = [0, Number.NEGATIVE_INFINITY, 0, 0]
  const take = (pts: number, duration: number) => {
    if (frames === maxFrames)
      throw new ServiceError('processing_failed', 'The window contains too many frames. Choose a shorter window.')
    frames += 1
    starts.push(pts - originSeconds)
    if (pts < last) return
    last = pts
    endSeconds = pts - originSeconds + duration
  }
  const waiting = shift(joinAcross(ranges, wideGapSeconds), originSeconds)
  for (let interval = waiting.shift(); interval; interval = waiting.shift()) {
    const readUntil = last
    let isRepeated = false
    let keyframe = Number.POSITIVE_INFINITY
    const countFrame = createFrameCounter(interval.end + reorderSeconds)
    await readPackets(
      { input, ffmpeg, signal, streamIndex: video.streamIndex, interval },
      ({ pts, duration, isKeyframe, isHidden }) => {
        if (isHidden) return
        longestGroupSeconds = Math.max(longestGroupSeconds, pts - keyframe)
        if (isKeyframe || keyframe === Number.POSITIVE_INFINITY) keyframe = pts
        if (pts <= readUntil) {
          isRepeated = true
          return
        }
        countFrame(pts)
        take(pts, duration)
      },
    )
    // Keyframes are further apart than the ranges: each further read would begin at the same one.
    if (isRepeated) waiting.splice(0, Infinity, ...joinAcross(waiting, Infinity))
  }
  const sorted = await sortNumbers(starts.values())
  return { starts: frameTimesOf(sorted, video.fieldPairSeconds), endSeconds, longestGroupSeconds }
}

/** The frames that the window shows. */
export function framesWithin({ starts, endSeconds }: FrameTimes, window: Segment): FrameWindow | undefined {
  const start = window.start - frameToleranceSeconds
  const end = window.end - frameToleranceSeconds
  const from = lowerBound(starts, (pts) => pts < start)
  const to = lowerBound(starts, (pts) => pts < end)
  const endOf = (index: number) => starts[index + 1] ?? endSeconds

  // A slide from before is still shown when the window starts.
  const wait = (from < to ? (starts[from] ?? 0) : Number.POSITIVE_INFINITY) - window.start
  const isHeld = from > 0 && wait > maxFilmFrameSeconds && endOf(from - 1) > start
  const first = isHeld ? from - 1 : from
  const [firstSeconds, lastSeconds] = [starts[first], starts[to - 1]]
  if (first >= to || firstSeconds === undefined || lastSeconds === undefined) return undefined
  return {
    firstSeconds,
    lastSeconds,
    endSeconds: Math.min(window.end, endOf(to - 1)),
    frames: to - first,
  }
}

/** Where decoding starts for what begins at this time; both on the media's clock. */
export function seekBefore(startSeconds: number, leadSeconds = prerollSeconds): number {
  return Math.max(0, startSeconds - leadSeconds)
}

/**
 * Input options that keep the source's own timestamps. Filters choose by those, so the seek only says where reading starts, and nothing
 * is rounded twice.
 */
export function seekOptions(seekSeconds: number): string[] {
  return ['-threads', '2', '-copyts', '-noaccurate_seek', ...(seekSeconds > 0 ? ['-ss', seekSeconds.toFixed(6)] : [])]
}
