import type { ClipFormat } from '../../core/media.ts'
import type { Segment } from '../../core/segments.ts'
import { frameToleranceSeconds } from '../../core/snap-ranges.ts'
import type { SourceAudio } from '../inspect/tracks.ts'
import { ratio, type SourceVideo } from '../inspect/video-track.ts'
import { maxDriftSeconds } from '../sound/meter.ts'
import { channelFilter, containers, type Quality, stretchEncoder, videoEncoder } from './encoders.ts'
import { type KeptPicture, videoCodecOf } from './picture-filters.ts'
import type { Resumes } from './uneven-sound.ts'

// ffmpeg arguments that cutting and joining share: how video and audio tracks are filtered.

const minTickSeconds = 1e-6

/** Seconds of a tick of the clip's video, as `num/den`: the source's, or 1/90000 if that is finer than encoders take. */
export function tickOf({ timeBase }: SourceVideo): string {
  return ratio(timeBase) >= minTickSeconds ? timeBase : '1/90000'
}

export interface EncodedFrames {
  readonly track: SourceVideo
  readonly format: ClipFormat
  readonly quality: Quality
  readonly kept: KeptPicture
  readonly filter: string
  /** The filter is of several inputs, and its output is mapped. */
  readonly isComplex?: boolean
  /** Keyframes besides those that the encoder chooses and the last frame. */
  readonly keyframeSeconds?: readonly number[]
  /** When the last frame starts and stops being shown, on the output's clock. */
  readonly lastSeconds: number
  readonly endSeconds: number
  /** Makes the frames fit before and after copied packets. */
  readonly fit?: CopiedFit | undefined
}

/** What encoded frames must share with copied packets of the same track. */
export interface CopiedFit {
  readonly codec: 'h264' | 'hevc'
  readonly encoderOptions: readonly string[]
  /** Ticks between decoding and showing a frame. */
  readonly delayTicks: number
  /** Where decoding of the source can start, ascending. */
  readonly accessTicks: ArrayLike<number>
}

/** Encodes the frames that leave the filter, each at its own time. */
export function encodeFramesOptions({
  track,
  format,
  quality,
  kept,
  filter,
  isComplex = false,
  fit,
  ...times
}: EncodedFrames): string[] {
  const last = times.lastSeconds - frameToleranceSeconds
  const keyframes = [...(times.keyframeSeconds ?? []).map((seconds) => seconds - frameToleranceSeconds), last]
  return [
    ...[isComplex ? '-filter_complex' : '-filter:v', filter],
    // The default turns variable frame rates into constant ones, and rounds frame times to those.
    ...['-fps_mode', 'passthrough', '-enc_time_base:v', tickOf(track)],
    ...(fit
      ? [...stretchEncoder(fit.codec, quality), ...fit.encoderOptions]
      : videoEncoder(videoCodecOf(format, track), quality, track.hasVariableFrameRate, kept)),
    // A tag of the source would be copied, and tell that the clip is transparent.
    ...(track.alpha && !kept.alpha ? ['-metadata:s:v', 'alpha_mode='] : []),
    // A keyframe that is shown last is also stored last, so that the duration written for it is its own.
    ...['-force_key_frames', keyframes.map((seconds) => Math.max(0, seconds).toFixed(6)).join(',')],
    ...['-bsf:v', lastFrameDuration(last, times.endSeconds, fit)],
  ]
}

/** Sets the duration of the last frame, which encoders would guess because no frame follows it. No frame lasts beyond the window. */
function lastFrameDuration(lastSeconds: number, endSeconds: number, fit: CopiedFit | undefined): string {
  const dts = fit ? `DTS-STARTDTS+STARTPTS-${fit.delayTicks}` : 'DTS'
  const left = `max(1,round(${endSeconds.toFixed(6)}/TB-PTS))`
  return `setts=pts=PTS:dts=${dts}:duration='if(gte(PTS*TB,${lastSeconds.toFixed(6)}),${left},min(DURATION,${left}))'`
}

export interface SampleRange {
  /** Where decoding starts. All samples here are counted on the container's clock. */
  readonly seekSample: number
  readonly startSample: number
  readonly endSample: number
  /** Where the track resumes after long gaps; at or after the end, if the range ends in one. */
  readonly resumeSamples?: readonly number[]
}

export function resumeSamples(resumes: Resumes, { streamIndex, sampleRate }: SourceAudio): number[] {
  return (resumes.get(streamIndex) ?? []).map((seconds) => Math.round(seconds * sampleRate))
}

/**
 * Counts samples by their timestamps, from this one. Without `min_comp=0`, sound that begins up to a millisecond off is not moved to its
 * place, and by default, sound after lost packets is up to 0.1 s early (libswresample/swresample.c, swr_init and swr_next_pts).
 */
function resampled(sampleRate: number, firstSample: number): string {
  return `aresample=${sampleRate}:async=1:min_comp=0:min_hard_comp=${maxDriftSeconds}:first_pts=${firstSample}`
}

/** Cuts a range out of a track by counting samples: gaps in its timestamps become silence. The output starts at 0. */
export function sampleFilters(sampleRate: number, range: SampleRange): string[] {
  const { seekSample, startSample, endSample, resumeSamples = [] } = range
  if (resumeSamples.length > 0) return longGapFilters(sampleRate, { ...range, resumeSamples })
  return [
    resampled(sampleRate, seekSample),
    `atrim=start_pts=${startSample}:end_pts=${endSample}`,
    `asetpts=PTS-${startSample}`,
  ]
}

/**
 * The same with a branch of filters for the sound before each long gap. It ends where the sound resumes, and `apad` fills it up to
 * there as its samples are asked for.
 */
function longGapFilters(sampleRate: number, range: Required<SampleRange>): string[] {
  const { seekSample, startSample, endSample, resumeSamples } = range
  const starts = [seekSample, ...resumeSamples.filter((sample) => sample > seekSample && sample < endSample)]
  const endsInGap = resumeSamples.some((sample) => sample >= endSample)
  const branches = starts.map((start, index) => {
    const end = starts[index + 1] ?? endSample
    const fill = end < endSample || endsInGap ? `,apad,atrim=end_sample=${end - start}` : ''
    const own = `atrim=${index > 0 ? `start_pts=${start}:` : ''}end_pts=${end}`
    return `[from${index}]${own},${resampled(sampleRate, start)}${fill},asetpts=N[to${index}]`
  })
  const labels = (name: string) => starts.map((_, index) => `[${name}${index}]`).join('')
  const count = starts.length
  return [
    [`asplit=${count}${labels('from')}`, ...branches, `${labels('to')}concat=n=${count}:v=0:a=1`].join(';'),
    `atrim=start_sample=${startSample - seekSample}:end_sample=${endSample - seekSample}`,
    // `concat` counts in microseconds.
    ...[`asettb=1/${sampleRate}`, 'asetpts=N'],
  ]
}

export interface ClipAudio {
  readonly format: ClipFormat
  readonly fadeSeconds: number
  readonly lengthSeconds: number
  /** Filters that set its loudness. */
  readonly level?: readonly string[]
  /** From the first to the last sample of the clip, on the media's clock. */
  readonly window: Segment
}

/** Sets the loudness, fades the clip's ends where they cut into the track, and puts channels into an order that the encoder accepts. */
export function finishingFilters(
  track: SourceAudio,
  { format, fadeSeconds, lengthSeconds, level = [], window }: ClipAudio,
): string[] {
  const fade = Math.min(fadeSeconds, lengthSeconds / 2)
  // Ffmpeg counts microseconds, and reads no exponents. A shorter fade is none.
  const hasFade = fade >= 1e-6
  const channels = channelFilter(containers[format].audio, track)
  return [
    ...level,
    ...(hasFade && window.start > 0 ? [`afade=t=in:st=0:d=${sixPlaces(fade)}`] : []),
    ...(hasFade && window.end < track.endSeconds
      ? [`afade=t=out:st=${sixPlaces(lengthSeconds - fade)}:d=${sixPlaces(fade)}`]
      : []),
    ...(channels ? [channels] : []),
  ]
}

/** Without zeros at its end. */
const sixPlaces = (seconds: number) => String(Number(seconds.toFixed(6)))
