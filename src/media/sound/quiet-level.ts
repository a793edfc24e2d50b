import type { Segment } from '../../core/segments.ts'
import { type Envelope, fullScale } from './envelope.ts'

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
export function quietLevel(envelope: Envelope, window: Segment): number {
  const counts = countBlocks(envelope, window)
  const blocks = sumFrom(counts, 0)
  if (blocks === 0) return lowest
  const floor = percentile(counts, floorShare, 0)
  const loud = Math.ceil(floor * gain(aboveFloorDb))
  const sound = percentile(counts, soundShare, sumFrom(counts, loud) < minSoundBlocks ? 0 : loud)
  const level = Math.max(sound / gain(soundDepthDb), Math.min(floor * gain(noiseReachDb), sound / gain(soundReachDb)))
  return Math.max(lowest, level / fullScale)
}

/** How many blocks of the window have each peak, 0 to `fullScale`, without those in gaps. */
function countBlocks({ startMs, peaks }: Envelope, window: Segment): Uint32Array {
  const counts = new Uint32Array(fullScale + 1)
  const end = Math.min(peaks.length, Math.ceil(window.end * 1000) - startMs)
  let silent = 0
  const closeRun = () => {
    if (silent < gapBlocks) counts[0] = (counts[0] ?? 0) + silent
    silent = 0
  }
  for (let at = Math.max(0, Math.floor(window.start * 1000) - startMs); at < end; at += blockMs) {
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
