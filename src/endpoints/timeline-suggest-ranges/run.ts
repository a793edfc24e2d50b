import type { z } from 'zod'
import { ServiceError } from '../../core/errors.ts'
import { durationOf, normalize } from '../../core/segments.ts'
import { roundToMillisecond } from '../../core/time-code.ts'
import type { TimelineContext } from '../define-timeline-endpoint.ts'
import { presentSegment, totalSeconds } from '../format.ts'
import { resolveWindow, wholeMedia } from '../job-window.ts'
import type { suggestRangesSettings } from './declaration.ts'
import { resolvePauses } from './pauses.ts'
import { suggestRanges } from './suggest-ranges.ts'

type Settings = z.output<typeof suggestRangesSettings>

export async function runSuggestRanges(context: TimelineContext<Settings>) {
  const { settings } = context
  const { segments, mediaSeconds = settings.media_seconds, window } = await timelineFor(context)
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
    media_seconds: roundToMillisecond(mediaSeconds),
    ranges: ranges.map(presentSegment),
    kept_seconds: kept,
    saved_seconds: roundToMillisecond(durationOf(presentSegment(within)) - kept),
    gaps_kept: gapsKept,
  }
}

async function timelineFor({
  settings: { segments = [], job_id: jobId },
  earlierTimelines,
}: TimelineContext<Settings>) {
  const [found] = jobId === undefined ? [] : await earlierTimelines([jobId])
  return found ?? { segments, mediaSeconds: undefined, window: wholeMedia }
}
