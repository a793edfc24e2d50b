import type { Segment } from '../../core/segments.ts'
import { startTurns } from '../../core/turns.ts'
import { cellMs, type Envelope, frameAt, fullScale } from './envelope.ts'
import { highestPeak, indexPeaks } from './peak-index.ts'

/** Power and peak of each window, linear; window `i` starts at `i × windowSeconds`. The last one may be shorter. */
export interface EnergyWindows {
  /** Mean of the squared samples, 0 to 1, of the loudest channel. */
  readonly power: Float64Array
  /** Highest sample of any channel, 0 to 1. */
  readonly peak: Float64Array
}

/** Measures a stretch in windows of equal length; each window uses the 10 ms cells nearest to it. */
export async function measureEnergy(
  envelope: Envelope,
  { start, end }: Segment,
  windowSeconds: number,
): Promise<EnergyWindows> {
  await indexPeaks(envelope)
  const turns = startTurns()
  const count = Math.max(0, Math.ceil((end - start) / windowSeconds - 1e-6))
  const power = new Float64Array(count)
  const peak = new Float64Array(count)
  for (let window = 0; window < count; window++) {
    if (turns.isDue()) await turns.next()
    const first = cellOf(envelope, start + window * windowSeconds)
    const last = cellOf(envelope, Math.min(start + (window + 1) * windowSeconds, end))
    const cells = { first, end: Math.max(last, first + 1) }
    power[window] = meanSquare(envelope, cells)
    peak[window] = highestPeak(envelope, cells.first * cellMs, cells.end * cellMs) / fullScale
  }
  return { power, peak }
}

interface Cells {
  readonly first: number
  readonly end: number
}

function cellOf({ startMs, squares }: Envelope, seconds: number): number {
  const cell = Math.round((seconds * 1000 - startMs) / cellMs)
  return Math.min(Math.max(cell, 0), squares.length)
}

function meanSquare({ startMs, sampleRate, frames, squares }: Envelope, { first, end }: Cells): number {
  const stretchStart = frameAt(startMs, sampleRate)
  const bound = (cell: number) => Math.min(frameAt(startMs + cell * cellMs, sampleRate) - stretchStart, frames)
  const measured = bound(end) - bound(first)
  if (measured <= 0) return 0
  let sum = 0
  for (let cell = first; cell < end; cell++) sum += squares[cell] ?? 0
  return sum / measured / fullScale ** 2
}
