import type { MediaFormat } from '../../core/media.ts'
import type { Segment } from '../../core/segments.ts'
import { ratio } from '../inspect/frame-rate.ts'
import { type FrameWindow, frameToleranceSeconds } from '../inspect/frame-window.ts'
import type { SourceAudio, SourceVideo } from '../inspect/tracks.ts'
import { audioEncoder, channelFilter, containers, type Quality, videoEncoder } from './encoders.ts'

/** Everything that decides a clip. Times are on the clock where the media starts at 0. */
export interface CutPlan {
  readonly window: Segment
  /** The moment that becomes 0 in the clip. */
  readonly zeroSeconds: number
  /** Where the media starts on its container's own clock. */
  readonly originSeconds: number
  readonly format: MediaFormat
  readonly quality: Quality
  readonly video: { readonly track: SourceVideo; readonly frames: FrameWindow } | null
  readonly audio: readonly SourceAudio[]
  readonly fadeSeconds: number
}

/** Decoders need what came before: the last keyframe, the overlap of audio blocks. */
const prerollSeconds = 1
const finestTick = 1e-6

/** Where decoding starts. */
export function seekSeconds({ window, video }: CutPlan): number {
  return Math.max(0, Math.min(window.start, video?.frames.firstSeconds ?? window.start) - prerollSeconds)
}

/**
 * The source's own timestamps are kept and cut by ticks and samples: ffmpeg's seek is then only a place to start reading
 * from, and nothing is rounded twice.
 */
export function cutInputOptions(plan: CutPlan): string[] {
  const seek = seekSeconds(plan)
  return ['-threads', '2', '-copyts', '-noaccurate_seek', ...(seek > 0 ? ['-ss', seek.toFixed(6)] : [])]
}

export function cutOutputOptions(plan: CutPlan): string[] {
  const { format, video, audio } = plan
  const container = containers[format]
  return [
    ...(video ? ['-map', `0:${video.track.streamIndex}`] : []),
    ...audio.flatMap((track) => ['-map', `0:${track.streamIndex}`]),
    ...['-map_chapters', '-1'],
    ...(video ? videoOptions(plan, video) : []),
    ...audio.flatMap((track, place) => [
      ...[`-filter:a:${place}`, audioFilter(plan, track)],
      ...audioEncoder(container.audio, track, place, plan.quality),
    ]),
    ...container.muxer,
  ]
}

function videoOptions(plan: CutPlan, { track, frames }: NonNullable<CutPlan['video']>): string[] {
  const { format, quality, zeroSeconds } = plan
  const filter = videoFilter(plan, track, frames)
  const [lastSeconds, endSeconds] = [frames.lastSeconds - zeroSeconds, frames.endSeconds - zeroSeconds]
  // The poster, which is of the middle, is then decoded alone.
  return encodedFrames({ track, format, quality, filter, keyframeSeconds: [endSeconds / 2], lastSeconds, endSeconds })
}

export interface EncodedFrames {
  readonly track: SourceVideo
  readonly format: MediaFormat
  readonly quality: Quality
  readonly filter: string
  /** Where keyframes are, besides where the encoder has them and at the last frame. */
  readonly keyframeSeconds?: readonly number[]
  /** When the last frame is shown and when it makes way, on the output's clock. */
  readonly lastSeconds: number
  readonly endSeconds: number
}

/** Encodes the frames that leave the filter, each at the time that it has there. */
export function encodedFrames({ track, format, quality, filter, ...times }: EncodedFrames): string[] {
  const codec = containers[format].video ?? 'h264'
  const last = times.lastSeconds - frameToleranceSeconds
  const keyframes = [...(times.keyframeSeconds ?? []).map((seconds) => seconds - frameToleranceSeconds), last]
  return [
    ...['-filter:v', filter],
    // The default turns variable frame rates into constant ones, and rounds frame times to those.
    ...['-fps_mode', 'passthrough', '-enc_time_base', tickOf(track)],
    ...videoEncoder(codec, quality, track.hasVariableFrameRate),
    // A keyframe is stored last as it is shown last, so that the length written for it is its own.
    ...['-force_key_frames', keyframes.map((seconds) => Math.max(0, seconds).toFixed(6)).join(',')],
    ...['-bsf:v', lastFrameDuration(last, times.endSeconds)],
  ]
}

function videoFilter(plan: CutPlan, track: SourceVideo, frames: FrameWindow): string {
  const tick = ratio(tickOf(track))
  const ticks = (seconds: number) => (seconds + plan.originSeconds) / tick
  const from = Math.ceil(ticks(Math.min(plan.window.start, frames.firstSeconds) - frameToleranceSeconds))
  const to = Math.ceil(ticks(plan.window.end - frameToleranceSeconds))
  return [
    `settb=${tickOf(track)}`,
    `trim=start_pts=${from}:end_pts=${to}`,
    `setpts=max(0\\,PTS-${Math.round(ticks(plan.zeroSeconds))})`,
    ...pixelFilters(track),
  ].join(',')
}

/** 4:2:0 stores colour for pairs of pixels. A row is cut off, where adding one would show as a line. */
export function pixelFilters({ width, height }: SourceVideo): string[] {
  const pixels = 'format=yuv420p'
  if (width % 2 === 0 && height % 2 === 0) return [pixels]
  if (width === 1 || height === 1) return [`scale=${Math.max(2, width & ~1)}:${Math.max(2, height & ~1)}`, pixels]
  return [`crop=${width & ~1}:${height & ~1}:0:0`, pixels]
}

/** Encoders guess how long the last frame stands; the others make way for the next. Nothing outlasts the window. */
function lastFrameDuration(lastSeconds: number, endSeconds: number): string {
  const left = `max(1,round(${endSeconds.toFixed(6)}/TB-PTS))`
  return `setts=pts=PTS:dts=DTS:duration='if(gte(PTS*TB,${lastSeconds.toFixed(6)}),${left},min(DURATION,${left}))'`
}

function audioFilter(plan: CutPlan, track: SourceAudio): string {
  const { window, fadeSeconds, format, originSeconds } = plan
  const { sampleRate } = track
  const samples = (seconds: number) => Math.round((seconds + originSeconds) * sampleRate)
  const length = window.end - window.start
  const fade = Math.min(fadeSeconds, length / 2)
  const channels = channelFilter(containers[format].audio, track)
  return [
    // Gaps in the timestamps become silence, and every sample has its place on the clock.
    `aresample=${sampleRate}:async=1:first_pts=${samples(seekSeconds(plan))}`,
    `atrim=start_pts=${samples(window.start)}:end_pts=${samples(window.end)}`,
    `asetpts=PTS-${samples(window.start)}`,
    ...(fade > 0 && window.start > 0 ? [`afade=t=in:st=0:d=${fade}`] : []),
    ...(fade > 0 && window.end < track.endSeconds ? [`afade=t=out:st=${length - fade}:d=${fade}`] : []),
    ...(channels ? [channels] : []),
  ].join(',')
}

/** The source's time base, or one that encoders can take where it is finer than they know. */
export function tickOf({ timeBase }: SourceVideo): string {
  return ratio(timeBase) >= finestTick ? timeBase : '1/90000'
}
