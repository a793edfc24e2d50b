import { chainedOgg } from './ogg-links.ts'
import { type Packet, type PacketQuery, readPackets } from './packets.ts'

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
    if (query.input.format === 'ogg' && pts < span.storedEnd - maxOverlapSeconds) throw chainedOgg()
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
