import { type PacketQuery, readPackets } from './packets.ts'

/** From the first packet of a stream to the last, in seconds on the container's clock. */
export interface PacketSpan {
  readonly packets: number
  /** With what is stored for the decoder alone: encoder priming and padding. */
  readonly storedStart: number
  readonly storedEnd: number
  /** What a player presents. */
  readonly start: number
  readonly end: number
}

/** Reads all packets of the query; `sampleRates` by stream index, for what is counted in samples. */
export async function packetSpans(
  query: PacketQuery,
  sampleRates: ReadonlyMap<number, number>,
): Promise<ReadonlyMap<number, PacketSpan>> {
  const spans = new Map<number, PacketSpan>()
  await readPackets(query, (packet) => {
    const rate = sampleRates.get(packet.streamIndex) ?? Number.POSITIVE_INFINITY
    // Other containers shorten the last packet's duration by its padding.
    const padding = query.input.format === 'mp3' ? packet.paddingSamples / rate : 0
    const start = Math.max(0, packet.pts + packet.skippedSamples / rate)
    const end = packet.pts + packet.duration
    spans.set(packet.streamIndex, extend(spans.get(packet.streamIndex), packet.pts, start, end, end - padding))
  })
  return spans
}

function extend(
  span: PacketSpan | undefined,
  storedStart: number,
  start: number,
  storedEnd: number,
  end: number,
): PacketSpan {
  if (!span) return { packets: 1, storedStart, storedEnd, start, end }
  return {
    packets: span.packets + 1,
    storedStart: Math.min(span.storedStart, storedStart),
    storedEnd: Math.max(span.storedEnd, storedEnd),
    start: Math.min(span.start, start),
    end: Math.max(span.end, end),
  }
}
