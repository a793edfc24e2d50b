import type { Envelope } from './envelope.ts'

const blockMs = 64

/** Highest value of each block of an envelope, computed on first use. */
const blockPeaks = new WeakMap<Envelope, Uint16Array>()

/** Highest peak from index `first` to before `end`, 0 to `fullScale`; 0 for an empty range. */
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
  const known = blockPeaks.get(envelope)
  if (known) return known
  const { peaks } = envelope
  const made = Uint16Array.from({ length: Math.floor(peaks.length / blockMs) }, (_, block) =>
    highestOf(peaks, block * blockMs, (block + 1) * blockMs),
  )
  blockPeaks.set(envelope, made)
  return made
}

function highestOf(values: Uint16Array, first: number, end: number): number {
  let highest = 0
  for (let index = first; index < end; index++) {
    const value = values[index] ?? 0
    if (value > highest) highest = value
  }
  return highest
}
