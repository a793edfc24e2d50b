import { startTurns } from '../../core/turns.ts'
import type { Envelope } from './envelope.ts'

const blockMs = 64

/** Highest value of each block of an envelope. */
const blockPeaks = new WeakMap<Envelope, Uint16Array>()

/** Computes the blocks of an envelope, with which many calls of `highestPeak` are fast. */
export async function indexPeaks(envelope: Envelope): Promise<void> {
  if (blockPeaks.has(envelope)) return
  const turns = startTurns()
  const { peaks } = envelope
  const blocks = new Uint16Array(Math.floor(peaks.length / blockMs))
  for (let block = 0; block < blocks.length; block++) {
    blocks[block] = highestOf(peaks, block * blockMs, (block + 1) * blockMs)
    if (turns.isDue()) await turns.next()
  }
  blockPeaks.set(envelope, blocks)
}

/** Highest peak from index `first` to before `end`, 0 to `fullScale`; 0 for an empty range. */
export function highestPeak(envelope: Envelope, first: number, end: number): number {
  const { peaks } = envelope
  const [from, to] = [Math.max(0, first), Math.min(end, peaks.length)]
  const blocks = blockPeaks.get(envelope)
  const [firstBlock, endBlock] = [Math.ceil(from / blockMs), Math.floor(to / blockMs)]
  if (!blocks || firstBlock >= endBlock) return highestOf(peaks, from, to)
  return Math.max(
    highestOf(peaks, from, firstBlock * blockMs),
    highestOf(blocks, firstBlock, endBlock),
    highestOf(peaks, endBlock * blockMs, to),
  )
}

function highestOf(values: Uint16Array, first: number, end: number): number {
  let highest = 0
  for (let index = first; index < end; index++) {
    const value = values[index] ?? 0
    if (value > highest) highest = value
  }
  return highest
}
