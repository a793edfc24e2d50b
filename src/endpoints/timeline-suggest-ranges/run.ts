import type { z } from 'zod'
import { invalidRequest, ServiceError } from '../../core/errors.ts'
import { complement, dropShorterThan, durationOf, joinAcross, normalize, type Segment } from '../../core/segments.ts'
import { counted, quotedList } from '../../core/text.ts'
import { roundToMillisecond } from '../../core/time-code.ts'
import { mapInTurns, nextTurn } from '../../core/turns.ts'
import type { EarlierWords, TimelineContext } from '../define-timeline-endpoint.ts'
import { assertSegmentCount, presentSegment, totalSeconds } from '../format.ts'
import { resolveWindow, wholeMedia } from '../parse-settings.ts'
import type { suggestRangesSettings } from './declaration.ts'
import { findCuts, type TextCut, type TextCuts, type WordsToCut } from './find-cuts.ts'
import { describeLargeCut, minSilenceFor, resolvePauses } from './pauses.ts'
import { cutsByText, cutsFillers } from './text-settings.ts'

type Settings = z.output<typeof suggestRangesSettings>

type SuggestContext = Omit<TimelineContext<Settings>, 'earlierSound'>

export async function runSuggestRanges(context: SuggestContext) {
  return cutsByText(context.settings) ? fromWords(context) : fromSegments(context)
}

async function fromWords({ settings, earlierWords }: SuggestContext) {
  const earlier = await earlierWords(settings.job_id ?? '')
  const { ranges, within, cuts, uncut, warnings } = await rangesFromWords(earlier, {
    removeWords: settings.remove_words,
    removeRepeats: settings.remove_repeats,
    keepText: settings.keep_text,
    hesitations: cutsFillers(settings) ? (earlier.hesitations ?? []) : [],
  })
  const found = { mediaSeconds: earlier.mediaSeconds, ranges, within, gapsKept: uncut.length }
  const result = present(found)
  return { result: { ...result, cuts, uncut }, warnings: [...warnings, ...warnOfLargeCut(settings, result)] }
}

async function fromSegments(context: SuggestContext) {
  const { settings } = context
  const { segments, mediaSeconds = settings.media_seconds, window, minSilenceSeconds } = await timelineFor(context)
  if (mediaSeconds === undefined) {
    throw invalidRequest('The job does not tell how long its media is. Send settings.media_seconds too.')
  }
  const within = resolveWindow(window, mediaSeconds)
  const { ranges: suggested, gapsKept } = await suggestRanges({
    sounds: segments,
    within,
    keep: settings.keep,
    ...resolvePauses(settings),
    mergeGapSeconds: settings.merge_gap_seconds,
    minSegmentSeconds: settings.min_segment_seconds,
  })
  await nextTurn()
  const result = present({ mediaSeconds, ranges: suggested, within, gapsKept })
  return {
    result,
    warnings: [...warnOfUnfoundPauses(settings, minSilenceSeconds), ...warnOfLargeCut(settings, result)],
  }
}

interface FoundRanges {
  readonly mediaSeconds: number
  readonly ranges: readonly Segment[]
  /** What the ranges are of. */
  readonly within: Segment
  readonly gapsKept: number
}

function present({ mediaSeconds, within, gapsKept, ...found }: FoundRanges) {
  // After rounding, ranges can touch or be empty.
  const ranges = normalize(found.ranges.map(presentSegment))
  const kept = totalSeconds(ranges)
  return {
    media_seconds: roundToMillisecond(mediaSeconds),
    ranges: ranges.map(presentSegment),
    kept_seconds: kept,
    saved_seconds: roundToMillisecond(durationOf(presentSegment(within)) - kept),
    gaps_kept: gapsKept,
  }
}

function warnOfUnfoundPauses(settings: Settings, foundFrom: number | undefined): string[] {
  const needed = minSilenceFor(settings)
  if (foundFrom === undefined || needed === undefined || foundFrom <= needed) return []
  return [
    `The job of job_id found pauses from ${foundFrom} s on, so that shorter ones stay. Shortening them needs a detection with min_silence_seconds ${needed}.`,
  ]
}

function warnOfLargeCut(
  { allow_large_cuts: isAllowed }: Settings,
  { kept_seconds, saved_seconds }: ReturnType<typeof present>,
): string[] {
  const large = describeLargeCut({ keptSeconds: kept_seconds, removedSeconds: saved_seconds })
  if (isAllowed || large === undefined) return []
  return [`These ranges leave out ${large}. If that is not meant, check the settings of the detection.`]
}

async function timelineFor({ settings: { segments = [], job_id: jobId }, earlierTimelines }: SuggestContext) {
  const [found] = jobId === undefined ? [] : await earlierTimelines([jobId])
  return found ?? { segments, mediaSeconds: undefined, window: wholeMedia, minSilenceSeconds: undefined }
}

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
  const sounds = dropShorterThan(normalize(input.sounds), minSegmentSeconds)
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
  const cuts = dropShorterThan(gaps, minCutSeconds)
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

/** The ranges that stay when the unwanted words are cut, and what was cut. Throws `nothing_found` if no word was heard. */
export async function rangesFromWords({ words, window, mediaSeconds }: EarlierWords, wanted: WordsToCut) {
  if (words.length === 0)
    throw new ServiceError('nothing_found', 'The job heard no words. Choose media, or a window, with English speech.')
  const within = resolveWindow(window, mediaSeconds)
  const found = await findCuts(words, within, wanted)
  for (const list of [found.cuts, found.uncut]) assertSegmentCount(list.length, 'Cut less')
  const cuts = await mapInTurns(found.cuts, presentCut)
  const uncut = await mapInTurns(found.uncut, presentCut)
  const ranges = complement(cuts, presentSegment(within))
  assertSegmentCount(ranges.length, 'Cut less')
  return { ranges, within, cuts, uncut, warnings: warnOf(found) }
}

function presentCut({ text, reason, ...span }: TextCut) {
  return { ...presentSegment(span), text, reason }
}

function warnOf({ cuts, uncut, missing }: TextCuts): string[] {
  const warnings: string[] = []
  const listed = 'uncut in the result of timeline/suggest-ranges lists what stays.'
  const doubtful = uncut.filter(({ reason }) => reason === 'sound').length
  const loud = uncut.length - doubtful
  if (loud > 0)
    warnings.push(
      `Not cut, because no quiet moment is beside them: ${loud} of ${counted(loud + cuts.length, 'place')}. ${listed}`,
    )
  if (doubtful > 0)
    warnings.push(`Not cut, because they may be words: ${counted(doubtful, 'sound')} like a filler. ${listed}`)
  if (missing.length > 0) {
    const listed = quotedList(missing, { maxListed: 20, maxLength: 200 })
    warnings.push(`Not said, of settings.keep_text: ${listed}.`)
  }
  return warnings
}
