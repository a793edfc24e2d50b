import { makeNumbers } from '../../core/many-numbers.ts'
import { toDbfs } from '../../core/media.ts'
import { dropShorterThan, maxResultSegments, type Segment } from '../../core/segments.ts'
import { mapInTurns, startTurns } from '../../core/turns.ts'
import { cellMs, type Envelope, frameAt, fullScale } from './envelope.ts'

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

export interface LoudSegment extends Segment {
  /** RMS level over the segment. */
  readonly meanDb: number
  readonly peakDb: number
}

interface LoudnessOptions {
  readonly windowSeconds: number
  /** Measured length; the last window ends here. */
  readonly totalSeconds: number
  /** RMS levels, linear: a window at or above `startAmplitude` starts a segment, and a window below `endAmplitude` ends it. */
  readonly startAmplitude: number
  readonly endAmplitude: number
  readonly minSegmentSeconds: number
}

/**
 * Segments that start above one level and end below another, in seconds from the first window. With `top`, the loudest of them; otherwise
 * all, or one more than a result can have.
 */
export async function findLoudSegments(
  windows: EnergyWindows,
  { top, ...options }: LoudnessOptions & { readonly top?: number | undefined },
): Promise<LoudSegment[]> {
  let segments: LoudSegment[] = []
  for await (const segment of eachLoudSegment(windows, options)) {
    segments.push(segment)
    if (segments.length <= maxResultSegments + (top ?? 0)) continue
    if (top === undefined) return segments
    segments = loudestSegments(segments, top)
  }
  return top === undefined ? segments : loudestSegments(segments, top)
}

async function* eachLoudSegment({ power, peak }: EnergyWindows, options: LoudnessOptions): AsyncGenerator<LoudSegment> {
  const turns = startTurns()
  const { windowSeconds, totalSeconds, minSegmentSeconds } = options
  const startPower = options.startAmplitude ** 2
  const endPower = options.endAmplitude ** 2
  let first: number | undefined
  let [sum, highest] = [0, 0]
  const endBefore = (window: number): LoudSegment[] => {
    if (first === undefined) return []
    const start = first * windowSeconds
    const end = Math.min(window * windowSeconds, totalSeconds)
    const mean = sum / (window - first)
    const segment = { start, end, meanDb: toDbfs(Math.sqrt(mean)), peakDb: toDbfs(highest) }
    first = undefined
    sum = 0
    highest = 0
    return dropShorterThan([segment], minSegmentSeconds)
  }
  for (let window = 0; window < power.length; window++) {
    const value = power[window] ?? 0
    if (first === undefined && value >= startPower) first = window
    else if (first !== undefined && value < endPower) yield* endBefore(window)
    if (first !== undefined) {
      sum += value
      highest = Math.max(highest, peak[window] ?? 0)
    }
    if (turns.isDue()) await turns.next()
  }
  yield* endBefore(power.length)
}

/**
 * The `count` segments with the highest mean level, in the order of time. Of segments with equal levels, the one with the
 * higher peak comes first, then the earlier one.
 */
export function loudestSegments(segments: readonly LoudSegment[], count: number): LoudSegment[] {
  return segments
    .toSorted((a, b) => b.meanDb - a.meanDb || b.peakDb - a.peakDb || a.start - b.start)
    .slice(0, count)
    .toSorted((a, b) => a.start - b.start)
}

/** The loudest track in every window, for tracks that were measured with the same windows. */
export async function loudestOf(tracks: readonly EnergyWindows[]): Promise<EnergyWindows> {
  const length = Math.max(0, ...tracks.map(({ power }) => power.length))
  const loudest = (read: (track: EnergyWindows) => Float64Array) =>
    makeNumbers(length, (window) => tracks.reduce((most, track) => Math.max(most, read(track)[window] ?? 0), 0))
  return { power: await loudest(({ power }) => power), peak: await loudest(({ peak }) => peak) }
}

/** At most `maxPoints` RMS levels for drawing, each over the same number of windows. */
export async function drawEnvelope(
  { power }: EnergyWindows,
  maxPoints: number,
): Promise<{ windowsPerPoint: number; rmsDb: number[] }> {
  const windowsPerPoint = Math.max(1, Math.ceil(power.length / maxPoints))
  const points = Array.from({ length: Math.ceil(power.length / windowsPerPoint) }, (_, point) => point)
  const rmsDb = await mapInTurns(points, (point) => {
    const windows = power.subarray(point * windowsPerPoint, (point + 1) * windowsPerPoint)
    return toDbfs(Math.sqrt(windows.reduce((sum, value) => sum + value, 0) / windows.length))
  })
  return { windowsPerPoint, rmsDb }
}

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
