import { ServiceError } from '../../core/errors.ts'
import type { Ffmpeg, FfmpegInput } from '../../core/ffmpeg.ts'
import {
  type AudioTrack,
  isUndecodableSound,
  type MediaFormat,
  type RecordedStart,
  whyEmpty,
} from '../../core/media.ts'
import type { Segment } from '../../core/segments.ts'
import type { MediaSource } from '../source/media-source.ts'
import { hasBoxes } from './mp4-boxes.ts'
import { type PacketQuery, readStart, reorderSeconds, streamEnds } from './packets.ts'
import { readPictureDetails } from './picture-details.ts'
import { type ProbedStream, type ProbeJson, type ProbeQuery, readProbe } from './probe-json.ts'
import { assertPictureSize, describeVideo, isVideo, type SourceVideo } from './video-track.ts'

export interface SourceAudio extends AudioTrack {
  /** Index among all streams of the file. */
  readonly streamIndex: number
  /** Seconds of one tick of its timestamps, as `num/den`. */
  readonly timeBase: string
  /** ffmpeg's name for its decoded samples, such as `s16` or `fltp`. */
  readonly sampleFormat?: string | undefined
  /** On the clock where the media starts at 0. */
  readonly endSeconds: number
}

/** The streams of a file, in more detail than callers of the service need. */
export interface Tracks {
  readonly input: FfmpegInput
  /** Where the media starts on its container's own clock. */
  readonly originSeconds: number
  readonly durationSeconds: number
  readonly audio: readonly SourceAudio[]
  /** The number of further audio tracks, which are not read. */
  readonly unreadAudioTracks: number
  readonly start: RecordedStart
  readonly video: SourceVideo | null
  readonly chapters: number
  /** Descriptions of the streams that clips leave out. */
  readonly others: readonly string[]
  /** And of cover art and attachments, which nobody misses in a clip. */
  readonly attachments: readonly string[]
}

/** Tracks of open sources. A fetched source stays open from one step of a job to the next. */
const tracksOfSource = new WeakMap<MediaSource, Tracks>()

/** Reads the tracks of an open source once, unless calls are simultaneous. */
export async function sourceTracks(
  source: MediaSource,
  format: MediaFormat,
  ffmpeg: Ffmpeg,
  signal: AbortSignal,
): Promise<Tracks> {
  const input = source.input(format)
  const tracks = tracksOfSource.get(source) ?? (await readTracks(input, ffmpeg, signal))
  tracksOfSource.set(source, tracks)
  return { ...tracks, input }
}

/** Throws `processing_failed` if the file has no track that can be read, or an empty one. */
export async function readTracks(input: FfmpegInput, ffmpeg: Ffmpeg, signal: AbortSignal): Promise<Tracks> {
  return probedTracks({ input, ffmpeg, signal }, await readProbe({ input, ffmpeg, signal }))
}

/** The tracks of a file that ffprobe has read. Throws as `readTracks`. */
export async function probedTracks({ input, ffmpeg, signal }: ProbeQuery, probed: ProbeJson): Promise<Tracks> {
  const allAudio = probed.streams.filter(
    (stream) => stream.codec_type === 'audio' && stream.sample_rate && stream.channels,
  )
  const audio = allAudio.slice(0, maxAudioTracks)
  // As players, the default one before others.
  const videos = probed.streams
    .filter((stream) => isVideo(stream))
    .toSorted((a, b) => Number(b.disposition.default === 1) - Number(a.disposition.default === 1))
    .slice(0, maxVideoTracks)
  const stated = [...audio, ...videos]
  if (stated.length === 0) {
    throw new ServiceError('processing_failed', 'The media has no readable audio or video track.')
  }
  const empty = await emptyStreams({ input, ffmpeg, signal }, probed, stated)
  if (empty.size === stated.length) throw new ServiceError('processing_failed', `The media cannot be read: ${whyEmpty}`)
  const video = videos.find((stream) => !empty.has(stream))
  const undecodable = undecodableBeside(audio.filter((stream) => !empty.has(stream)))
  const decodable = audio.filter((stream) => !undecodable.has(stream))
  const used = video ? [...decodable, video] : decodable
  assertReadable(probed, used)
  if (video) assertPictureSize(video, ffmpeg.maxPixels)
  for (const stream of audio) assertSoundSize(stream)
  // Packets before 0 are for decoders only; no player plays them.
  const { start_time: startSeconds = 0 } = probed.format
  const originSeconds = Math.max(0, startSeconds)
  const ends = new Map<number, number>()
  for (const [index, end] of await streamEnds({ input, ffmpeg, signal }, probed, used)) {
    ends.set(index, toMicrosecond(end - originSeconds))
  }
  const durationSeconds = Math.max(...ends.values())
  if (!(durationSeconds > 0)) throw new ServiceError('processing_failed', 'The media contains no audio or video data.')
  const endSeconds = (stream: ProbedStream) =>
    undecodable.has(stream) ? 0 : (ends.get(stream.index) ?? durationSeconds)
  const defaultAudio = decodable.find((stream) => stream.disposition.default === 1) ?? decodable[0]

  return {
    input,
    originSeconds,
    durationSeconds,
    audio: audio.map((stream) => ({
      streamIndex: stream.index,
      codec: stream.codec_name,
      sampleRate: stream.sample_rate ?? 0,
      channels: stream.channels ?? 0,
      layout: layoutOf(stream.channel_layout),
      timeBase: stream.time_base,
      sampleFormat: stream.sample_fmt,
      isDefault: stream === defaultAudio,
      endSeconds: endSeconds(stream),
      ...(startSeconds < 0 ? { earlySeconds: -startSeconds } : {}),
      ...(empty.has(stream) || undecodable.has(stream) ? { isEmpty: true } : {}),
    })),
    unreadAudioTracks: allAudio.length - audio.length,
    start: await readStart({ input, ffmpeg, signal }, probed, { audio: audio[0], video }),
    video: video
      ? {
          ...describeVideo(video, probed, await readPictureDetails({ input, ffmpeg, signal }, probed, video)),
          startSeconds: toMicrosecond(Math.max(0, (video.start_time ?? 0) - originSeconds)) || undefined,
          trackIndex: probed.streams.filter(({ codec_type }) => codec_type === 'video').indexOf(video) || undefined,
          endSeconds: endSeconds(video),
        }
      : null,
    chapters: probed.chapters.length,
    ...describeOthers(probed, [...undecodable, ...used]),
  }
}

/** The tracks that cannot be decoded, if another one can: that one is heard alone. Otherwise their codec is what the media lacks. */
function undecodableBeside(audio: readonly ProbedStream[]): ReadonlySet<ProbedStream> {
  const undecodable = audio.filter(({ codec_name }) => isUndecodableSound(codec_name))
  return new Set(undecodable.length < audio.length ? undecodable : [])
}

/**
 * The streams without a packet that can be read: their data is in another file, was never written, or is lost. Streams with a packet
 * among those that were probed are not asked about.
 */
async function emptyStreams(
  query: ProbeQuery,
  { packets }: ProbeJson,
  streams: readonly ProbedStream[],
): Promise<ReadonlySet<ProbedStream>> {
  const seen = new Set(packets.map(({ stream_index: index }) => index))
  const empty = new Set<ProbedStream>()
  for (const stream of streams) if (!seen.has(stream.index) && !(await hasPacket(query, stream))) empty.add(stream)
  return empty
}

async function hasPacket({ input, ffmpeg, signal }: ProbeQuery, { index }: ProbedStream): Promise<boolean> {
  let isFound = false
  await ffmpeg.probe({
    ...{ input, signal, deadlineSeconds: 60 },
    options: [
      ...['-select_streams', String(index), '-read_intervals', '%+#1'],
      ...['-show_entries', 'packet=stream_index', '-of', 'compact'],
    ],
    onLine: (line) => {
      isFound ||= line.startsWith('packet')
    },
  })
  return isFound
}

/** Throws `processing_failed` for encrypted media: its packets and times can be read, but no sound and no picture. */
function assertReadable({ packets }: ProbeJson, used: readonly ProbedStream[]): void {
  const isEncrypted = ({ index }: ProbedStream) =>
    packets.some(
      ({ stream_index, side_data_list }) =>
        stream_index === index && side_data_list.some(({ side_data_type }) => side_data_type === 'Encryption info'),
    )
  if (!used.some(isEncrypted)) return
  throw new ServiceError(
    'processing_failed',
    'The media is encrypted, and its key is not in the file. Decrypt it first.',
  )
}

/** Ambisonics of the seventh order has 64 channels, and DSD at eight times its rate is recorded as PCM at 768 kHz. */
const maxChannels = 64
const maxSampleRate = 768_000

/** Memory and time of every step on sound grow with both. Damaged headers state thousands of channels. */
function assertSoundSize({ channels = 0, sample_rate: sampleRate = 0 }: ProbedStream): void {
  if (channels <= maxChannels && sampleRate <= maxSampleRate) return
  throw new ServiceError(
    'media_too_large',
    `The sound has ${channels} channels at ${sampleRate} Hz, and at most ${maxChannels} channels at ${maxSampleRate} Hz are accepted. Convert the media to fewer.`,
  )
}

function toMicrosecond(seconds: number): number {
  return Math.round(seconds * 1e6) / 1e6
}

// Broadcasts, joined files and some encoders change the channels or the rate of a track as it plays.

/** How the channels of a track are decoded. */
export type SoundFormat = Pick<AudioTrack, 'channels' | 'layout'>

/** ffprobe's name for a layout. Undefined for one that the file does not state, and for a text that is no name. */
function layoutOf(name: string | undefined): string | undefined {
  return name !== undefined && name !== 'unknown' && /^[\w.+()-]+$/.test(name) ? name : undefined
}

/**
 * Input options with which ffmpeg fails where decoded sound changes its format. By default it builds the filters again, which then
 * forget what they have filled and cut.
 */
export const refuseChangedSound: readonly string[] = ['-reinit_filter:a', '0']

/** Filters that bring sound to one format, however often it changes. */
export function formatFilters({
  sampleRate,
  channels,
  layout,
}: Pick<AudioTrack, 'sampleRate'> & SoundFormat): string[] {
  return [
    `aresample=${sampleRate}`,
    // Conversions of samples that are no floating point make the sound quieter, and those of mono to stereo too.
    'aformat=sample_fmts=flt',
    channels === 2 ? 'pan=stereo|FL=FL+FC|FR=FR+FC' : layoutFilter({ channels, layout }),
  ]
}

/** Keeps the channels as they are, and brings others into their layout. */
export function layoutFilter({ channels, layout = `${channels}C` }: SoundFormat): string {
  return `aformat=channel_layouts=${layout}`
}

interface FormatQuery extends Pick<PacketQuery, 'input' | 'ffmpeg' | 'signal'> {
  /** For ffprobe: an index among all streams, or `a:` and one among the audio tracks. */
  readonly stream: string
  /** Seconds on the container's clock. */
  readonly interval: Segment
}

/** The formats of a stretch of a track, in the order of time. Decodes it. */
export async function readSoundFormats({ stream, interval, ...query }: FormatQuery): Promise<SoundFormat[]> {
  const formats = new Map<string, SoundFormat>()
  const from = Math.max(0, interval.start - reorderSeconds).toFixed(6)
  const seconds = interval.end - interval.start
  await query.ffmpeg.probe({
    ...query,
    deadlineSeconds: 60 + seconds,
    cpuSeconds: 60 + seconds,
    options: [
      ...['-select_streams', stream, '-read_intervals', `${from}%${(interval.end + reorderSeconds).toFixed(6)}`],
      ...['-show_entries', 'frame=channels,channel_layout', '-of', 'csv=p=0'],
    ],
    onLine: (line) => {
      const [count, name] = line.split(',')
      const channels = Number(count)
      if (channels > 0) formats.set(line, { channels, layout: layoutOf(name) })
    },
  })
  return [...formats.values()]
}

/** The codecs of which each packet states its channels and its rate. Other codecs state them once for the track, as MP4 does for AAC. */
const selfDescribing = /^(aac|ac3|eac3|mp2|mp3|dts|truehd|mlp)$/

/** Whether the sound of a track can change its channels or its rate. */
export function canChange({ codec = '' }: Partial<Pick<AudioTrack, 'codec'>>, { format }: FfmpegInput): boolean {
  return selfDescribing.test(codec) && !(codec === 'aac' && hasBoxes(format))
}

/** How a track is decoded around a moment. Undefined if that is as at its start, or if nothing of it is there. */
export async function readFormatAt(
  track: SoundFormat & Partial<Pick<AudioTrack, 'codec'>>,
  { interval: { start }, ...query }: FormatQuery,
): Promise<SoundFormat | undefined> {
  if (start <= 0 || !canChange(track, query.input)) return undefined
  const widest = widestOf(await readSoundFormats({ ...query, interval: { start, end: start } }))
  return widest?.channels === track.channels ? undefined : widest
}

/** Whether ffmpeg failed because of `refuseChangedSound`. */
export function isChangedSound(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : undefined
  return cause instanceof Error && cause.message.includes('Changing audio frame properties on the fly')
}

/** The format with the most channels. */
export function widestOf([first, ...others]: readonly SoundFormat[]): SoundFormat | undefined {
  return first && others.reduce((widest, format) => (format.channels > widest.channels ? format : widest), first)
}

/**
 * The limit exists because a job reads each track separately, but its price depends only on the length of its media. Recordings
 * can have a track for each speaker.
 */
const maxAudioTracks = 8
/** Of which one is read. */
const maxVideoTracks = 8

/** Containers allow thousands of streams. */
const maxDescribedStreams = 20

/** Descriptions of the streams that are not used. Those with the titles of chapters and with timecode are known as such. */
function describeOthers({ streams }: ProbeJson, used: readonly ProbedStream[]): Pick<Tracks, 'others' | 'attachments'> {
  const audio = streams.filter(({ codec_type }) => codec_type === 'audio')
  const unused = streams.filter((stream) => !used.includes(stream) && !isMark(stream))
  const describe = (described: readonly ProbedStream[]) => {
    const named = described.slice(0, maxDescribedStreams).map((stream) => describeOther(stream, audio.indexOf(stream)))
    const left = described.length - named.length
    return [...named, ...(left > 0 ? [`${left} more streams`] : [])]
  }
  return {
    others: describe(unused.filter((stream) => !isAttachment(stream))),
    attachments: describe(unused.filter(isAttachment)),
  }
}

function isCover({ codec_type, disposition }: ProbedStream): boolean {
  return codec_type === 'video' && disposition.attached_pic === 1
}

function isAttachment(stream: ProbedStream): boolean {
  return isCover(stream) || stream.codec_type === 'attachment'
}

function isMark({ codec_type, codec_name, codec_tag_string }: ProbedStream): boolean {
  return (
    codec_type === 'data' && (codec_tag_string === 'tmcd' || (codec_tag_string === 'text' && codec_name === 'bin_data'))
  )
}

function describeOther(stream: ProbedStream, audioIndex: number): string {
  const { codec_type, codec_name } = stream
  if (isCover(stream)) return `cover art (${codec_name})`
  if (audioIndex >= maxAudioTracks) return `audio track ${audioIndex} (${codec_name})`
  return codec_name === 'unknown' ? codec_type : `${codec_type} (${codec_name})`
}
