import { durationOf, type Segment } from '../../core/segments.ts'
import { looksLike } from './compare-pictures.ts'
import { flawOf, qualityOf, scoreOf } from './frame-quality.ts'
import type { SeenFrame } from './look-at-frames.ts'

const maxCandidates = 40
const minCandidateGapSeconds = 1

/** The usable frames, best first. */
export function rankFrames<Frame extends Pick<SeenFrame, 'measures' | 'motion'>>(seen: readonly Frame[]): Frame[] {
  return seen
    .filter(({ measures }) => flawOf(measures) === undefined)
    .map((each) => ({ each, score: scoreOf(qualityOf(each.measures, { motion: each.motion, faces: [] })) }))
    .toSorted((a, b) => b.score - a.score)
    .map(({ each }) => each)
}

type Candidate = Pick<SeenFrame, 'seconds' | 'measures' | 'motion' | 'fingerprint'>

/**
 * The frames to look at closely, in order: the best usable one of each equal part of the window, then the best of what looks like none
 * of these, and then look-alikes. Fewer in short windows, so that they lie apart.
 */
export function candidatesIn<Frame extends Candidate>(seen: readonly Frame[], window: Segment): Frame[] {
  const count = Math.min(maxCandidates, Math.max(1, Math.ceil(durationOf(window) / minCandidateGapSeconds)))
  const ranked = rankFrames(seen)
  const partOf = ({ seconds }: Frame) => Math.floor(((seconds - window.start) / durationOf(window)) * count)
  const inParts = new Map<number, Frame>()
  for (const each of ranked) if (!inParts.has(partOf(each))) inParts.set(partOf(each), each)
  const ofParts = rankFrames([...inParts.values()])
  const chosen: Frame[] = []
  const add = (frames: readonly Frame[], isWanted: (frame: Frame) => boolean) => {
    for (const each of frames) if (chosen.length < count && !chosen.includes(each) && isWanted(each)) chosen.push(each)
  }
  const isNew = ({ fingerprint }: Frame) => !chosen.some((other) => looksLike(other.fingerprint, fingerprint))
  add(ofParts, isNew)
  add(ranked, isNew)
  add(ofParts, () => true)
  return chosen.toSorted((a, b) => a.seconds - b.seconds)
}
