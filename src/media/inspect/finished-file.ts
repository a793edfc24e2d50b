import { hasBoxes } from './mp4-boxes.ts'
import { emptySpan, type PacketSpan, packetSpans, withPacket } from './packet-spans.ts'
import { type ProbeJson, type ProbeQuery, readProbe } from './probe-json.ts'
import { probedTracks, type Tracks } from './tracks.ts'

export interface FinishedFile {
  readonly tracks: Tracks
  /** By stream index. */
  readonly spans: ReadonlyMap<number, PacketSpan>
}

/** Audio and video can end this far apart, and the last packets of each are read. */
const tailSeconds = 2

/**
 * Reads the tracks of a file that this service wrote, and where their packets begin and end. The index of MP4 counts the packets, so
 * that only the first and the last are read, and other files are read whole. `lengthSeconds` may be off by seconds.
 */
export async function readFinishedFile(query: ProbeQuery, lengthSeconds: number): Promise<FinishedFile> {
  const tail = hasBoxes(query.input.format) ? { tailSeconds: Math.max(0, lengthSeconds - tailSeconds) } : {}
  const probed = await readProbe({ ...query, ...tail })
  const tracks = await probedTracks(query, probed)
  const rates = new Map(tracks.audio.map(({ streamIndex, sampleRate }) => [streamIndex, sampleRate]))
  const spans = hasBoxes(query.input.format) ? indexedSpans(tracks, probed, rates) : undefined
  return { tracks, spans: spans ?? (await packetSpans(query, rates)) }
}

/** Undefined if the index does not count the packets, or a track has none among the first. */
function indexedSpans({ audio, video }: Tracks, probed: ProbeJson, rates: ReadonlyMap<number, number>) {
  const spans = new Map<number, PacketSpan>()
  for (const { streamIndex } of video ? [...audio, video] : audio) {
    const stream = probed.streams.find(({ index }) => index === streamIndex)
    const packets = probed.packets.filter((packet) => packet.stream_index === streamIndex)
    const startSeconds = Math.min(...packets.map(({ pts_time = Number.POSITIVE_INFINITY }) => pts_time))
    const span = packets.reduce((most, { pts_time: pts, duration_time: duration = 0, side_data_list }) => {
      const skippedSamples = side_data_list.find(({ skip_samples }) => skip_samples !== undefined)?.skip_samples ?? 0
      return pts === undefined ? most : withPacket(most, { pts, duration, skippedSamples }, rates.get(streamIndex) ?? 1)
    }, emptySpan)
    const isFromStart = startSeconds <= (stream?.start_time ?? Number.NEGATIVE_INFINITY)
    if (stream?.nb_frames === undefined || !isFromStart) return undefined
    spans.set(streamIndex, { ...span, packets: stream.nb_frames })
  }
  return spans
}
