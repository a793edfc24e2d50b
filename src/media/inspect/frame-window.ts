import { ServiceError } from '../../core/errors.ts'
import type { Ffmpeg } from '../../core/ffmpeg.ts'
import type { Segment } from '../../core/segments.ts'
import { frameToleranceSeconds, maxFilmFrameSeconds } from './margins.ts'
import { readPackets } from './packets.ts'
import type { SourceVideo, Tracks } from './tracks.ts'

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

export interface Frame {
  readonly pts: number
  readonly duration: number
}

/** The frames in and around the window, in stored order, without decoding them. */
export async function readFrames(
  { input, originSeconds }: Tracks,
  video: SourceVideo,
  window: Segment,
  ffmpeg: Ffmpeg,
  signal: AbortSignal,
): Promise<Frame[]> {
  const frames: Frame[] = []
  const interval = { start: window.start + originSeconds, end: window.end + originSeconds }
  await readPackets({ input, ffmpeg, signal, streamIndex: video.streamIndex, interval }, ({ pts, duration }) => {
    if (frames.length === maxFrames)
      throw new ServiceError('processing_failed', 'The window contains too many frames. Choose a shorter window.')
    frames.push({ pts: pts - originSeconds, duration })
  })
  return frames
}

/** The frames, given in any order, that the window shows. */
export function framesWithin(frames: readonly Frame[], window: Segment): FrameWindow | undefined {
  const sorted = frames.toSorted((a, b) => a.pts - b.pts)
  const start = window.start - frameToleranceSeconds
  const end = window.end - frameToleranceSeconds
  const inside = sorted.filter(({ pts }) => pts >= start && pts < end)
  const before = sorted.findLast(({ pts }) => pts < start)
  const after = sorted.find(({ pts }) => pts >= end)

  // A slide from before is still shown when the window starts.
  const wait = (inside[0]?.pts ?? Number.POSITIVE_INFINITY) - window.start
  const isHeld = before !== undefined && wait > maxFilmFrameSeconds && endOf(before, inside[0] ?? after) > start
  const shown = isHeld ? [before, ...inside] : inside
  const first = shown[0]
  const last = shown.at(-1)
  if (!first || !last) return undefined
  return {
    firstSeconds: first.pts,
    lastSeconds: last.pts,
    endSeconds: Math.min(window.end, endOf(last, after)),
    frames: shown.length,
  }
}

function endOf(frame: Frame, next: Frame | undefined): number {
  return next?.pts ?? frame.pts + frame.duration
}
