import type { Ffmpeg, FfmpegOutcome } from '../../core/ffmpeg.ts'
import type { Segment } from '../../core/segments.ts'
import { toneMapFilters } from '../inspect/colour.ts'
import { seekBefore, seekOptions } from '../inspect/seek.ts'
import type { Tracks } from '../inspect/tracks.ts'
import { frameParser, lookingDeadline, timedFrameOptions } from './frame-stream.ts'

/** A picture of a film, from when it is shown. */
export interface ShownFrame {
  /** On the media's clock. */
  readonly seconds: number
  readonly width: number
  readonly height: number
  readonly rgb: Uint8Array<ArrayBuffer>
}

export interface DecodeChanges {
  readonly tracks: Tracks & { readonly video: NonNullable<Tracks['video']> }
  readonly window: Segment
  readonly longestSide: number
  readonly ffmpeg: Ffmpeg
  readonly signal: AbortSignal
  /** Decoding waits for its promise. */
  readonly onFrame: (frame: ShownFrame) => Promise<void>
}

/** The film is looked at this often: what changes is known to the quarter of a second. */
export const sampleSeconds = 0.25

/**
 * A picture counts as changed when a block of 8 × 8 pixels differs by 5 levels a pixel on average, or one in twenty blocks by 2.
 * Compression changes still pictures by less; faint letters change them by more.
 */
const changes = 'mpdecimate=hi=320:lo=128:frac=0.05'

/** Sides are multiples of this, as models for pictures want them. */
const sideStep = 32

/** Decodes the pictures of a window that differ from the one before, a few a second at most. The first one is what is shown at its start. */
export async function decodeChanges({ tracks, window, onFrame, ...job }: DecodeChanges): Promise<FfmpegOutcome> {
  const { input, originSeconds, video } = tracks
  const size = sampledSize(video, job.longestSide)
  const end = window.end + originSeconds
  const parse = frameParser(size.width * size.height * 3)
  /** What the seek finds before the window; the last of it is still shown when the window starts. */
  let before: ShownFrame | undefined
  const take = async (frame: ShownFrame) => {
    if (frame.seconds <= window.start) {
      before = { ...frame, seconds: window.start }
      return
    }
    if (before) await onFrame(before)
    before = undefined
    if (frame.seconds < window.end) await onFrame(frame)
  }
  const outcome = await job.ffmpeg.run({
    ...{ input, signal: job.signal, deadlineSeconds: lookingDeadline(window) },
    inputOptions: seekOptions(seekBefore(window.start)),
    outputOptions: [
      ...['-map', `0:${video.streamIndex}`, '-an', '-sn', '-dn'],
      '-filter:v',
      [
        `trim=end=${end.toFixed(6)}`,
        // Each sample is the frame that is shown then.
        `fps=${1 / sampleSeconds}:round=up`,
        ...[
          `scale=${size.width}:${size.height}`,
          ...toneMapFilters(video.colour),
          'format=yuv420p',
          changes,
          'format=rgb24',
        ],
      ].join(','),
      ...['-fps_mode', 'passthrough', '-c:v', 'rawvideo', ...timedFrameOptions],
    ],
    output: async (chunk) => {
      for (const { seconds, bytes } of parse(chunk))
        await take({ ...size, seconds: seconds - originSeconds, rgb: bytes })
    },
    pixels: video.width * video.height,
  })
  if (before) await onFrame(before)
  return outcome
}

/** Smaller pictures keep their size, rounded. */
function sampledSize({ width, height }: { readonly width: number; readonly height: number }, longestSide: number) {
  const scale = Math.min(1, longestSide / Math.max(width, height))
  const stepped = (side: number) => Math.max(sideStep, Math.round((side * scale) / sideStep) * sideStep)
  return { width: stepped(width), height: stepped(height) }
}
