import type { ClipFormat } from '../../core/media.ts'
import type { CropPoint } from '../../core/picture.ts'
import { frameToleranceSeconds, type PlacedRange, type TickClock } from '../../core/snap-ranges.ts'
import { seekBefore, seekOptions } from '../inspect/frame-window.ts'
import { nonFiniteFilters } from '../inspect/non-finite-samples.ts'
import { layoutFilter, type SourceAudio } from '../inspect/tracks.ts'
import type { SourceVideo } from '../inspect/video-track.ts'
import type { ClipCaptions } from './burn-captions.ts'
import { type BurntLayers, burntLabel, layersFilter } from './burn-layers.ts'
import type { ClipPicture } from './clip-picture.ts'
import type { RunOptions } from './cut-arguments.ts'
import { audioEncoder, containers, type Quality } from './encoders.ts'
import type { JoinPlan } from './join-plan.ts'
import type { ClipLogo } from './logo.ts'
import { meterOptions } from './loudness.ts'
import { arrivalFilters, cropFilters, type KeptPicture, sizeFilters, stepExpression } from './picture-filters.ts'
import {
  type CopiedFit,
  encodeFramesOptions,
  finishingFilters,
  resumeSamples,
  sampleFilters,
  tickOf,
} from './track-arguments.ts'
import { soundOptions, type UnevenSound, widestTrack } from './uneven-sound.ts'
import type { VideoPiece } from './video-pieces.ts'

/** How a clip is encoded. */
export interface ClipEncoding {
  readonly format: ClipFormat
  readonly quality: Quality
  /** Null keeps the source's. */
  readonly picture: ClipPicture | null
  readonly kept: KeptPicture
  readonly captions: ClipCaptions | null
  readonly logo: ClipLogo | null
}

/** How the pieces of a clip are encoded, and the clock of their ticks. */
export interface PieceEncoding extends ClipEncoding {
  readonly clock: TickClock
  readonly fit?: CopiedFit
}

/** What is found for a piece beyond its plan. */
export interface PieceExtras {
  /** A crop follows it. */
  readonly path: readonly CropPoint[]
  readonly burnt: BurntLayers | null
}

/** Where decoding of these ranges starts. */
export function rangesSeekSeconds(clock: TickClock, ranges: readonly PlacedRange[]): number {
  const first = ranges[0]
  const tick = Math.min(first?.startTick ?? 0, first?.firstFrameTick ?? Number.POSITIVE_INFINITY)
  return seekBefore(tick * clock.secondsPerTick - clock.originSeconds)
}

/** Encodes the frames of a piece, as a file without audio that starts at 0. */
export function videoPieceOptions(
  { format, quality, picture, kept, clock, fit }: PieceEncoding,
  track: SourceVideo,
  { ranges, ...times }: VideoPiece,
  { path, burnt }: PieceExtras,
): string[] {
  const pictureFilters = {
    arrival: arrivalFilters(track, kept),
    crop: cropFilters(track, picture, path, clock.originSeconds),
    size: sizeFilters(track, picture, kept),
  }
  const filter = rangesFilter(track, ranges, clock.secondsPerTick, pictureFilters)
  return [
    ...['-map', burnt ? `[${burntLabel}]` : `0:${track.streamIndex}`],
    ...encodeFramesOptions({
      ...{ track, format, quality, kept, fit, ...times },
      filter: burnt ? layersFilter(track, filter, burnt) : filter,
      isComplex: burnt !== null,
    }),
    ...pieceMuxer(track, kept),
  ]
}

/** Writes a piece of video as MP4, or with transparency, which MP4 lacks, as Matroska. The start is stored in ticks of the track: the default is milliseconds. */
export function pieceMuxer(track: SourceVideo, { alpha }: KeptPicture): string[] {
  if (alpha) return ['-f', 'matroska']
  const [, ticksPerSecond = '1000'] = tickOf(track).split('/')
  return ['-movie_timescale', ticksPerSecond, '-write_tmcd', '0', '-f', 'mp4']
}

function rangesFilter(
  track: SourceVideo,
  ranges: readonly PlacedRange[],
  secondsPerTick: number,
  { arrival, crop, size }: Readonly<Record<'arrival' | 'crop' | 'size', readonly string[]>>,
): string {
  const tolerance = Math.floor(frameToleranceSeconds / secondsPerTick)
  const bounds = ranges.map(({ startTick, endTick, firstFrameTick = startTick }) => ({
    from: Math.min(startTick, firstFrameTick) - tolerance,
    to: endTick - tolerance,
  }))
  const zero = ranges[0]?.atTick ?? 0
  // A slide from before its range is shown from the range's start.
  const times = ranges.map(({ startTick, atTick }) => `max(${atTick - zero},PTS-${startTick - atTick + zero})`)
  const chosen = stepExpression(
    'pts',
    bounds.flatMap(({ from, to }) => [from, to]),
    ['0', ...bounds.flatMap(() => ['1', '0'])],
  )
  const starts = bounds.slice(1).map(({ from }) => from)
  return [
    ...arrival,
    `settb=${tickOf(track)}`,
    // Makes ffmpeg stop reading.
    `trim=start_pts=${bounds[0]?.from ?? 0}:end_pts=${bounds.at(-1)?.to ?? 0}`,
    `select='${chosen}'`,
    ...crop,
    `setpts='${stepExpression('PTS', starts, times)}'`,
    ...size,
  ].join(',')
}

/** Decodes the samples of one audio track, counted on the container's clock, as floating-point WAV. */
export function decodingOptions(
  source: SourceAudio,
  { seek, firstSample, endSample }: { readonly seek: number; readonly firstSample: number; readonly endSample: number },
  sound: UnevenSound,
): RunOptions {
  const track = widestTrack(source, sound)
  const range = { seekSample: firstSample, startSample: firstSample, endSample }
  const filters = [
    ...nonFiniteFilters(track),
    ...sampleFilters(track.sampleRate, { ...range, resumeSamples: resumeSamples(sound.resumes, track) }),
    layoutFilter(track),
  ]
  const decoded = soundOptions([{ track, filter: filters.join(',') }], sound)
  return {
    inputOptions: [...seekOptions(seek), ...decoded.inputOptions],
    outputOptions: [
      ...[...decoded.before, ...decoded.maps, ...decoded.filters(0)],
      ...['-c:a', 'pcm_f32le', '-bitexact', '-f', 'wav'],
    ],
  }
}

/** Encodes the joined samples. */
export function audioOptions(plan: JoinPlan, track: SourceAudio, level: readonly string[]): string[] {
  const { format, quality } = plan
  const container = containers[format]
  const filters = joinedFilters(plan, track, level)
  return [
    ...['-map', '0:a:0', ...(filters.length > 0 ? ['-filter:a', filters.join(',')] : [])],
    ...audioEncoder(container.audio, track, 0, quality),
    ...container.muxer,
  ]
}

/** Measures the loudness of the joined samples behind `level`. */
export function joinMeterOptions(plan: JoinPlan, track: SourceAudio, level: readonly string[]): string[] {
  return meterOptions('0:a:0', joinedFilters(plan, track, level))
}

/** Fades an end of the clip if it lies inside the track. */
function joinedFilters(plan: JoinPlan, track: SourceAudio, level: readonly string[]): string[] {
  const { format, fadeSeconds, ranges, clock, lengthTicks } = plan
  const lengthSeconds = lengthTicks * clock.secondsPerTick
  const onMediaClock = (tick = 0) => tick * clock.secondsPerTick - clock.originSeconds
  const window = { start: onMediaClock(ranges[0]?.startTick), end: onMediaClock(ranges.at(-1)?.endTick) }
  return finishingFilters(track, { format, fadeSeconds, lengthSeconds, level, window })
}
