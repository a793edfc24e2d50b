import { maxResultSegments, type Segment } from '../../core/segments.ts'
import { startTurns } from '../../core/turns.ts'
import { type Envelope, fullScale } from './envelope.ts'

interface SilenceOptions {
  /** In seconds; inside the envelope's stretch. */
  readonly window: Segment
  /** Linear, 0 to 1. A millisecond is quiet while every sample of every channel is below it. */
  readonly amplitude: number
  readonly minSilenceSeconds: number
}

/** How many of one track are kept in memory. A result can have fewer, but of several tracks only what is silent in all of them is left. */
export const maxSilences = 5 * maxResultSegments

/**
 * The quiet stretches of the window, the first `maxSilences` of them, in seconds on the media's clock. They consist of whole quiet
 * milliseconds, so each is up to 2 ms shorter than in the samples: every silence longer than the minimum + 2 ms is found, and none below
 * the minimum.
 */
export async function findSilences(
  envelope: Envelope,
  { window, amplitude, minSilenceSeconds }: SilenceOptions,
): Promise<Segment[]> {
  const { startMs, peaks } = envelope
  // Rounded as in silencedetect, so that a sample at exactly this level counts the same.
  const limit = Math.max(1, Math.trunc(amplitude * (fullScale - 1)))
  const first = Math.max(0, Math.floor(window.start * 1000) - startMs)
  const end = Math.min(peaks.length, Math.ceil(window.end * 1000) - startMs)
  // The window can still shorten a run at its edge, so the minimum is checked again below.
  const minLength = Math.max(1, Math.floor(minSilenceSeconds * 1000))
  const silences: Segment[] = []
  for await (const run of quietRuns(peaks, { first, end, limit, minLength })) {
    const silence = {
      start: Math.max((startMs + run.start) / 1000, window.start),
      end: Math.min((startMs + run.end) / 1000, window.end),
    }
    if (isAsLongAs(silence, minSilenceSeconds)) silences.push(silence)
    if (silences.length === maxSilences) break
  }
  return silences
}

interface RunOptions {
  readonly first: number
  readonly end: number
  /** Values at or above it are loud. */
  readonly limit: number
  /** At least 1. */
  readonly minLength: number
}

/** Values read between two looks at the clock: of a day, a look at each would take longer than all else. */
const readsPerLook = 0x10000

/**
 * The runs of at least `minLength` quiet values, ascending and separate. Each candidate is read backwards from its end: a loud value rules out every
 * candidate that contains it, so most loud values are never read.
 */
async function* quietRuns(peaks: Uint16Array, { first, end, limit, minLength }: RunOptions): AsyncGenerator<Segment> {
  const turns = startTurns()
  let reads = 0
  const isDueAfter = (more: number) => {
    reads += more + 1
    if (reads < readsPerLook) return false
    reads = 0
    return turns.isDue()
  }
  let start = first
  let knownQuietTo = first
  while (start + minLength <= end) {
    let quietFrom = start + minLength
    for (let from = quietFrom; quietFrom === from && from > knownQuietTo; ) {
      const to = from
      from = Math.max(knownQuietTo, to - readsPerLook)
      quietFrom = quietBefore(peaks, from, to, limit)
      if (isDueAfter(to - quietFrom)) await turns.next()
    }
    if (quietFrom > knownQuietTo) {
      knownQuietTo = start + minLength
      start = quietFrom
      continue
    }
    let stop = start + minLength
    for (let to = stop; stop === to && to < end; ) {
      const from = to
      to = Math.min(end, from + readsPerLook)
      stop = quietAfter(peaks, from, to, limit)
      if (isDueAfter(stop - from)) await turns.next()
    }
    yield { start, end: stop }
    start = stop + 1
    knownQuietTo = start
  }
}

/** Where the quiet values begin that end at `to`, not before `from`. */
function quietBefore(peaks: Uint16Array, from: number, to: number, limit: number): number {
  let index = to
  while (index > from && (peaks[index - 1] ?? 0) < limit) index--
  return index
}

/** Where the quiet values end that begin at `from`, at most `to`. */
function quietAfter(peaks: Uint16Array, from: number, to: number, limit: number): number {
  let index = from
  while (index < to && (peaks[index] ?? 0) < limit) index++
  return index
}

function isAsLongAs({ start, end }: Segment, seconds: number): boolean {
  // Differences of times have rounding errors.
  return end - start >= seconds - 1e-9
}

// A recording has a noise floor, which its pauses do not exceed by much, and a level of what is said. The quiet level lies between
// them, and moves with both: the same recording at another gain has the same pauses.

/** In a stretch as short as this, speech and noise are not mixed. */
const blockMs = 20
/** Runs of digital silence of at least this length are gaps between recordings, and have no noise. */
const gapBlocks = 1_000 / blockMs

/** Of the blocks: speech has stops in every word, so that this share lies in its pauses. */
const floorShare = 0.05
/** Louder blocks than this share are clicks. */
const soundShare = 0.95
/** Blocks that surely are not noise. A recording can consist mostly of noise; then these alone say how loud its sound is. */
const aboveFloorDb = 12
const minSoundBlocks = 1_000 / blockMs

/** How far noise rises above its floor in a pause of some seconds. */
const noiseReachDb = 8
/** Sound without pauses varies by this much, or less. */
const soundReachDb = 12
/** Below it, nothing that is said is heard. */
const soundDepthDb = 30

/** -84 dBFS, two steps of 16-bit samples: dither is silence. */
const lowest = gain(-84)

/**
 * The level under which a window is quiet, linear, 0 to 1. Peaks are compared with it, as in `findSilences`. It never exceeds the
 * noise floor where noise and sound cannot be told apart, so that neither steady noise nor music without pauses is quiet.
 */
export async function quietLevel(envelope: Envelope, window: Segment): Promise<number> {
  const counts = await countBlocks(envelope, window)
  const blocks = sumFrom(counts, 0)
  if (blocks === 0) return lowest
  const floor = percentile(counts, floorShare, 0)
  const loud = Math.ceil(floor * gain(aboveFloorDb))
  const sound = percentile(counts, soundShare, sumFrom(counts, loud) < minSoundBlocks ? 0 : loud)
  const level = Math.max(sound / gain(soundDepthDb), Math.min(floor * gain(noiseReachDb), sound / gain(soundReachDb)))
  return Math.max(lowest, level / fullScale)
}

/** How many blocks of the window have each peak, 0 to `fullScale`, without those in gaps. */
async function countBlocks({ startMs, peaks }: Envelope, window: Segment): Promise<Uint32Array> {
  const turns = startTurns()
  const counts = new Uint32Array(fullScale + 1)
  const end = Math.min(peaks.length, Math.ceil(window.end * 1000) - startMs)
  let silent = 0
  const closeRun = () => {
    if (silent < gapBlocks) counts[0] = (counts[0] ?? 0) + silent
    silent = 0
  }
  for (let at = Math.max(0, Math.floor(window.start * 1000) - startMs); at < end; at += blockMs) {
    if (turns.isDue()) await turns.next()
    let peak = 0
    for (let index = at; index < Math.min(at + blockMs, end); index++) peak = Math.max(peak, peaks[index] ?? 0)
    if (peak === 0) silent += 1
    else {
      closeRun()
      counts[peak] = (counts[peak] ?? 0) + 1
    }
  }
  closeRun()
  return counts
}

/** The peak that this share of the blocks, of those with at least the peak `from`, does not exceed. */
function percentile(counts: Uint32Array, share: number, from: number): number {
  let left = Math.ceil(sumFrom(counts, from) * share)
  for (let peak = from; peak < counts.length; peak++) {
    left -= counts[peak] ?? 0
    if (left <= 0) return peak
  }
  return fullScale
}

function sumFrom(counts: Uint32Array, from: number): number {
  return counts.subarray(from).reduce((sum, count) => sum + count, 0)
}

function gain(decibels: number): number {
  return 10 ** (decibels / 20)
}
