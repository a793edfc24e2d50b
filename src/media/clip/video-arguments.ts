import type { MediaFormat } from '../../core/media.ts'
import { frameToleranceSeconds } from '../inspect/margins.ts'
import type { SourceVideo } from '../inspect/tracks.ts'
import { containers, type Quality, videoEncoder } from './encoders.ts'
import { tickOf } from './timing.ts'

export interface EncodedFrames {
  readonly track: SourceVideo
  readonly format: MediaFormat
  readonly quality: Quality
  readonly filter: string
  /** Keyframes besides those that the encoder chooses and the last frame. */
  readonly keyframeSeconds?: readonly number[]
  /** When the last frame starts and stops being shown, on the output's clock. */
  readonly lastSeconds: number
  readonly endSeconds: number
}

/** Encodes the frames that leave the filter, each at its own time. */
export function encodeFramesOptions({ track, format, quality, filter, ...times }: EncodedFrames): string[] {
  const codec = containers[format].video ?? 'h264'
  const last = times.lastSeconds - frameToleranceSeconds
  const keyframes = [...(times.keyframeSeconds ?? []).map((seconds) => seconds - frameToleranceSeconds), last]
  return [
    ...['-filter:v', filter],
    // The default turns variable frame rates into constant ones, and rounds frame times to those.
    ...['-fps_mode', 'passthrough', '-enc_time_base', tickOf(track)],
    ...videoEncoder(codec, quality, track.hasVariableFrameRate),
    // A keyframe that is shown last is also stored last, so that the duration written for it is its own.
    ...['-force_key_frames', keyframes.map((seconds) => Math.max(0, seconds).toFixed(6)).join(',')],
    ...['-bsf:v', lastFrameDuration(last, times.endSeconds)],
  ]
}

/**
 * Every frame lasts until the next. The last has none, so encoders guess: this sets its duration. No frame outlasts the
 * window.
 */
function lastFrameDuration(lastSeconds: number, endSeconds: number): string {
  const left = `max(1,round(${endSeconds.toFixed(6)}/TB-PTS))`
  return `setts=pts=PTS:dts=DTS:duration='if(gte(PTS*TB,${lastSeconds.toFixed(6)}),${left},min(DURATION,${left}))'`
}

/** Makes sizes even, as 4:2:0 stores colour for pairs of pixels: a row is cut off, since an added one would be visible. */
export function pixelFilters({ width, height }: SourceVideo): string[] {
  const pixels = 'format=yuv420p'
  if (width % 2 === 0 && height % 2 === 0) return [pixels]
  if (width === 1 || height === 1) return [`scale=${Math.max(2, width & ~1)}:${Math.max(2, height & ~1)}`, pixels]
  return [`crop=${width & ~1}:${height & ~1}:0:0`, pixels]
}
