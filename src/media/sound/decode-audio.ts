import { ServiceError } from '../../core/errors.ts'
import type { Ffmpeg, FfmpegInput, FfmpegOutcome } from '../../core/ffmpeg.ts'
import { alignedTo } from '../../core/many-numbers.ts'
import { type AudioTrack, defaultTrackOf, isUndecodableSound, type MediaInfo, whyEmpty } from '../../core/media.ts'
import type { Segment } from '../../core/segments.ts'
import { nonFiniteFilters } from '../inspect/non-finite-samples.ts'
import { prerollSeconds } from '../inspect/packets.ts'
import {
  formatFilters,
  isChangedSound,
  layoutFilter,
  readFormatAt,
  readSoundFormats,
  refuseChangedSound,
  widestOf,
} from '../inspect/tracks.ts'
import { gapFiller, packetReader, timedPcmOptions } from './meter.ts'

/** A track to decode. */
export interface TrackInput {
  readonly input: FfmpegInput
  /** Index among the audio tracks. */
  readonly trackIndex: number
  /** Sample rate and channels of the output. With those of the track itself, the samples stay unchanged. With its codec, samples that are no number count as errors. */
  readonly track: Pick<AudioTrack, 'sampleRate' | 'channels' | 'layout' | 'earlySeconds'> &
    Partial<Pick<AudioTrack, 'codec'>>
  readonly ffmpeg: Ffmpeg
  readonly signal: AbortSignal
}

export interface DecodeInput extends TrackInput {
  /** On the media's clock. */
  readonly startFrame: number
  readonly endFrame: number
  /** The sound changes its channels or its rate, and is brought to those of the track. Otherwise it fails if it does. */
  readonly isChanging?: boolean
  /** Receives interleaved samples from `startFrame` on, in whole frames. The array is valid only during the call. */
  readonly onSamples: (samples: Int16Array) => void
  /** 0 to 1. */
  readonly onProgress?: (fraction: number) => void
}

const bytesPerSample = 2

/** Decoded samples can end before the timestamps do: a decoder drops up to 0.1 s of its first frame, and up to 0.1 s of drift is not filled. */
const countLagSeconds = 0.25

/** A stretch that starts earlier than this is decoded from 0, without a seek. */
const minSeekSeconds = 10

/**
 * Decodes a stretch of one audio track on the media's clock. Gaps in the timestamps become silence, and the stretch is cut
 * out by counting samples. Yields fewer samples if the track ends early, or ends in a gap.
 */
export async function decodeAudio(decode: DecodeInput): Promise<FfmpegOutcome> {
  const { input, trackIndex, track, startFrame, endFrame, isChanging, ffmpeg, signal, onSamples, onProgress } = decode
  const startSeconds = startFrame / track.sampleRate
  // Whole seconds are whole numbers of frames at every rate.
  const seek = startSeconds > minSeekSeconds ? Math.floor(startSeconds - prerollSeconds) : 0
  const seekFrame = seek * track.sampleRate
  const length = endFrame / track.sampleRate - seek
  const lastFrame = endFrame - seekFrame + countLagSeconds * track.sampleRate
  const frameBytes = track.channels * bytesPerSample
  const wanted = { start: (startFrame - seekFrame) * frameBytes, end: (endFrame - seekFrame) * frameBytes }
  const checks = track.codec === undefined ? [] : nonFiniteFilters({ codec: track.codec })
  const format = isChanging ? formatFilters(track) : [`aresample=${track.sampleRate}`, layoutFilter(track)]
  const slice = sliceBytes(wanted, (bytes) => onSamples(samplesOf(bytes)))
  const readPackets = packetReader(frameBytes)
  const fillGaps = gapFiller({ sampleRate: track.sampleRate, frameBytes, lastFrame, onBytes: slice })
  return ffmpeg.run({
    input,
    signal,
    deadlineSeconds: 60 + length,
    inputOptions: [
      ...(isChanging ? [] : refuseChangedSound),
      // ffmpeg counts from where the file begins, also if that is before 0.
      ...(track.earlySeconds ? ['-itsoffset', (-track.earlySeconds).toFixed(6)] : []),
      ...(seek > 0 ? ['-noaccurate_seek', '-ss', String(seek)] : []),
    ],
    outputOptions: [
      ...['-map', `0:a:${trackIndex}`, '-vn', '-sn', '-dn'],
      ...['-af', [...checks, ...format, `atrim=start_pts=0:end_pts=${lastFrame}`].join(',')],
      ...['-c:a', 'pcm_s16le', ...timedPcmOptions],
      // ffmpeg then writes larger chunks than single packets of a few kilobytes: half of the time is spent in this process.
      ...['-flush_packets', '0'],
    ],
    output: (chunk) => fillGaps(readPackets(chunk)),
    keepsNoChunk: true,
    cores: 1,
    ...(onProgress ? { onProgress: (seconds: number) => onProgress(Math.min(seconds / length, 1)) } : {}),
  })
}

/**
 * Decodes a stretch of a track, in seconds, of which the channels or the rate can change. Where they do, `decode` is called again, with
 * the widest layout.
 */
export async function decodeWhole<Result>(
  { input, trackIndex, track, ffmpeg, signal }: TrackInput,
  interval: Segment,
  decode: (sound: Pick<DecodeInput, 'track' | 'isChanging'>) => Promise<Result>,
): Promise<Result> {
  const query = { input, ffmpeg, signal, stream: `a:${trackIndex}`, interval }
  try {
    return await decode({ track: { ...track, ...(await readFormatAt(track, query)) } })
  } catch (error) {
    if (!isChangedSound(error)) throw error
    const widest = widestOf(await readSoundFormats(query))
    if (!widest) throw error
    return decode({ track: { ...track, ...widest }, isChanging: true })
  }
}

/** Passes on the bytes from position `start` to before `end`. */
function sliceBytes({ start, end }: Segment, onBytes: (bytes: Buffer) => void) {
  let position = 0
  return (bytes: Buffer): void => {
    const slice = bytes.subarray(Math.max(0, start - position), Math.max(0, end - position))
    position += bytes.length
    if (slice.length > 0) onBytes(slice)
  }
}

function samplesOf(bytes: Buffer): Int16Array {
  const { buffer, byteOffset } = alignedTo(bytes, bytesPerSample)
  return new Int16Array(buffer, byteOffset, bytes.length / bytesPerSample)
}

/** Counts the cores that this worker's media activities use, so that an activity that can use several takes only idle ones. */
export interface Cores {
  readonly total: number
  /** Runs an activity that uses one core. */
  use<T>(activity: () => Promise<T>): Promise<T>
  /** Runs work on up to `max` idle cores besides the caller's own. They count as used until the work ends. */
  borrow<T>(max: number, work: (borrowed: number) => Promise<T>): Promise<T>
}

export function createCores(total: number): Cores {
  let used = 0
  async function take<T>(count: number, work: () => Promise<T>): Promise<T> {
    used += count
    try {
      return await work()
    } finally {
      used -= count
    }
  }
  return {
    total,
    use: (activity) => take(1, activity),
    borrow: (max, work) => {
      const borrowed = Math.max(0, Math.min(max, total - used))
      return take(borrowed, () => work(borrowed))
    },
  }
}

type TrackChoice = 'default' | number

export interface ChosenTrack extends AudioTrack {
  /** Index among the audio tracks. */
  readonly index: number
}

/** The tracks that an `audio_track` setting selects. Throws `no_audio_track` if there are none. */
export function chooseTracks(info: MediaInfo, choice: 'all' | TrackChoice): ChosenTrack[] {
  if (choice !== 'all') return [chooseTrack(info, choice)]
  if (info.audio.length === 0) throw new ServiceError('no_audio_track')
  return info.audio.flatMap((track, index) => (isLeftOut(track) ? [] : [chooseTrack(info, index)]))
}

/** Whether nothing of it is missed, because another track can be decoded. */
function isLeftOut({ codec, isEmpty }: AudioTrack): boolean {
  return isEmpty === true && isUndecodableSound(codec)
}

/** Selects one track by an `audio_track` setting. Throws `no_audio_track` if the media does not have it. */
export function chooseTrack({ audio, unreadAudioTracks = 0 }: MediaInfo, choice: TrackChoice): ChosenTrack {
  const index = choice === 'default' ? defaultTrackOf({ audio }) : choice
  const track = audio[index]
  if (track?.isEmpty) {
    const reason = isLeftOut(track) ? 'its codec cannot be decoded. Choose another track.' : whyEmpty
    throw new ServiceError('processing_failed', `Audio track ${index} cannot be read: ${reason}`)
  }
  if (track) return { ...track, index }
  if (audio.length === 0) throw new ServiceError('no_audio_track')
  const counted = unreadAudioTracks > 0 ? `Its first ${audio.length} are read` : `It has ${audio.length}`
  const missing =
    unreadAudioTracks > 0 ? `Audio track ${choice} is not read.` : `The media has no audio track ${choice}.`
  throw new ServiceError('no_audio_track', `${missing} ${counted}, counted from 0.`)
}
