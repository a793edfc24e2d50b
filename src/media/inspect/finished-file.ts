import { hasBoxes } from './mp4-boxes.ts'
import { emptySpan, type PacketSpan, packetSpans, withPacket } from './packet-spans.ts'
import { readPackets } from './packets.ts'
import { type ProbeJson, type ProbeQuery, readProbe } from './probe-json.ts'
import { probedTracks, type Tracks } from './tracks.ts'

export interface FinishedFile {
  readonly tracks: Tracks
  /** Reads where the packets of each track begin and end, by stream index. */
  readSpans(signal: AbortSignal): Promise<ReadonlyMap<number, PacketSpan>>
}

/** Audio and video can end this far apart, and the last packets of each are read. */
const tailSeconds = 2

/** Later than any file ends. */
const laterSeconds = 1e6

/**
 * Reads the tracks of a file that this service wrote. The index of MP4 counts the packets, so that for their spans only the first and
 * those from the last keyframe on are read, and other files are read whole. `lengthSeconds` may be off by seconds.
 */
export async function readFinishedFile(query: ProbeQuery, lengthSeconds: number): Promise<FinishedFile> {
  const probed = await readProbe(query)
  const tracks = await probedTracks(query, probed)
  const rates = new Map(tracks.audio.map(({ streamIndex, sampleRate }) => [streamIndex, sampleRate]))
  const first = hasBoxes(query.input.format) ? firstSpans(tracks, probed, rates) : undefined
  return {
    tracks,
    readSpans: async (signal) =>
      first ? withTail(first, { ...query, signal }, lengthSeconds) : packetSpans({ ...query, signal }, rates),
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

/** Reads until where the packets end. A copied film can have its last keyframe an hour before, so that none of them is kept. */
async function withTail(first: ReadonlyMap<number, PacketSpan>, query: ProbeQuery, lengthSeconds: number) {
  const spans = new Map(first)
  const interval = { start: Math.max(0, lengthSeconds - tailSeconds), end: laterSeconds }
  await readPackets({ ...query, interval }, ({ streamIndex, pts, duration }) => {
    const span = spans.get(streamIndex)
    const end = pts + duration
    if (!span || end <= span.storedEnd) return
    spans.set(streamIndex, { ...span, storedEnd: end, end: Math.max(span.end, end) })
  })
  return spans
}
