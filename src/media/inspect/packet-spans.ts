import { type PacketQuery, readPackets } from './packets.ts'

/** From the first packet of a stream to the last, in seconds on the container's clock. */
export interface PacketSpan {
  readonly packets: number
  /** With what is stored for the decoder alone: encoder priming and padding. */
  readonly storedStart: number
  readonly storedEnd: number
  /** Where the encoder's priming is over; 0 where there is none. */
  readonly primedUntil: number
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
  await readPackets(query, ({ streamIndex, pts, duration, skippedSamples, paddingSamples }) => {
    const rate = sampleRates.get(streamIndex) || Number.POSITIVE_INFINITY
    const span = spans.get(streamIndex) ?? nothing
    // Other containers shorten the last packet's duration by its padding.
    const padding = query.input.format === 'mp3' ? paddingSamples / rate : 0
    const storedStart = Math.min(span.storedStart, pts)
    // The first packet tells of all priming, which can reach over several.
    const primedUntil = skippedSamples > 0 && span.packets === 0 ? pts + skippedSamples / rate : span.primedUntil
    spans.set(streamIndex, {
      packets: span.packets + 1,
      storedStart,
      storedEnd: Math.max(span.storedEnd, pts + duration),
      start: Math.max(storedStart, primedUntil),
      end: Math.max(span.end, pts + duration - padding),
      primedUntil,
    })
  })
  return spans
}

const nothing: PacketSpan = {
  packets: 0,
  storedStart: Number.POSITIVE_INFINITY,
  storedEnd: 0,
  primedUntil: 0,
  start: Number.POSITIVE_INFINITY,
  end: 0,
}
