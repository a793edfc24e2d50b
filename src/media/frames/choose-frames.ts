import { z } from 'zod'
import { durationOf, type Segment } from '../../core/segments.ts'
import { faces } from '../../models/models.ts'
import type { TrackAnalysisKind } from '../track-analyses.ts'
import type { SeenFrame } from './find-frames.ts'
import { flawOf, looksLike, qualityOf, scoreOf } from './frame-quality.ts'

interface Timed {
  readonly seconds: number
}

/** A picture that is shown for this share of the gap has settled: it is read even if others follow soon. */
const settledShare = 0.5

/**
 * The indexes of the frames to read first, in order: frames that stay for a while, at least one every `gapSeconds` while the picture
 * moves, the first and the last.
 */
export function framesToRead(frames: readonly Timed[], gapSeconds: number): number[] {
  const chosen: number[] = []
  /** The picture is known up to this time. */
  let knownUntil = Number.NEGATIVE_INFINITY
  for (const [index, { seconds }] of frames.entries()) {
    const until = frames[index + 1]?.seconds ?? Number.POSITIVE_INFINITY
    const hasSettled = until - seconds >= gapSeconds * settledShare
    if (!hasSettled && until - knownUntil <= gapSeconds) continue
    chosen.push(index)
    knownUntil = hasSettled ? until : seconds
  }
  return chosen
}

/**
 * The frames without those that are followed too soon, so that a bounded number covers any time. Each that stays was shown for
 * `spacingSeconds`, or comes so long after the one before.
 */
export function thinOut<Frame extends Timed>(frames: readonly Frame[], spacingSeconds: number): Frame[] {
  const kept: Frame[] = []
  for (const [index, frame] of frames.entries()) {
    const before = kept.at(-1)
    const next = frames[index + 1]
    const isCrowded = before && next && frame.seconds - before.seconds < spacingSeconds
    if (isCrowded && next.seconds - frame.seconds < spacingSeconds) continue
    kept.push(frame)
  }
  return kept
}

export interface ScoredFrame {
  readonly frame: FoundFrame
  readonly quality: ReturnType<typeof qualityOf>
  /** 0 to 1. */
  readonly score: number
}

/**
 * The best frames, at most `count`, best first. Frames of other shots come before further frames of the same one, and no two look
 * the same. Frames that are dark, empty, noise or blurred are never chosen.
 */
export function chooseBestFrames(found: readonly FoundFrame[], count: number): ScoredFrame[] {
  const ranked = found
    .filter(({ measures }) => flawOf(measures) === undefined)
    .map((frame) => {
      const quality = qualityOf(frame.measures, frame)
      return { frame, quality, score: scoreOf(quality) }
    })
    .toSorted((a, b) => b.score - a.score || a.frame.seconds - b.frame.seconds)
  const chosen: ScoredFrame[] = []
  const isOther = ({ frame }: ScoredFrame) =>
    !chosen.some((other) => looksLike(other.frame.fingerprint, frame.fingerprint))
  const isOtherShot = ({ frame }: ScoredFrame) => chosen.every((other) => other.frame.shot.start !== frame.shot.start)
  for (const isWanted of [isOtherShot, () => true])
    for (const each of ranked) if (chosen.length < count && isWanted(each) && isOther(each)) chosen.push(each)
  return chosen.toSorted((a, b) => b.score - a.score || a.frame.seconds - b.frame.seconds)
}

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

// What is found about frames, as it is stored. Scores follow from it, and can change without another decoding.

const foundFrame = z.object({
  /** On the clock where the media starts at 0, to the millisecond. */
  seconds: z.number(),
  /** The stretch around it with about the same picture. */
  shot: z.object({ start: z.number(), end: z.number() }),
  /** As in `PictureMeasures`. */
  measures: z.object({
    luma: z.number(),
    deviation: z.number(),
    structure: z.number(),
    detail: z.number(),
    dark: z.number(),
    bright: z.number(),
    colourfulness: z.number(),
  }),
  /** Difference to the frames around it, 0 to 255. */
  motion: z.number(),
  fingerprint: z.array(z.number()),
  faces,
})

export type FoundFrame = z.output<typeof foundFrame>

/** The most promising frames of a window, in order. */
const foundFrames = z.object({ start: z.number(), end: z.number(), frames: z.array(foundFrame) })

export type FoundFrames = z.output<typeof foundFrames>

/** A longer window has as many frames as a short one, so it has too few for a small part of it. */
const maxTimesLonger = 1.5

export const foundFramesKind: TrackAnalysisKind<FoundFrames> = {
  name: 'found-frames',
  format: 5002,
  parse: async (stored) => foundFrames.parse(stored),
  within: ({ frames, ...whole }, { start, end }) =>
    durationOf(whole) > maxTimesLonger * (end - start)
      ? undefined
      : {
          start,
          end,
          frames: frames
            .filter(({ seconds }) => (seconds >= start || start === whole.start) && seconds <= end)
            .map(({ shot, ...frame }) => ({
              ...frame,
              shot: { start: Math.max(shot.start, start), end: Math.min(shot.end, end) },
            })),
        },
}
