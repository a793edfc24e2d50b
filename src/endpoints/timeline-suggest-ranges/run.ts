import type { z } from 'zod'
import { ServiceError } from '../../core/errors.ts'
import { durationOf, normalize } from '../../core/segments.ts'
import { roundToMillisecond } from '../../core/time-code.ts'
import type { TimelineContext } from '../define-timeline-endpoint.ts'
import { presentSegment, totalSeconds } from '../format.ts'
import { resolveWindow, wholeMedia } from '../job-window.ts'
import type { suggestRangesSettings } from './declaration.ts'
import { minSilenceFor, resolvePauses } from './pauses.ts'
import { suggestRanges } from './suggest-ranges.ts'

type Settings = z.output<typeof suggestRangesSettings>

export async function runSuggestRanges(context: TimelineContext<Settings>) {
  const { settings } = context
  const { segments, mediaSeconds = settings.media_seconds, window, minSilenceSeconds } = await timelineFor(context)
  if (mediaSeconds === undefined) {
    throw new ServiceError(
      'invalid_request',
      'The job does not tell how long its media is. Send settings.media_seconds too.',
    )
  }
  const within = resolveWindow(window, mediaSeconds)
  const { ranges: suggested, gapsKept } = suggestRanges({
    sounds: segments,
    within,
    keep: settings.keep,
    ...resolvePauses(settings),
    mergeGapSeconds: settings.merge_gap_seconds,
    minSegmentSeconds: settings.min_segment_seconds,
  })
  // After rounding, ranges can touch or be empty.
  const ranges = normalize(suggested.map(presentSegment))
  const kept = totalSeconds(ranges)
  return {
    result: {
      media_seconds: roundToMillisecond(mediaSeconds),
      ranges: ranges.map(presentSegment),
      kept_seconds: kept,
      saved_seconds: roundToMillisecond(durationOf(presentSegment(within)) - kept),
      gaps_kept: gapsKept,
    },
    warnings: warnOfUnfoundPauses(settings, minSilenceSeconds),
  }
}

function warnOfUnfoundPauses(settings: Settings, foundFrom: number | undefined): string[] {
  const needed = minSilenceFor(settings)
  if (foundFrom === undefined || needed === undefined || foundFrom <= needed) return []
  return [
    `The job of job_id found pauses from ${foundFrom} s on, so that shorter ones stay. Shortening them needs a detection with min_silence_seconds ${needed}.`,
  ]
}

async function timelineFor({
  settings: { segments = [], job_id: jobId },
  earlierTimelines,
}: TimelineContext<Settings>) {
  const [found] = jobId === undefined ? [] : await earlierTimelines([jobId])
  return found ?? { segments, mediaSeconds: undefined, window: wholeMedia, minSilenceSeconds: undefined }
}
