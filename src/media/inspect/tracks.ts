import { ServiceError } from '../../core/errors.ts'
import type { Ffmpeg, FfmpegInput } from '../../core/ffmpeg.ts'
import type { AudioTrack, MediaFormat, VideoTrack } from '../../core/media.ts'
import type { MediaSource } from '../source/media-source.ts'
import { hasUnevenFrames, ratio } from './frame-rate.ts'
import { type PacketSpan, packetSpans } from './packet-spans.ts'
import { type ProbedStream, type ProbeJson, probeJson } from './probe-json.ts'

export interface SourceAudio extends AudioTrack {
  /** Among all streams of the file. */
  readonly streamIndex: number
  /** On the clock where the media starts at 0. */
  readonly endSeconds: number
}

export interface SourceVideo extends VideoTrack {
  readonly streamIndex: number
  /** Seconds of one tick of its timestamps, as `num/den`. */
  readonly timeBase: string
  /** The rate that all its frame times are multiples of, as `num/den`, so far as ffprobe can tell. */
  readonly baseFrameRate: string
  readonly pixelFormat: string | undefined
  readonly endSeconds: number
}

/** What the streams of a file are, in more detail than callers of the service need. */
export interface Tracks {
  readonly input: FfmpegInput
  /** Where the media starts on its container's own clock. */
  readonly originSeconds: number
  readonly durationSeconds: number
  readonly audio: readonly SourceAudio[]
  readonly video: SourceVideo | null
  /** Streams that clips leave out, in words. */
  readonly others: readonly string[]
}

/** So many packets from the start are looked at, to tell a variable frame rate: some seconds of film. */
const sampledPackets = 300

/** Reads what the container says, and counts packets where it says nothing or guesses. */
export async function readTracks(input: FfmpegInput, ffmpeg: Ffmpeg, signal: AbortSignal): Promise<Tracks> {
  const probed = await probe(input, ffmpeg, signal)
  const audio = probed.streams.filter(
    (stream) => stream.codec_type === 'audio' && stream.sample_rate && stream.channels,
  )
  const video = probed.streams.find((stream) => isVideo(stream))
  const kept = video ? [...audio, video] : audio
  if (kept.length === 0) {
    throw new ServiceError('processing_failed', 'The media has neither an audio nor a video track that can be read.')
  }
  const rates = new Map(kept.map(({ index, sample_rate }) => [index, sample_rate ?? 0]))
  const spans = needsCounting(input, probed) ? await packetSpans({ input, ffmpeg, signal }, rates) : undefined
  // Before 0 lies what decoders need and no player plays.
  const originSeconds = Math.max(0, probed.format.start_time ?? 0)
  const ends = new Map(
    kept.map((stream) => [stream.index, toMicrosecond(endOf(stream, probed, spans) - originSeconds)]),
  )
  const durationSeconds = Math.max(...ends.values())
  if (!(durationSeconds > 0)) throw new ServiceError('processing_failed', 'The media holds no audio or video data.')
  const endSeconds = ({ index }: ProbedStream) => ends.get(index) ?? durationSeconds
  const defaultAudio = audio.find((stream) => stream.disposition.default === 1) ?? audio[0]

  return {
    input,
    originSeconds,
    durationSeconds,
    audio: audio.map((stream) => ({
      streamIndex: stream.index,
      codec: stream.codec_name,
      sampleRate: stream.sample_rate ?? 0,
      channels: stream.channels ?? 0,
      isDefault: stream === defaultAudio,
      endSeconds: endSeconds(stream),
    })),
    video: video ? { ...describeVideo(video, probed), endSeconds: endSeconds(video) } : null,
    others: othersOf(probed, kept),
  }
}

async function probe(input: FfmpegInput, ffmpeg: Ffmpeg, signal: AbortSignal): Promise<ProbeJson> {
  const lines: string[] = []
  await ffmpeg.probe({
    input,
    signal,
    deadlineSeconds: 60,
    options: [
      ...['-show_streams', '-show_format', '-show_chapters'],
      ...['-show_entries', 'packet=stream_index,pts_time', '-read_intervals', `%+#${sampledPackets}`, '-of', 'json'],
    ],
    onLine: (line) => lines.push(line),
  })
  return probeJson.parse(JSON.parse(lines.join('\n')))
}

function isVideo({ codec_type, disposition, width, height }: ProbedStream): boolean {
  return codec_type === 'video' && disposition.attached_pic !== 1 && Boolean(width && height)
}

/** The others have no index, or a length in their header that recorders leave out and a cut file does not keep. */
function needsCounting({ format }: FfmpegInput, probed: ProbeJson): boolean {
  if (['aac', 'mp3', 'ogg', 'webm'].includes(format) || probed.format.duration === undefined) return true
  return format === 'wav' && !isAsLongAsItSays(probed)
}

/** Whether the samples that a WAV header promises are in the file, give or take its other chunks. */
function isAsLongAsItSays({ streams: [stream], format: { duration = 0, size = 0 } }: ProbeJson): boolean {
  const { sample_rate = 0, channels = 0, bits_per_sample = 0 } = stream ?? {}
  const promised = (duration * sample_rate * channels * bits_per_sample) / 8
  return Math.abs(size - promised) <= 65_536 + size / 50
}

function endOf(
  stream: ProbedStream,
  { format }: ProbeJson,
  spans: ReadonlyMap<number, PacketSpan> | undefined,
): number {
  const counted = spans?.get(stream.index)?.end
  if (counted !== undefined) return counted
  const start = stream.start_time ?? format.start_time ?? 0
  return stream.duration === undefined ? (format.start_time ?? 0) + (format.duration ?? 0) : start + stream.duration
}

function toMicrosecond(seconds: number): number {
  return Math.round(seconds * 1e6) / 1e6
}

function describeVideo(stream: ProbedStream, probed: ProbeJson): Omit<SourceVideo, 'endSeconds'> {
  const { width = 0, height = 0 } = stream
  const turned = stream.side_data_list.some(({ rotation = 0 }) => Math.abs(Math.round(rotation)) % 180 === 90)
  const frameTimes = probed.packets.flatMap(({ stream_index, pts_time }) =>
    stream_index === stream.index && pts_time !== undefined ? [pts_time] : [],
  )
  const frameRate = ratio(stream.avg_frame_rate)
  return {
    streamIndex: stream.index,
    codec: stream.codec_name,
    width: turned ? height : width,
    height: turned ? width : height,
    frameRate,
    hasVariableFrameRate: hasUnevenFrames(frameTimes, frameRate),
    timeBase: stream.time_base,
    baseFrameRate: stream.r_frame_rate,
    pixelFormat: stream.pix_fmt,
  }
}

function othersOf({ streams, chapters }: ProbeJson, kept: readonly ProbedStream[]): string[] {
  const others = streams.filter((stream) => !kept.includes(stream)).map((stream) => describeOther(stream))
  return chapters.length > 0 ? [...others, `chapters (${chapters.length})`] : others
}

function describeOther({ codec_type, codec_name, disposition }: ProbedStream): string {
  if (codec_type === 'video' && disposition.attached_pic === 1) return `cover art (${codec_name})`
  return codec_name === 'unknown' ? codec_type : `${codec_type} (${codec_name})`
}

/** What was read of sources that are open: one that is fetched stays so from one step of a job to the next. */
const known = new WeakMap<MediaSource, Tracks>()

/** The tracks of a source, read once. */
export async function sourceTracks(
  source: MediaSource,
  format: MediaFormat,
  ffmpeg: Ffmpeg,
  signal: AbortSignal,
): Promise<Tracks> {
  const input = source.input(format)
  const tracks = known.get(source) ?? (await readTracks(input, ffmpeg, signal))
  known.set(source, tracks)
  return { ...tracks, input }
}
