import type { Segment } from '../../core/segments.ts'
import { type Envelope, fullScale } from './envelope.ts'
import { highestPeak } from './peak-index.ts'

/** The highest sample of any of the tracks in each of so many equal parts of the window, 0 to 1. */
export function waveformOf(tracks: readonly Envelope[], window: Segment, columns: number): Float64Array {
  const length = (window.end - window.start) / columns
  return Float64Array.from({ length: columns }, (_, column) => {
    const from = window.start + column * length
    return Math.max(0, ...tracks.map((track) => highestIn(track, from, from + length)))
  })
}

function highestIn(envelope: Envelope, start: number, end: number): number {
  const first = Math.max(0, Math.floor(start * 1000) - envelope.startMs)
  const last = Math.max(first + 1, Math.ceil(end * 1000) - envelope.startMs)
  return highestPeak(envelope, first, last) / fullScale
}
