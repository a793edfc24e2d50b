import type { FfmpegInput } from '../../core/ffmpeg.ts'
import { maxFramesOf } from './frame-density.ts'
import { hasBoxes } from './mp4-boxes.ts'
import { type PacketSpan, packetSpans } from './packet-spans.ts'
import { maxPacketsOf, type PacketQuery } from './packets.ts'
import type { ProbedStream, ProbeJson } from './probe-json.ts'

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
