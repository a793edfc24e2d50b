import { ServiceError } from '../../core/errors.ts'
import type { Ffmpeg, FfmpegInput } from '../../core/ffmpeg.ts'
import type { RecordedStart } from '../../core/media.ts'
import { type Segment, totalDuration } from '../../core/segments.ts'
import { shortened } from '../../core/text.ts'
import { hasBoxes } from './mp4-boxes.ts'
import { chainedOgg, restartedRecording } from './mpeg-frames.ts'
import { type ProbedStream, type ProbeJson, type ProbeQuery, readProbe } from './probe-json.ts'
import { ratio } from './video-track.ts'

/** A packet, in seconds on its container's own clock. */
interface Packet {
  readonly streamIndex: number
  readonly pts: number
  readonly duration: number
  readonly isKeyframe: boolean
  /** Decoders need it, and players do not show it: the container cuts it out. */
  readonly isHidden: boolean
  /** Samples at its start and its end that players skip. */
  readonly skippedSamples: number
  readonly paddingSamples: number
}

export interface PacketQuery {
  readonly input: FfmpegInput
  readonly ffmpeg: Ffmpeg
  readonly signal: AbortSignal
  /** Index of a stream; all streams if omitted. */
  readonly streamIndex?: number
  /** Seconds on the container's clock; packets around it are read too. All packets if omitted. */
  readonly interval?: Segment
  /** Several such intervals, in the order of their starts. */
  readonly intervals?: readonly Segment[]
  /** The read fails after this many packets. */
  readonly maxPackets?: number
  /** What it then throws. */
  readonly tooMany?: () => ServiceError
}

const deadlineSeconds = 600

/** A day of film with its sound has 6 million. Each packet is parsed on the main thread, which all work shares. */
const mostPackets = 8_000_000

/** The most packets that are counted in a file of this size. The packets of a day of speech with pauses have 16 bytes on average; those of pauses alone have one. */
function maxPacketsOf(bytes = Number.POSITIVE_INFINITY): number {
  return Math.min(mostPackets, 1_000_000 + bytes / 16)
}

/** Some packets have no time, such as the first of an Ogg page and damaged ones. Media has other packets too. */
const maxUntimedPackets = 100_000

/** Reads packets in stored order without decoding them. Skips packets without a time. */
export function readPackets(query: PacketQuery, onPacket: (packet: Packet) => void): Promise<void> {
  const { input, ffmpeg, signal, streamIndex, maxPackets = mostPackets, tooMany = tooManyPackets } = query
  const { interval, intervals = interval ? [interval] : [] } = query
  const select = streamIndex === undefined ? [] : ['-select_streams', String(streamIndex)]
  const limits = intervals.length > 0 ? ['-read_intervals', intervals.map(intervalText).join(',')] : []
  const fields = 'packet=stream_index,pts_time,duration_time,flags:packet_side_data=skip_samples,discard_padding'
  let [packets, untimed] = [0, 0]
  return ffmpeg.probe({
    input,
    signal,
    deadlineSeconds,
    options: [...select, ...limits, '-show_entries', fields, '-of', 'compact'],
    onLine: (line) => {
      packets += 1
      const packet = parsePacket(line)
      if (!packet) untimed += 1
      if (packets > maxPackets) throw tooMany()
      if (untimed > maxUntimedPackets) throw tooManyPackets()
      if (packet) onPacket(packet)
    },
  })
}

function tooManyPackets(): ServiceError {
  return new ServiceError(
    'processing_failed',
    'The media has too many packets, or too many without a time. Convert it, or choose a shorter window.',
  )
}

/** One expression for millions of lines: splitting them takes several times as long. */
const packetLine =
  /^packet\|stream_index=(\d+)\|pts_time=([-\d.]+)\|duration_time=([^|]*)\|flags=(K?)_?(D?)(?:.*\bskip_samples=(\d+))?(?:.*\bdiscard_padding=(\d+))?/

function parsePacket(line: string): Packet | undefined {
  const match = packetLine.exec(line)
  const [, streamIndex, time, duration, key, hidden, skipped, padding] = match ?? []
  const pts = Number(time)
  // Also without a match.
  if (Number.isNaN(pts)) return undefined
  return {
    streamIndex: Number(streamIndex),
    pts,
    duration: Number(duration) || 0,
    isKeyframe: key === 'K',
    isHidden: hidden === 'D',
    skippedSamples: Number(skipped) || 0,
    paddingSamples: Number(padding) || 0,
  }
}

function intervalText({ start, end }: Segment): string {
  // Without a seek: a track can start before 0, and a seek to 0 would end at its next keyframe.
  const from = start > reorderSeconds ? (start - reorderSeconds).toFixed(6) : ''
  return `${from}%${(end + reorderSeconds).toFixed(6)}`
}

/** From the first packet of a stream to the last, in seconds on the container's clock. */
export interface PacketSpan {
  readonly packets: number
  /** Includes encoder priming and padding, which players skip. */
  readonly storedStart: number
  readonly storedEnd: number
  /** End of the encoder's priming; 0 without priming. */
  readonly primedUntil: number
  /** The part that players present. */
  readonly start: number
  readonly end: number
}

/** Reads all packets of the query. `sampleRates`, by stream index, converts priming and padding to seconds. */
export async function packetSpans(
  query: PacketQuery,
  sampleRates: ReadonlyMap<number, number>,
): Promise<ReadonlyMap<number, PacketSpan>> {
  const spans = new Map<number, PacketSpan>()
  await readPackets(query, (packet) => {
    const { streamIndex, pts, paddingSamples } = packet
    const rate = sampleRates.get(streamIndex) || Number.POSITIVE_INFINITY
    const span = spans.get(streamIndex) ?? emptySpan
    // What is before 0 is primed: up to 1.4 seconds of Opus (RFC 7845, 4.2).
    if (query.input.format === 'ogg' && Math.max(0, pts) < span.storedEnd - maxOverlapSeconds) throw chainedOgg()
    if (matroska.includes(query.input.format) && hasRestarted(span, pts)) throw restartedRecording()
    // Other containers shorten the last packet's duration by its padding.
    const padding = query.input.format === 'mp3' ? paddingSamples / rate : 0
    spans.set(streamIndex, withPacket(span, packet, rate, padding))
  })
  return spans
}

/** The span with one more packet. */
export function withPacket(
  span: PacketSpan,
  { pts, duration, skippedSamples }: Pick<Packet, 'pts' | 'duration' | 'skippedSamples'>,
  sampleRate: number,
  paddingSeconds = 0,
): PacketSpan {
  const storedStart = Math.min(span.storedStart, pts)
  // The first packet states all priming, which can span several packets.
  const primedUntil = skippedSamples > 0 && span.packets === 0 ? pts + skippedSamples / sampleRate : span.primedUntil
  return {
    packets: span.packets + 1,
    storedStart,
    storedEnd: Math.max(span.storedEnd, pts + duration),
    start: Math.max(storedStart, primedUntil),
    end: Math.max(span.end, pts + duration - paddingSeconds),
    primedUntil,
  }
}

const matroska: readonly FfmpegInput['format'][] = ['mka', 'mkv', 'webm']

/** Damaged recordings repeat some packets. */
const restartSeconds = 2

function hasRestarted({ packets, storedStart, storedEnd }: PacketSpan, pts: number): boolean {
  return packets > 0 && pts <= storedStart + maxOverlapSeconds && pts < storedEnd - restartSeconds
}

/** Times of Ogg are rounded to pages. Where they begin again, the file is a chain. */
const maxOverlapSeconds = 0.5

export const emptySpan: PacketSpan = {
  packets: 0,
  storedStart: Number.POSITIVE_INFINITY,
  storedEnd: 0,
  primedUntil: 0,
  start: Number.POSITIVE_INFINITY,
  end: 0,
}

/**
 * When each stream ends, in seconds on the container's clock by stream index. Packets are counted if the container does not
 * give lengths or guesses them.
 */
export async function streamEnds(
  query: PacketQuery,
  probed: ProbeJson,
  streams: readonly ProbedStream[],
): Promise<ReadonlyMap<number, number>> {
  const sampleRates = new Map(streams.map(({ index, sample_rate }) => [index, sample_rate ?? 0]))
  const counted = { ...query, maxPackets: maxPacketsOf(probed.format.size) }
  const spans = needsCounting(query.input, probed, streams) ? await packetSpans(counted, sampleRates) : undefined
  return new Map(streams.map((stream) => [stream.index, endOf(stream, probed, spans)]))
}

/** Formats without an index, or with a length in the header that recorders can leave out and that is wrong for a truncated file. */
const indexless: readonly FfmpegInput['format'][] = ['aac', 'amr', 'flac', 'mka', 'mkv', 'mp3', 'ogg', 'opus', 'webm']

function needsCounting({ format }: FfmpegInput, probed: ProbeJson, streams: readonly ProbedStream[]): boolean {
  if (indexless.includes(format) || probed.format.duration === undefined) return true
  // The length of fragments is when they end: it includes the time before the first, which live recordings and segments have.
  if (hasBoxes(format)) return streams.some(({ nb_frames }) => nb_frames === undefined) || indexesMore(probed)
  return ['wav', 'aiff'].includes(format) && !holdsItsLength(probed)
}

/** Whether the index of an MP4 or MOV file lists more bytes than the file has, because its end was cut off. */
function indexesMore({ streams, format: { size = Number.POSITIVE_INFINITY } }: ProbeJson): boolean {
  // To count the frames of a film that is refused for their number would take seconds.
  const isTooDense = ({ codec_type, nb_frames = 0, duration = 0 }: ProbedStream) =>
    codec_type === 'video' && nb_frames > maxFramesOf([{ start: 0, end: duration }])
  if (streams.some(isTooDense)) return false
  const indexed = streams.reduce((sum, { bit_rate = 0, duration = 0 }) => sum + (bit_rate * duration) / 8, 0)
  // Tracks can share samples, and some rates are rounded.
  return indexed > size * 1.05
}

/** Whether the file is as large as the length in its WAV or AIFF header needs, give or take its other chunks. */
function holdsItsLength({ streams: [stream], format: { duration = 0, size = 0 } }: ProbeJson): boolean {
  const { sample_rate = 0, channels = 0, bits_per_sample = 0 } = stream ?? {}
  const sampleBytes = (duration * sample_rate * channels * bits_per_sample) / 8
  return Math.abs(size - sampleBytes) <= 65_536 + size / 50
}

function endOf(
  stream: ProbedStream,
  { format }: ProbeJson,
  spans: ReadonlyMap<number, PacketSpan> | undefined,
): number {
  // A track without packets lasts for no time, whatever its header says.
  if (spans) return spans.get(stream.index)?.end ?? format.start_time ?? 0
  const start = stream.start_time ?? format.start_time ?? 0
  return stream.duration === undefined ? (format.start_time ?? 0) + (format.duration ?? 0) : start + stream.duration
}

/** Longer than any timecode. What else is in the tag is only shown. */
const maxTimecodeLength = 40

/** Reads when the recording starts: a timecode, or the samples since midnight of a Broadcast Wave file (EBU Tech 3285). */
export async function readStart(
  query: ProbeQuery,
  probed: ProbeJson,
  { audio, video }: { readonly audio: ProbedStream | undefined; readonly video: ProbedStream | undefined },
): Promise<RecordedStart> {
  const { streams, format } = probed
  const track = streams.find(({ codec_tag_string }) => codec_tag_string === 'tmcd')
  const base = framesPerSecond(track) ?? framesPerSecond(video)
  const written = [track, format, ...streams].find((each) => each?.tags.timecode)?.tags.timecode
  const text = written ?? (track && base && (await countedTimecode(query, track, base)))
  if (text) {
    return { timecode: shortened(text, maxTimecodeLength), ...(base === undefined ? {} : { timecodeBase: base }) }
  }
  const samples = format.tags.time_reference
  return samples && audio?.sample_rate ? { secondsSinceMidnight: samples / audio.sample_rate } : {}
}

/** The frames that timecode counts in a second: 30 for 29.97. */
function framesPerSecond(stream: ProbedStream | undefined): number | undefined {
  return (stream && Math.round(ratio(stream.avg_frame_rate) || ratio(stream.r_frame_rate))) || undefined
}

/**
 * The timecode of a track for which ffprobe writes none. It does so for drop-frame counting at rates that have none, such as the 24
 * frames a second of phones, where no number is dropped. The track has the number of the first frame.
 */
async function countedTimecode(query: ProbeQuery, { index }: ProbedStream, base: number): Promise<string | undefined> {
  const entries = [
    '-select_streams',
    String(index),
    '-show_entries',
    'packet=stream_index,data',
    '-show_data',
    '-read_intervals',
    '%+#1',
  ]
  const { packets } = await readProbe({ ...query, entries: [...entries] })
  // A hex dump: the offset, then the bytes.
  const [, high, low] = /^\s*0+: ([\da-f]{4}) ([\da-f]{4})\s/.exec(packets[0]?.data ?? '') ?? []
  if (!high || !low) return undefined
  const frame = Number.parseInt(high + low, 16)
  const parts = [frame / (base * 3600), (frame / (base * 60)) % 60, (frame / base) % 60, frame % base]
  return parts.map((part) => String(Math.floor(part)).padStart(2, '0')).join(':')
}

// How far around a window media is read, and how exactly its frames are told apart: every reader must agree on these.

/** Decoders need what comes before: the last keyframe, the overlap of audio blocks. */
export const prerollSeconds = 1

/** Frames are stored out of order, so packets are read this far around an interval. */
export const reorderSeconds = 1

/** Cameras record up to a thousand frames a second at their full speed. A clip is billed by its length, and made by its frames. */
const maxFrameRate = 1000

/** The most frames that ranges may show. Within a second, any times of frames are accepted. */
export function maxFramesOf(ranges: readonly Segment[]): number {
  const seconds = totalDuration(ranges)
  return Math.floor(maxFrameRate * Math.max(1, seconds))
}

/** Throws `ExceededLimit` if the ranges show too many frames for their length. */
export function assertFrameRate(frames: number, ranges: readonly Segment[]): void {
  if (frames > maxFramesOf(ranges)) throw tooDense()
}

/**
 * Returns a function that takes the time of each frame that is read until `endSeconds`, on the container's clock. It throws
 * `ExceededLimit` as soon as there are too many for the time from the first to the end, so that media of millions of frames is not read first.
 */
export function createFrameCounter(endSeconds: number): (seconds: number) => void {
  let [frames, max] = [0, 0]
  return (seconds) => {
    // A second more, because frames are stored out of order.
    if (frames === 0) max = maxFrameRate * (1 + Math.max(0, endSeconds - Math.max(0, seconds)))
    frames += 1
    if (frames > max) throw tooDense()
  }
}

function tooDense(): ExceededLimit {
  return new ExceededLimit(`The media has more than ${maxFrameRate} frames a second. Convert it to fewer.`)
}

/** Thrown when media would take more work than a job may do, however its clips are made. */
export class ExceededLimit extends ServiceError {
  constructor(message: string) {
    super('processing_failed', message)
  }
}
