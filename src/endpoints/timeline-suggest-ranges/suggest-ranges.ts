import {
  complement,
  dropShorterThan,
  joinAcross,
  normalize,
  roundingSeconds,
  type Segment,
} from '../../core/segments.ts'
import { nextTurn } from '../../core/turns.ts'

export interface SuggestRangesInput {
  /** The sounding segments. */
  readonly sounds: readonly Segment[]
  /** The part of the media that ranges stay within. */
  readonly within: Segment
  readonly keep: 'sound' | 'silence'
  /** The silence that stays around every sound; with `maxPauseSeconds`, only before the first sound and after the last. */
  readonly padding: { readonly before: number; readonly after: number }
  /** Pauses between sounds are shortened to this. Undefined: they are removed, except for the padding. */
  readonly maxPauseSeconds?: number | undefined
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

/** The ranges worth keeping: drops short sounds, pads and merges the rest, drops short cuts. No pause stays longer than `maxPauseSeconds`. */
export async function suggestRanges(input: SuggestRangesInput): Promise<SuggestedRanges> {
  const { within, keep, maxPauseSeconds, minCutSeconds, minSegmentSeconds } = input
  const sounds = dropShorterThan(normalize(input.sounds), minSegmentSeconds - roundingSeconds)
  await nextTurn()
  const silences = complement(sounds, within)
  await nextTurn()
  const kept = keep === 'silence' ? silences : complement(silences, within)
  const halfPause = maxPauseSeconds === undefined ? undefined : halfOf(maxPauseSeconds)
  const padded = padAll(kept, input.padding, halfPause)
  const uncutSeconds = Math.max(input.mergeGapSeconds, (maxPauseSeconds ?? 0) - 2 * (halfPause ?? 0))
  await nextTurn()
  const joined = joinAcross(padded, uncutSeconds)
  await nextTurn()
  const gaps = complement(joined, within)
  const cuts = dropShorterThan(gaps, minCutSeconds - roundingSeconds)
  await nextTurn()
  const ranges = complement(cuts, within)
  await nextTurn()
  // Each gap has at most one cut.
  return { ranges, gapsKept: complement(kept, within).length - cuts.length }
}

/** Silences are found in whole milliseconds: what stays of one can be up to 1 ms longer on each side than it was measured. */
const edgeMs = 1

/** What stays of a pause on each side of its cut, in whole milliseconds. */
function halfOf(maxPauseSeconds: number): number {
  return Math.max(0, Math.floor(maxPauseSeconds * 500) - edgeMs) / 1000
}

function padAll(
  sounds: readonly Segment[],
  { before, after }: SuggestRangesInput['padding'],
  halfPause: number | undefined,
): Segment[] {
  const last = sounds.length - 1
  return sounds.map(({ start, end }, index) => ({
    start: start - (index === 0 ? before : (halfPause ?? before)),
    end: end + (index === last ? after : (halfPause ?? after)),
  }))
}
