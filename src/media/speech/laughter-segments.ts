import { clampTo, dropShorterThan, joinAcross, type Segment } from '../../core/segments.ts'
import { laughterKinds, tagHopSeconds, tagWindowSeconds } from '../../models/sound-tags/sound-tags.ts'
import type { TrackTags } from './tag-track.ts'

export interface LaughterSegment extends Segment {
  /** 0 to 1. */
  readonly score: number
  readonly kind: (typeof laughterKinds)[number]
}

/** A segment lasts as long as its score is at least this share of the threshold. */
const lastingShare = 0.5
/** A shorter pause, for breath, does not end laughter. */
const maxPauseSeconds = 0.5
/** A model's window with laughter is centred on it: this much around its centre is the segment. */
const reachSeconds = 0.36

export interface LaughterOptions {
  readonly window: Segment
  /** 0 to 1. */
  readonly threshold: number
  readonly minSegmentSeconds: number
}

/** The segments of laughter in a track's sound tags. */
export function laughterSegments(
  { start, percents }: TrackTags,
  { window, threshold, minSegmentSeconds }: LaughterOptions,
): LaughterSegment[] {
  const scores = percents.laughter.map((_, index) =>
    Math.max(...laughterKinds.map((kind) => percents[kind][index] ?? 0)),
  )
  const centreOf = (index: number) => start + index * tagHopSeconds + tagWindowSeconds / 2
  const indicesIn = ({ start: from, end }: Segment) => {
    const first = Math.max(0, Math.ceil((from - centreOf(0)) / tagHopSeconds))
    const last = Math.min(scores.length - 1, Math.floor((end - centreOf(0)) / tagHopSeconds))
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
  }
  const around = scores.flatMap((score, index) => {
    const centre = centreOf(index)
    const isLasting = score >= threshold * lastingShare * 100
    return isLasting ? [{ start: centre - reachSeconds, end: centre + reachSeconds }] : []
  })
  const joined = joinAcross(clampTo(around, window), maxPauseSeconds)
  return dropShorterThan(joined, minSegmentSeconds).flatMap((segment) => {
    const inside = indicesIn(segment)
    const score = Math.max(0, ...inside.map((index) => scores[index] ?? 0)) / 100
    if (score < threshold) return []
    const sumOf = (kind: keyof TrackTags['percents']) =>
      inside.reduce((sum, index) => sum + (percents[kind][index] ?? 0), 0)
    const kind = laughterKinds.reduce((best, each) => (sumOf(each) > sumOf(best) ? each : best))
    return [{ ...segment, score, kind }]
  })
}
