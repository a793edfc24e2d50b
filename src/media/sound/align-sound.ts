import { createFourier } from '../../core/fourier.ts'
import { medianOf } from '../../core/many-numbers.ts'
import { collectInTurns, startTurns } from '../../core/turns.ts'
import { cellMs, type Envelope } from './envelope.ts'

// Finds where one recording of something lies on the clock of another, from the levels of their sound alone: gains, noise and echo change
// levels, and hardly when they rise and fall.

/** The levels of the sound of a whole media. */
export type SoundLevels = Pick<Envelope, 'peaks' | 'squares'>

export interface Alignment {
  /** When the other recording starts, on the clock of the reference. */
  readonly offsetSeconds: number
  /** By how many millionths the other clock is slow: a moment is at `offset + seconds × (1 + drift)` on the reference's. */
  readonly driftPpm: number
  /** The middle one of the distances between matches and this line. */
  readonly residualSeconds: number
  /** The share of the compared windows that match where the line says, 0 to 1. */
  readonly confidence: number
  readonly matches: number
}

/** Levels are first compared at this step: in an hour, clocks drift by less than three of them. */
const coarseSeconds = 0.05
const cellSeconds = cellMs / 1000
/** Windows of this length are compared one by one. */
const windowSeconds = 20
const shortestWindowSeconds = 4
const [fewestWindows, mostWindows] = [5, 30]
/** Clocks of recorders are off by up to 50 ppm; twice that between two of them. */
const mostDrift = 1.2e-4
/** The highest correlation in deviations of all others, below which nothing is common. */
const leastPeak = 7
/** Levels of windows that correlate less are not compared. */
const leastLikeness = 0.25
/** Of the windows, in the first pass and the last. */
const [nearSeconds, exactSeconds] = [0.03, 0.01]
const leastConfidence = 0.5
const fineReachMs = 30

/** What is compared of a recording. Made once for a reference. */
export interface ComparedLevels {
  readonly peaks: Uint16Array
  /** One for each cell. */
  readonly levels: Float32Array
  readonly coarse: Float32Array
}

export async function comparedLevels({ peaks, squares }: SoundLevels): Promise<ComparedLevels> {
  const coarse = await levelsOf(squares, Math.round(coarseSeconds / cellSeconds))
  return { peaks, levels: await levelsOf(squares, 1), coarse }
}

/** Undefined if the sound has too little in common. */
export async function alignSound(reference: ComparedLevels, other: ComparedLevels): Promise<Alignment | undefined> {
  const [ours, theirs] = [reference.levels, other.levels]
  const coarse = await coarseOffset(reference.coarse, other.coarse)
  if (coarse === undefined) return undefined
  const windows = windowsOf(ours.length, theirs.length, Math.round(coarse / cellSeconds))
  const near = await compareAll(windows, (window) => compareCells(ours, theirs, window, coarse))
  const rough = fitLine(near, nearSeconds)
  if (!rough) return undefined
  const exact = await compareAll(windows, (window) => compareMilliseconds(reference.peaks, other.peaks, window, rough))
  const line = fitLine(exact, exactSeconds)
  if (!line || line.matches < fewestWindows) return undefined
  const confidence = line.matches / windows.length
  if (confidence < leastConfidence) return undefined
  const { offset, drift, residual, matches } = line
  return { offsetSeconds: offset, driftPpm: drift * 1e6, residualSeconds: residual, confidence, matches }
}

/** Logarithms of levels, without what is slower than a second or so. */
async function levelsOf(squares: Float32Array, cells: number): Promise<Float32Array> {
  const turns = startTurns()
  const levels = new Float32Array(Math.floor(squares.length / cells))
  let total = 0
  for (let at = 0; at < levels.length; at += 1) {
    let sum = 0
    for (let cell = at * cells; cell < (at + 1) * cells; cell += 1) sum += squares[cell] ?? 0
    levels[at] = sum
    total += sum
    if (at % 10_000 === 0 && turns.isDue()) await turns.next()
  }
  // Noise far below the sound does not count.
  const floor = total / Math.max(1, levels.length) / 1e4 || 1
  for (let at = 0; at < levels.length; at += 1) {
    levels[at] = Math.log((levels[at] ?? 0) + floor)
    if (at % 10_000 === 0 && turns.isDue()) await turns.next()
  }
  return withoutTrend(levels, Math.round(2 / (cells * cellSeconds)))
}

/** The values without their mean in this many values around each. */
function withoutTrend(values: Float32Array, around: number): Float32Array {
  const flat = new Float32Array(values.length)
  const reach = around >> 1
  let [sum, from, to] = [0, 0, 0]
  for (let at = 0; at < values.length; at += 1) {
    for (; to < Math.min(values.length, at + reach + 1); to += 1) sum += values[to] ?? 0
    for (; from < at - reach; from += 1) sum -= values[from] ?? 0
    flat[at] = (values[at] ?? 0) - sum / (to - from)
  }
  return flat
}

async function coarseOffset(reference: Float32Array, other: Float32Array): Promise<number | undefined> {
  const products = await correlate(reference, other)
  let [best, sum, squares] = [0, 0, 0]
  let highest = Number.NEGATIVE_INFINITY
  const turns = startTurns()
  for (const [at, value] of products.values.entries()) {
    if (at % 10_000 === 0 && turns.isDue()) await turns.next()
    sum += value
    squares += value * value
    if (value > highest) [highest, best] = [value, products.firstLag + at]
  }
  const count = products.values.length
  const mean = sum / count
  const deviation = Math.sqrt(Math.max(0, squares / count - mean * mean))
  return deviation > 0 && (highest - mean) / deviation > leastPeak ? best * coarseSeconds : undefined
}

/** A stretch of the other recording that is compared with the reference, in cells. */
interface Window {
  readonly at: number
  readonly length: number
}

/** Windows all over what both have, from where the other starts at this cell of the reference. */
function windowsOf(ours: number, theirs: number, offset: number): Window[] {
  const [start, end] = [Math.max(0, -offset), Math.min(theirs, ours - offset)]
  const longest = Math.round(windowSeconds / cellSeconds)
  const length = Math.min(longest, Math.floor((end - start) / fewestWindows))
  if (length < shortestWindowSeconds / cellSeconds) return []
  const count = Math.min(mostWindows, Math.floor((end - start) / length))
  return Array.from({ length: count }, (_, index) => ({
    at: Math.round(start + (index * (end - start - length)) / Math.max(1, count - 1)),
    length,
  }))
}

/** Where a moment of the other recording is on the clock of the reference. */
interface Match {
  readonly seconds: number
  /** Its time on the clock of the reference, less its own. */
  readonly shift: number
}

async function compareAll(
  windows: readonly Window[],
  compare: (window: Window) => Match | undefined,
): Promise<Match[]> {
  const turns = startTurns()
  const matches: Match[] = []
  for (const window of windows) {
    if (turns.isDue()) await turns.next()
    const match = compare(window)
    if (match) matches.push(match)
  }
  return matches
}

function compareCells(
  ours: Float32Array,
  theirs: Float32Array,
  { at, length }: Window,
  coarse: number,
): Match | undefined {
  const middle = (at + length / 2) * cellSeconds
  const reach = Math.round((2 * coarseSeconds + mostDrift * theirs.length * cellSeconds) / cellSeconds)
  const expected = at + Math.round(coarse / cellSeconds)
  const lag = bestLag(theirs.subarray(at, at + length), ours, expected - reach, expected + reach)
  return lag === undefined ? undefined : { seconds: middle, shift: (lag - at) * cellSeconds }
}

function compareMilliseconds(
  ours: Uint16Array,
  theirs: Uint16Array,
  { at, length }: Window,
  line: Line,
): Match | undefined {
  const [from, to] = [at * cellMs, (at + length) * cellMs]
  const middle = (from + to) / 2000
  const expected = from + Math.round((line.offset + line.drift * middle) * 1000)
  const first = Math.max(0, expected - fineReachMs)
  const own = peakLevels(theirs.subarray(from, to))
  const around = peakLevels(ours.subarray(first, expected + to - from + fineReachMs))
  const lag = bestLag(own, around, 0, 2 * fineReachMs)
  return lag === undefined ? undefined : { seconds: middle, shift: (first + lag - from) / 1000 }
}

const fineTrendMs = 200

function peakLevels(peaks: Uint16Array): Float32Array {
  const mean = peaks.reduce((sum, peak) => sum + peak, 0) / Math.max(1, peaks.length)
  return withoutTrend(
    Float32Array.from(peaks, (peak) => Math.log(peak + mean / 100 + 1)),
    fineTrendMs,
  )
}

/** The lag at which the values are most like a part of others, to a part of a step. Undefined if they are not like any. */
function bestLag(values: Float32Array, others: Float32Array, from: number, to: number): number | undefined {
  let ours = 0
  for (const value of values) ours += value * value
  const likeness = (lag: number) => {
    if (lag < 0 || lag + values.length > others.length) return Number.NEGATIVE_INFINITY
    let [product, theirs] = [0, 0]
    for (let at = 0; at < values.length; at += 1) {
      const other = others[lag + at] ?? 0
      product += (values[at] ?? 0) * other
      theirs += other * other
    }
    return product / Math.sqrt(ours * theirs || 1)
  }
  let [best, highest] = [0, leastLikeness]
  for (let lag = from; lag <= to; lag += 1) {
    const value = likeness(lag)
    if (value > highest) [best, highest] = [lag, value]
  }
  if (highest === leastLikeness) return undefined
  const [before, after] = [likeness(best - 1), likeness(best + 1)]
  const curve = before - 2 * highest + after
  // The top of the parabola through the three.
  return Number.isFinite(curve) && curve < 0 ? best + (before - after) / (2 * curve) : best
}

interface Line {
  readonly offset: number
  readonly drift: number
  readonly residual: number
  readonly matches: number
}

/** The line through most of the matches: the middle one of the slopes between them, then the best fit to those near. */
function fitLine(matches: readonly Match[], near: number): Line | undefined {
  if (matches.length < 2) return undefined
  const slopes = matches.flatMap((one, index) =>
    matches.slice(index + 1).map((other) => (other.shift - one.shift) / (other.seconds - one.seconds)),
  )
  const slope = Math.min(mostDrift, Math.max(-mostDrift, medianOf(slopes) ?? 0))
  const offset = medianOf(matches.map(({ seconds, shift }) => shift - slope * seconds)) ?? 0
  const inliers = matches.filter(({ seconds, shift }) => Math.abs(shift - offset - slope * seconds) <= near)
  if (inliers.length < 2) return undefined
  const mean = (of: (match: Match) => number) => inliers.reduce((sum, match) => sum + of(match), 0) / inliers.length
  const [middle, shift] = [mean((match) => match.seconds), mean((match) => match.shift)]
  const spread = mean(({ seconds }) => (seconds - middle) ** 2)
  const drift = spread > 0 ? mean((match) => (match.seconds - middle) * (match.shift - shift)) / spread : 0
  const residuals = inliers.map((match) => Math.abs(match.shift - shift - drift * (match.seconds - middle)))
  return { offset: shift - drift * middle, drift, residual: medianOf(residuals) ?? 0, matches: inliers.length }
}

interface Correlation {
  /** From the first lag on, the sum over both of `reference[at + lag] * other[at]`. */
  readonly values: Float64Array
  readonly firstLag: number
}

const valuesPerTurn = 10_000

/** The correlation of two series at every lag, in turns: that of two hours in steps of 50 ms takes a few tenths of a second. */
async function correlate(reference: Float32Array, other: Float32Array): Promise<Correlation> {
  const size = 2 ** Math.ceil(Math.log2(reference.length + other.length))
  const fourier = createFourier(size)
  // Both series are real, so that one transform does for two: the other series is the imaginary part.
  const [real, imaginary] = [new Float64Array(size), new Float64Array(size)]
  real.set(reference)
  imaginary.set(other)
  await collectInTurns(fourier.steps(real, imaginary))
  const [productReal, productImaginary] = [new Float64Array(size), new Float64Array(size)]
  const turns = startTurns()
  for (let at = 0; at < size; at += 1) {
    if (at % valuesPerTurn === 0 && turns.isDue()) await turns.next()
    const mirror = (size - at) % size
    const [a, b, c, d] = [real[at] ?? 0, imaginary[at] ?? 0, real[mirror] ?? 0, imaginary[mirror] ?? 0]
    const [oneReal, oneImaginary, otherReal, otherImaginary] = [(a + c) / 2, (b - d) / 2, (b + d) / 2, (c - a) / 2]
    // The product with the other's conjugate, itself conjugated: the transform below is then the inverse.
    productReal[at] = oneReal * otherReal + oneImaginary * otherImaginary
    productImaginary[at] = oneReal * otherImaginary - oneImaginary * otherReal
  }
  await collectInTurns(fourier.steps(productReal, productImaginary))
  const firstLag = 1 - other.length
  const length = reference.length + other.length - 1
  const values = new Float64Array(length)
  for (let at = 0; at < length; at += 1) {
    if (at % valuesPerTurn === 0 && turns.isDue()) await turns.next()
    values[at] = (productReal[(at + firstLag + size) % size] ?? 0) / size
  }
  return { values, firstLag }
}
