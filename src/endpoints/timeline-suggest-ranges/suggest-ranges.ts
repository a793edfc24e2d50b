import {
  complement,
  dropShorterThan,
  joinAcross,
  normalize,
  roundingSeconds,
  type Segment,
} from '../../core/segments.ts'

export interface SuggestRangesInput {
  /** What sounds. */
  readonly sounds: readonly Segment[]
  /** The part of the media that is spoken of: no range leaves it. */
  readonly within: Segment
  readonly keep: 'sound' | 'silence'
  readonly padding: { readonly before: number; readonly after: number }
  readonly mergeGapSeconds: number
  readonly minCutSeconds: number
  readonly minSegmentSeconds: number
}

export interface SuggestedRanges {
  /** Sorted and apart. */
  readonly ranges: readonly Segment[]
  /** How many gaps in what is kept are not cut after all. */
  readonly gapsKept: number
}

/** The ranges worth keeping: short sounds are dropped, what is kept is padded and merged, short cuts are dropped. */
export function suggestRanges(input: SuggestRangesInput): SuggestedRanges {
  const { within, keep, padding, minCutSeconds, minSegmentSeconds } = input
  const sounds = dropShorterThan(normalize(input.sounds), minSegmentSeconds - roundingSeconds)
  const silences = complement(sounds, within)
  const kept = keep === 'silence' ? silences : complement(silences, within)
  const padded = kept.map(({ start, end }) => ({ start: start - padding.before, end: end + padding.after }))
  const gaps = complement(joinAcross(padded, input.mergeGapSeconds), within)
  const cuts = dropShorterThan(gaps, minCutSeconds - roundingSeconds)
  // A gap is cut once or not at all.
  return { ranges: complement(cuts, within), gapsKept: complement(kept, within).length - cuts.length }
}
