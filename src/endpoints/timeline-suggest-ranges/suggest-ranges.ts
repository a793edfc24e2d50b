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

/** The ranges worth keeping, sorted and apart: short sounds are dropped, what is kept is padded and merged, short cuts are dropped. */
export function suggestRanges(input: SuggestRangesInput): Segment[] {
  const { within, keep, padding, minCutSeconds, minSegmentSeconds } = input
  const sounds = dropShorterThan(normalize(input.sounds), minSegmentSeconds - roundingSeconds)
  const silences = complement(sounds, within)
  const kept = keep === 'silence' ? silences : complement(silences, within)
  const padded = kept.map(({ start, end }) => ({ start: start - padding.before, end: end + padding.after }))
  const cuts = complement(joinAcross(padded, input.mergeGapSeconds), within)
  return complement(dropShorterThan(cuts, minCutSeconds - roundingSeconds), within)
}
