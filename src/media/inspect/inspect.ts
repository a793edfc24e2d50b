import { runBothOrAbort } from '../../core/abortable.ts'
import type { Ffmpeg } from '../../core/ffmpeg.ts'
import type { MediaFormat, MediaInfo } from '../../core/media.ts'
import type { MediaSource } from '../source/media-source.ts'
import { assertCompleteBoxes, assertReadableTracks, hasBoxes, isFragmented } from './mp4-boxes.ts'
import { assertOneLink, assertOneRate } from './mpeg-frames.ts'
import { emptySpan, type PacketSpan, packetSpans, readPackets, withPacket } from './packets.ts'
import { type ProbeJson, type ProbeQuery, readProbe } from './probe-json.ts'
import { sniffFormat } from './sniff.ts'
import { probedTracks, sourceTracks, type Tracks } from './tracks.ts'

/** Reads format, length and tracks. Throws `unsupported_file_type` for other content, `processing_failed` for damaged media. */
export async function inspectMedia(source: MediaSource, ffmpeg: Ffmpeg, signal: AbortSignal): Promise<MediaInfo> {
  const format = await sniffFormat(source, signal)
  if (hasBoxes(format)) {
    await assertCompleteBoxes(source, signal)
    await assertReadableTracks(source, signal)
  }
  if (format === 'ogg') await assertOneLink(source, signal)
  if (format === 'aac') await assertOneRate(source, signal)
  const tracks = await sourceTracks(source, format, ffmpeg, signal)
  const { audio, unreadAudioTracks, start, video, durationSeconds } = tracks
  return {
    format: video ? format : soundFormat(format),
    durationSeconds,
    bytes: source.bytes,
    audio: audio.map(({ codec, sampleRate, channels, layout, isDefault, endSeconds, earlySeconds, isEmpty }) => ({
      ...{ codec, sampleRate, channels, isDefault, endSeconds },
      ...(layout !== undefined && { layout }),
      ...(earlySeconds !== undefined && { earlySeconds }),
      ...(isEmpty && { isEmpty }),
    })),
    ...(unreadAudioTracks > 0 ? { unreadAudioTracks } : {}),
    ...start,
    video: video && {
      codec: video.codec,
      width: video.width,
      height: video.height,
      frameRate: video.frameRate,
      hasVariableFrameRate: video.hasVariableFrameRate,
      nominalFrameRate: video.nominalFrameRate,
      ...(video.pixelAspect && { pixelAspect: video.pixelAspect }),
      ...(video.firstField && { firstField: video.firstField }),
      ...(video.startSeconds && { startSeconds: video.startSeconds }),
      ...(video.trackIndex && { trackIndex: video.trackIndex }),
    },
  }
}

/** The format of a file that has only sound: most writers of M4A use the brand of MP4, and MKA differs from MKV only by its name. */
function soundFormat(format: MediaFormat): MediaFormat {
  if (format === 'mp4') return 'm4a'
  return format === 'mkv' ? 'mka' : format
}

/**
 * Whether the media can be inspected from a few ranges, because it has a single index. Other media needs all its packets
 * counted, or has an index in each of many fragments.
 */
export async function isStreamable(source: MediaSource, signal: AbortSignal): Promise<boolean> {
  const format = await sniffFormat(source, signal)
  return ['wav', 'aiff'].includes(format) || (hasBoxes(format) && !(await isFragmented(source, signal)))
}

interface FinishedFile {
  readonly tracks: Tracks
  /** Reads where the packets of each track begin and end, by stream index. */
  readSpans(signal: AbortSignal): Promise<ReadonlyMap<number, PacketSpan>>
}

/** Audio and video can end this far apart, and the last packets of each are read. */
const tailSeconds = 2

/** Later than any file ends. */
const laterSeconds = 1e6

/**
 * Reads the tracks of a file that this service wrote. The index of MP4 counts the packets, so that for their spans only the first ones
 * and, simultaneously, those from the last keyframe on are read. Other files are read whole. `lengthSeconds` may be off by seconds.
 */
export async function readFinishedFile(query: ProbeQuery, lengthSeconds: number): Promise<FinishedFile> {
  const isIndexed = hasBoxes(query.input.format)
  const [probed, ends] = await runBothOrAbort(
    query.signal,
    (signal) => readProbe({ ...query, signal }),
    async (signal) => (isIndexed ? lastEnds({ ...query, signal }, lengthSeconds) : undefined),
  )
  const tracks = await probedTracks(query, probed)
  const rates = new Map(tracks.audio.map(({ streamIndex, sampleRate }) => [streamIndex, sampleRate]))
  const first = ends && firstSpans(tracks, probed, rates)
  return {
    tracks,
    readSpans: async (signal) => (first ? untilEnds(first, ends) : packetSpans({ ...query, signal }, rates)),
  }
}

/** The spans of the first packets. Undefined if the index does not count all packets, or a track has none among the first. */
function firstSpans({ audio, video }: Tracks, probed: ProbeJson, rates: ReadonlyMap<number, number>) {
  const spans = new Map<number, PacketSpan>()
  for (const { streamIndex } of video ? [...audio, video] : audio) {
    const stream = probed.streams.find(({ index }) => index === streamIndex)
    const packets = probed.packets.filter((packet) => packet.stream_index === streamIndex)
    const span = packets.reduce((most, { pts_time: pts, duration_time: duration = 0, side_data_list }) => {
      const skippedSamples = side_data_list.find(({ skip_samples }) => skip_samples !== undefined)?.skip_samples ?? 0
      return pts === undefined ? most : withPacket(most, { pts, duration, skippedSamples }, rates.get(streamIndex) ?? 1)
    }, emptySpan)
    const isFromStart = span.storedStart <= (stream?.start_time ?? Number.NEGATIVE_INFINITY)
    if (stream?.nb_frames === undefined || !isFromStart) return undefined
    spans.set(streamIndex, { ...span, packets: stream.nb_frames })
  }
  return spans
}

/** Where the last packets end, by stream index. A copied film can have its last keyframe an hour before, so that none of them is kept. */
async function lastEnds(query: ProbeQuery, lengthSeconds: number): Promise<ReadonlyMap<number, number>> {
  const ends = new Map<number, number>()
  const interval = { start: Math.max(0, lengthSeconds - tailSeconds), end: laterSeconds }
  await readPackets({ ...query, interval }, ({ streamIndex, pts, duration }) => {
    ends.set(streamIndex, Math.max(ends.get(streamIndex) ?? Number.NEGATIVE_INFINITY, pts + duration))
  })
  return ends
}

function untilEnds(first: ReadonlyMap<number, PacketSpan>, ends: ReadonlyMap<number, number>) {
  const spans = [...first].map(([streamIndex, span]): [number, PacketSpan] => {
    const end = ends.get(streamIndex) ?? Number.NEGATIVE_INFINITY
    return [streamIndex, end > span.storedEnd ? { ...span, storedEnd: end, end: Math.max(span.end, end) } : span]
  })
  return new Map(spans)
}
