import {
  complement,
  dropShorterThan,
  joinAcross,
  normalize,
  roundingSeconds,
  type Segment,
} from '../../core/segments.ts'

export interface SuggestRangesInput {
  /** The sounding segments. */
  readonly sounds: readonly Segment[]
  /** The part of the media that ranges stay within. */
  readonly within: Segment
  readonly keep: 'sound' | 'silence'
  readonly padding: { readonly before: number; readonly after: number }
  readonly mergeGapSeconds: number
  readonly minCutSeconds: number
  readonly minSegmentSeconds: number
}

export interface SuggestedRanges {
  /** Sorted and without overlap. */
  readonly ranges: readonly Segment[]
  /** The number of gaps that stay uncut. */
  readonly gapsKept: number
}

/** The ranges worth keeping: drops short sounds, pads and merges the rest, drops short cuts. */
export function suggestRanges(input: SuggestRangesInput): SuggestedRanges {
  const { within, keep, padding, minCutSeconds, minSegmentSeconds } = input
  const sounds = dropShorterThan(normalize(input.sounds), minSegmentSeconds - roundingSeconds)
  const silences = complement(sounds, within)
  const kept = keep === 'silence' ? silences : complement(silences, within)
  const padded = kept.map(({ start, end }) => ({ start: start - padding.before, end: end + padding.after }))
  const gaps = complement(joinAcross(padded, input.mergeGapSeconds), within)
  const cuts = dropShorterThan(gaps, minCutSeconds - roundingSeconds)
  // Each gap has at most one cut.
  return { ranges: complement(cuts, within), gapsKept: complement(kept, within).length - cuts.length }
}
