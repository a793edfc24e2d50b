import type { FfmpegRun } from '../../core/ffmpeg.ts'
import type { ClipFormat } from '../../core/media.ts'
import type { CropPoint } from '../../core/picture.ts'
import { durationOf, type Segment } from '../../core/segments.ts'
import { frameToleranceSeconds } from '../../core/snap-ranges.ts'
import { type FrameWindow, seekBefore, seekOptions } from '../inspect/frame-window.ts'
import { nonFiniteFilters } from '../inspect/non-finite-samples.ts'
import type { SourceAudio } from '../inspect/tracks.ts'
import { ratio, type SourceVideo } from '../inspect/video-track.ts'
import type { Piece } from '../obtain-piece.ts'
import { burntLabel, layersFilter } from './burn-layers.ts'
import type { ClipTracks } from './clip-marks.ts'
import { audioEncoder, containers } from './encoders.ts'
import type { ClipEncoding, PieceExtras } from './join-arguments.ts'
import { type Levels, meterFilters } from './loudness.ts'
import { arrivalFilters, arrivalOptions, cropFilters, sizeFilters } from './picture-filters.ts'
import { encodeFramesOptions, finishingFilters, resumeSamples, sampleFilters, tickOf } from './track-arguments.ts'
import { soundOptions, type UnevenSound, widestTrack } from './uneven-sound.ts'
import type { VideoPiece } from './video-pieces.ts'

/** Everything that decides a clip of one window. Times are on the clock where the media starts at 0. */
export interface CutPlan extends ClipEncoding {
  readonly window: Segment
  /** The moment that becomes 0 in the clip. */
  readonly zeroSeconds: number
  /** Where the media starts on its container's own clock. */
  readonly originSeconds: number
  readonly video: { readonly track: SourceVideo; readonly frames: FrameWindow } | null
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

/** The options of one run. */
export type RunOptions = Required<Pick<FfmpegRun, 'inputOptions' | 'outputOptions'>>

/** Encodes one audio track of a cut, as a file of its own. */
export function cutAudioOptions(plan: CutPlan, track: SourceAudio, sound: UnevenSound, levels: Levels): RunOptions {
  return encodeOptions(plan, { video: [], audio: [track] }, sound, levels)
}

/** Measures the loudness of one audio track of a cut behind `level`. */
export function cutMeterOptions(
  plan: CutPlan,
  track: SourceAudio,
  sound: UnevenSound,
  level: readonly string[],
): RunOptions {
  const filter = audioFilter(plan, track, sound, new Map([[track.streamIndex, level]]))
  const metered = soundOptions([{ track, filter: [filter, ...meterFilters].join(',') }], sound)
  return {
    inputOptions: [...cutSeekOptions(plan), ...metered.inputOptions],
    outputOptions: [...metered.before, ...metered.maps, ...metered.filters(0), '-f', 'null'],
  }
}

export function cutOutputOptions(plan: CutPlan, sound: UnevenSound, levels: Levels, extras: PieceExtras): RunOptions {
  const { video, audio } = plan
  const map = video ? ['-map', extras.burnt ? `[${burntLabel}]` : `0:${video.track.streamIndex}`] : []
  const options = encodeOptions(
    plan,
    { map, video: video ? videoOptions(plan, video, extras) : [], audio },
    sound,
    levels,
  )
  return {
    ...options,
    inputOptions: [...options.inputOptions, ...(video ? arrivalOptions(video.track, plan.kept) : [])],
  }
}

interface Encoded {
  readonly map?: readonly string[]
  readonly video: readonly string[]
  readonly audio: readonly SourceAudio[]
}

function encodeOptions(
  plan: CutPlan,
  { map = [], video, audio }: Encoded,
  sound: UnevenSound,
  levels: Levels,
): RunOptions {
  const container = containers[plan.format]
  const filtered = audio.map((track) => ({ track, filter: audioFilter(plan, track, sound, levels) }))
  const { before, maps, filters, inputOptions } = soundOptions(filtered, sound)
  return {
    inputOptions: [...cutSeekOptions(plan), ...inputOptions],
    outputOptions: [
      ...[...before, ...map, ...maps, ...video],
      ...audio.flatMap((track, outputIndex) => [
        ...filters(outputIndex),
        ...audioEncoder(container.audio, widestTrack(track, sound), outputIndex, plan.quality),
      ]),
      ...container.muxer,
    ],
  }
}

/** All of a clip's tracks are decoded from the same place, also where each is encoded alone. */
function cutSeekOptions(plan: CutPlan): string[] {
  return seekOptions(cutSeekSeconds(plan))
}

function videoOptions(
  plan: CutPlan,
  { track, frames }: NonNullable<CutPlan['video']>,
  { path, burnt }: PieceExtras,
): string[] {
  const { format, quality, kept, zeroSeconds } = plan
  const film = videoFilter(plan, track, frames, path)
  const filter = burnt ? layersFilter(track, film, burnt) : film
  const [lastSeconds, endSeconds] = [frames.lastSeconds - zeroSeconds, frames.endSeconds - zeroSeconds]
  // With a keyframe in the middle, the poster is made from one decoded frame.
  const keyframeSeconds = [endSeconds / 2]
  const encoded = { track, format, quality, kept, keyframeSeconds, lastSeconds, endSeconds }
  return encodeFramesOptions({ ...encoded, filter, isComplex: burnt !== null })
}

function videoFilter(plan: CutPlan, track: SourceVideo, frames: FrameWindow, path: readonly CropPoint[]): string {
  const tick = ratio(tickOf(track))
  const ticks = (seconds: number) => (seconds + plan.originSeconds) / tick
  const from = Math.ceil(ticks(Math.min(plan.window.start, frames.firstSeconds) - frameToleranceSeconds))
  const to = Math.ceil(ticks(plan.window.end - frameToleranceSeconds))
  return [
    ...arrivalFilters(track, plan.kept),
    `settb=${tickOf(track)}`,
    `trim=start_pts=${from}:end_pts=${to}`,
    ...cropFilters(track, plan.picture, path, plan.originSeconds),
    `setpts=max(0\\,PTS-${Math.round(ticks(plan.zeroSeconds))})`,
    ...sizeFilters(track, plan.picture, plan.kept),
  ].join(',')
}

function audioFilter(plan: CutPlan, source: SourceAudio, sound: UnevenSound, levels: Levels): string {
  const track = widestTrack(source, sound)
  const { window, fadeSeconds, format, originSeconds } = plan
  const samples = (seconds: number) => Math.round((seconds + originSeconds) * track.sampleRate)
  const level = levels.get(track.streamIndex) ?? []
  const range = {
    seekSample: samples(cutSeekSeconds(plan)),
    startSample: samples(window.start),
    endSample: samples(window.end),
    resumeSamples: resumeSamples(sound.resumes, track),
  }
  return [
    ...nonFiniteFilters(track),
    ...sampleFilters(track.sampleRate, range),
    ...finishingFilters(track, { format, fadeSeconds, lengthSeconds: durationOf(window), level, window }),
  ].join(',')
}

/** Muxes encoded pieces of video and encoded audio tracks into one file. */
export function muxOptions(format: ClipFormat, { video, audio }: ClipTracks): string[] {
  // WebM stores a frame rate. An average rate would make readers drop and repeat frames.
  const storesRate = video && format === 'webm' && ratio(video.baseFrameRate) > 0
  return [
    ...(video ? ['-map', '0:v:0', ...(storesRate ? ['-r:v', video.baseFrameRate] : [])] : []),
    ...audio.flatMap((_, index) => ['-map', `${index + (video ? 1 : 0)}:a:0`]),
    ...['-c', 'copy'],
    ...containers[format].muxer,
  ]
}

/** A list for the concat demuxer. Durations are rounded so that each running total is right to the microsecond. */
export function pieceList(pieces: readonly Pick<Piece, 'fileName' | 'seconds'>[]): string {
  let [total, written] = [0, 0]
  const lines = pieces.map(({ fileName, seconds }) => {
    total += seconds
    const duration = Math.round(total * 1e6) - written
    written += duration
    return `file '${fileName}'\ninpoint 0\nduration ${(duration / 1e6).toFixed(6)}\n`
  })
  return `ffconcat version 1.0\n${lines.join('')}`
}
