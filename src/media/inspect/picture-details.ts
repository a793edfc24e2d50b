import { medianOf } from '../../core/many-numbers.ts'
import type { FirstField } from '../../core/media.ts'
import { type ProbedStream, type ProbeJson, type ProbeQuery, readProbe } from './probe-json.ts'

/** What is only in the data of a picture, and not in what its container says of it. */
export interface PictureDetails {
  readonly alpha?: Alpha
  /** As most encoders write it; ffprobe knows better if it can read the picture. */
  readonly pixelFormat?: string
  readonly firstField?: FirstField | undefined
  /** From one frame to the next, if each of their fields is in a packet of its own. */
  readonly fieldPairSeconds?: number | undefined
  readonly hasHdr10Plus?: boolean
}

/** How the colours of a picture are stored where it is half transparent: as they are, or as they look on black. */
export type Alpha = 'straight' | 'premultiplied'

export async function readPictureDetails(
  query: ProbeQuery,
  probed: ProbeJson,
  stream: ProbedStream,
): Promise<PictureDetails> {
  return {
    ...(await readAlphaLayer(query, stream)),
    ...(await readFields(query, probed, stream)),
    hasHdr10Plus: await readHdr10Plus(query, stream),
  }
}

/** The head of the message that describes an alpha layer: of a NAL unit, and of "alpha channel information" (ITU-T H.265, F.14.2). */
const alphaMessage = Buffer.from([0x4e, 0x01, 0xa5])

/**
 * Transparency in a second layer of H.265, as Apple's encoders write it. ffprobe shows the layer as a second view that is the same as the first,
 * or cannot read the parameter sets beside it, as Apple writes them, so that it shows no pixel format. ffmpeg 9 decodes both.
 */
async function readAlphaLayer(query: ProbeQuery, stream: ProbedStream): Promise<PictureDetails> {
  const { index, codec_name, pix_fmt, view_ids_available } = stream
  if (codec_name !== 'hevc' || (pix_fmt !== undefined && view_ids_available !== '0,0')) return {}
  const entries = ['-select_streams', String(index), '-show_data', '-data_dump_format', 'base64']
  const { streams } = await readProbe({ ...query, entries })
  const configuration = Buffer.from(streams[0]?.extradata ?? '', 'base64')
  const at = configuration.indexOf(alphaMessage)
  if (at < 0 && pix_fmt === undefined) return {}
  const [use = 0] = at < 0 ? [] : configuration.subarray(at + alphaMessage.length + 1)
  const isDeep = ((configuration[17] ?? 0) & 7) > 0
  return {
    alpha: ((use >> 4) & 7) === 1 ? 'premultiplied' : 'straight',
    pixelFormat: isDeep ? 'yuva420p10le' : 'yuva420p',
  }
}

/** Of the first frame: HDR10+ describes each scene beside its picture (SMPTE ST 2094-40). ffprobe reads it of H.265. */
async function readHdr10Plus(query: ProbeQuery, { index, codec_name, color_transfer }: ProbedStream): Promise<boolean> {
  if (codec_name !== 'hevc' || color_transfer !== 'smpte2084') return false
  const { frames } = await readProbe({
    ...query,
    entries: [
      ...['-select_streams', String(index), '-read_intervals', '%+#1', '-threads', '1'],
      ...['-show_entries', 'frame=pts_time:frame_side_data=side_data_type'],
    ],
  })
  return frames.some((frame) =>
    frame.side_data_list.some(({ side_data_type = '' }) => side_data_type.includes('HDR10+')),
  )
}

/** Enough for some frames, each of two fields. */
const packetsOfFirstFrames = 16
/** If each field has a packet, there are fewer frames than this part of the packets, and packets follow each other in less than this part of a frame. */
const mostOfPair = 0.75

/**
 * The fields of the first frames. Containers say which field comes first in two ways, of which programs take one for the other. H.264 can have
 * each field in a packet, as in copied broadcasts, and containers then count twice as many frames.
 */
async function readFields(query: ProbeQuery, { packets }: ProbeJson, stream: ProbedStream): Promise<PictureDetails> {
  const { index, codec_name, field_order = 'unknown' } = stream
  const isPossible = field_order !== 'unknown' || codec_name === 'h264'
  if (!isPossible || field_order === 'progressive') return {}
  const { frames } = await readProbe({
    ...query,
    entries: [
      ...['-select_streams', String(index), '-read_intervals', `%+#${packetsOfFirstFrames}`, '-threads', '1'],
      ...['-show_entries', 'frame=pts_time,interlaced_frame,top_field_first'],
    ],
  })
  const withFields = frames.find(({ interlaced_frame }) => interlaced_frame === 1)
  if (!withFields) return {}
  const read = packets.filter(({ stream_index }) => stream_index === index).slice(0, packetsOfFirstFrames)
  const [frameSeconds, packetSeconds] = [medianStep(frames), medianStep(read)]
  const isPaired = frames.length < mostOfPair * read.length && packetSeconds < mostOfPair * frameSeconds
  return {
    firstField: withFields.top_field_first === 1 ? 'upper' : 'lower',
    fieldPairSeconds: codec_name === 'h264' && isPaired ? frameSeconds : undefined,
  }
}

function medianStep(timed: readonly { readonly pts_time?: number | undefined }[]): number {
  const times = timed.flatMap(({ pts_time }) => pts_time ?? []).toSorted((a, b) => a - b)
  return medianOf(stepsBetween(times)) ?? 0
}

/** From each time to the next. */
export function stepsBetween(times: readonly number[]): number[] {
  return times.slice(1).map((time, index) => time - (times[index] ?? time))
}

/** The times, ascending, at which frames begin: all that are not of the second field of a pair. */
export function frameTimesOf(times: Float64Array, fieldPairSeconds: number | undefined): Float64Array {
  if (fieldPairSeconds === undefined) return times
  let last = Number.NEGATIVE_INFINITY
  return times.filter((time) => {
    const isFirst = time - last >= mostOfPair * fieldPairSeconds
    if (isFirst) last = time
    return isFirst
  })
}
