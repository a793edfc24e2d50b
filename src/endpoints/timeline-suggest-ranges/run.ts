import type { z } from 'zod'
import { ServiceError } from '../../core/errors.ts'
import { durationOf, normalize, type Segment } from '../../core/segments.ts'
import { roundToMillisecond } from '../../core/time-code.ts'
import { nextTurn } from '../../core/turns.ts'
import type { TimelineContext } from '../define-timeline-endpoint.ts'
import { presentSegment, totalSeconds } from '../format.ts'
import { resolveWindow, wholeMedia } from '../job-window.ts'
import type { suggestRangesSettings } from './declaration.ts'
import { rangesFromWords } from './from-words.ts'
import { describeLargeCut } from './large-cuts.ts'
import { minSilenceFor, resolvePauses } from './pauses.ts'
import { suggestRanges } from './suggest-ranges.ts'
import { cutsByText } from './text-settings.ts'

type Settings = z.output<typeof suggestRangesSettings>

export async function runSuggestRanges(context: TimelineContext<Settings>) {
  return cutsByText(context.settings) ? fromWords(context) : fromSegments(context)
}

async function fromWords({ settings, earlierWords }: TimelineContext<Settings>) {
  const earlier = await earlierWords(settings.job_id ?? '')
  const { ranges, within, cuts, uncut, warnings } = await rangesFromWords(earlier, {
    removeWords: settings.remove_words,
    removeRepeats: settings.remove_repeats,
    keepText: settings.keep_text,
  })
  const found = { mediaSeconds: earlier.mediaSeconds, ranges, within, gapsKept: uncut.length }
  const result = present(found)
  return { result: { ...result, cuts, uncut }, warnings: [...warnings, ...warnOfLargeCut(settings, result)] }
}

async function fromSegments(context: TimelineContext<Settings>) {
  const { settings } = context
  const { segments, mediaSeconds = settings.media_seconds, window, minSilenceSeconds } = await timelineFor(context)
  if (mediaSeconds === undefined) {
    throw new ServiceError(
      'invalid_request',
      'The job does not tell how long its media is. Send settings.media_seconds too.',
    )
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

async function timelineFor({
  settings: { segments = [], job_id: jobId },
  earlierTimelines,
}: TimelineContext<Settings>) {
  const [found] = jobId === undefined ? [] : await earlierTimelines([jobId])
  return found ?? { segments, mediaSeconds: undefined, window: wholeMedia, minSilenceSeconds: undefined }
}
