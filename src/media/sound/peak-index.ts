import type { Envelope } from './envelope.ts'

const blockMs = 64

/** Of each envelope, from its first use on: the highest value of each block. */
const blocks = new WeakMap<Envelope, Uint16Array>()

/** The highest of the peaks from an index to before another, 0 to `fullScale`; 0 where there are none. */
export function highestPeak(envelope: Envelope, first: number, end: number): number {
  const { peaks } = envelope
  const [from, to] = [Math.max(0, first), Math.min(end, peaks.length)]
  const [firstBlock, endBlock] = [Math.ceil(from / blockMs), Math.floor(to / blockMs)]
  if (firstBlock >= endBlock) return highestOf(peaks, from, to)
  return Math.max(
    highestOf(peaks, from, firstBlock * blockMs),
    highestOf(blocksOf(envelope), firstBlock, endBlock),
    highestOf(peaks, endBlock * blockMs, to),
  )
}

function blocksOf(envelope: Envelope): Uint16Array {
  const known = blocks.get(envelope)
  if (known) return known
  const { peaks } = envelope
  const made = Uint16Array.from({ length: Math.floor(peaks.length / blockMs) }, (_, block) =>
    highestOf(peaks, block * blockMs, (block + 1) * blockMs),
  )
  blocks.set(envelope, made)
  return made
}

function highestOf(values: Uint16Array, first: number, end: number): number {
  let most = 0
  for (let index = first; index < end; index++) {
    const value = values[index] ?? 0
    if (value > most) most = value
  }
  return most
}
