import type { ClipFormat } from '../../core/media.ts'
import type { CropPoint } from '../../core/picture.ts'
import { durationOf, type Segment } from '../../core/segments.ts'
import { ratio } from '../inspect/frame-rate.ts'
import type { FrameWindow } from '../inspect/frame-window.ts'
import { frameToleranceSeconds } from '../inspect/margins.ts'
import { nonFiniteFilters } from '../inspect/non-finite-samples.ts'
import { seekBefore } from '../inspect/seek.ts'
import type { SourceAudio } from '../inspect/tracks.ts'
import type { SourceVideo } from '../inspect/video-track.ts'
import { burningFilter, burntLabel } from './burn-captions.ts'
import type { ClipCaptions } from './clip-captions.ts'
import type { ClipPicture } from './clip-picture.ts'
import { audioEncoder, containers, type Quality } from './encoders.ts'
import type { PieceExtras } from './join-arguments.ts'
import type { Resumes } from './long-gaps.ts'
import { type Levels, meterOptions } from './loudness.ts'
import { cropFilters, sizeFilters } from './picture-filters.ts'
import { encodeFramesOptions, finishingFilters, resumeSamples, sampleFilters, tickOf } from './track-arguments.ts'
import type { VideoPiece } from './video-pieces.ts'

/** Everything that decides a clip of one window. Times are on the clock where the media starts at 0. */
export interface CutPlan {
  readonly window: Segment
  /** The moment that becomes 0 in the clip. */
  readonly zeroSeconds: number
  /** Where the media starts on its container's own clock. */
  readonly originSeconds: number
  readonly format: ClipFormat
  readonly quality: Quality
  readonly video: { readonly track: SourceVideo; readonly frames: FrameWindow } | null
  /** Null keeps the source's. */
  readonly picture: ClipPicture | null
  readonly captions: ClipCaptions | null
  /** The pieces of its video, if that is long. */
  readonly pieces: readonly VideoPiece[]
  readonly audio: readonly SourceAudio[]
  readonly fadeSeconds: number
  /** Null keeps the source's. */
  readonly loudnessLufs: number | null
}

/** Where decoding starts. */
export function cutSeekSeconds({ window, video }: CutPlan): number {
  return seekBefore(Math.min(window.start, video?.frames.firstSeconds ?? window.start))
}

/** Encodes one audio track of a cut, as a file of its own. */
export function cutAudioOptions(plan: CutPlan, track: SourceAudio, resumes: Resumes, levels: Levels): string[] {
  const container = containers[plan.format]
  return [
    ...['-map', `0:${track.streamIndex}`],
    ...[
      '-filter:a',
      audioFilter(plan, track, resumes, levels),
      ...audioEncoder(container.audio, track, 0, plan.quality),
    ],
    ...container.muxer,
  ]
}

/** Measures the loudness of one audio track of a cut behind `level`. */
export function cutMeterOptions(plan: CutPlan, track: SourceAudio, resumes: Resumes, level: readonly string[]) {
  const filter = audioFilter(plan, track, resumes, new Map([[track.streamIndex, level]]))
  return meterOptions(`0:${track.streamIndex}`, [filter])
}

/** `resumes` is of tracks with long gaps, if they are known. */
export function cutOutputOptions(plan: CutPlan, resumes: Resumes, levels: Levels, extras: PieceExtras): string[] {
  const { format, video, audio } = plan
  const container = containers[format]
  return [
    ...(video ? ['-map', extras.burnt ? `[${burntLabel}]` : `0:${video.track.streamIndex}`] : []),
    ...audio.flatMap((track) => ['-map', `0:${track.streamIndex}`]),
    ...(video ? videoOptions(plan, video, extras) : []),
    ...audio.flatMap((track, outputIndex) => [
      ...[`-filter:a:${outputIndex}`, audioFilter(plan, track, resumes, levels)],
      ...audioEncoder(container.audio, track, outputIndex, plan.quality),
    ]),
    ...container.muxer,
  ]
}

function videoOptions(
  plan: CutPlan,
  { track, frames }: NonNullable<CutPlan['video']>,
  { path, burnt }: PieceExtras,
): string[] {
  const { format, quality, zeroSeconds } = plan
  const film = videoFilter(plan, track, frames, path)
  const filter = burnt ? burningFilter(track, film, burnt) : film
  const [lastSeconds, endSeconds] = [frames.lastSeconds - zeroSeconds, frames.endSeconds - zeroSeconds]
  // With a keyframe in the middle, the poster is made from one decoded frame.
  const keyframeSeconds = [endSeconds / 2]
  const encoded = { track, format, quality, keyframeSeconds, lastSeconds, endSeconds }
  return encodeFramesOptions({ ...encoded, filter, isComplex: burnt !== null })
}

function videoFilter(plan: CutPlan, track: SourceVideo, frames: FrameWindow, path: readonly CropPoint[]): string {
  const tick = ratio(tickOf(track))
  const ticks = (seconds: number) => (seconds + plan.originSeconds) / tick
  const from = Math.ceil(ticks(Math.min(plan.window.start, frames.firstSeconds) - frameToleranceSeconds))
  const to = Math.ceil(ticks(plan.window.end - frameToleranceSeconds))
  return [
    `settb=${tickOf(track)}`,
    `trim=start_pts=${from}:end_pts=${to}`,
    ...cropFilters(track, plan.picture, path, plan.originSeconds),
    `setpts=max(0\\,PTS-${Math.round(ticks(plan.zeroSeconds))})`,
    ...sizeFilters(track, plan.picture),
  ].join(',')
}

function audioFilter(plan: CutPlan, track: SourceAudio, resumes: Resumes, levels: Levels): string {
  const { window, fadeSeconds, format, originSeconds } = plan
  const samples = (seconds: number) => Math.round((seconds + originSeconds) * track.sampleRate)
  const level = levels.get(track.streamIndex) ?? []
  const range = {
    seekSample: samples(cutSeekSeconds(plan)),
    startSample: samples(window.start),
    endSample: samples(window.end),
    resumeSamples: resumeSamples(resumes, track),
  }
  return [
    ...nonFiniteFilters(track),
    ...sampleFilters(track.sampleRate, range),
    ...finishingFilters(track, { format, fadeSeconds, lengthSeconds: durationOf(window), level, window }),
  ].join(',')
}
