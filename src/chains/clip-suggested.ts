import { z } from 'zod'
import { ServiceError } from '../core/errors.ts'
import { clipRanges, type RangeGap } from './clip-ranges.ts'
import { earlierJob, type StepInputs } from './earlier-jobs.ts'
import { withTranscript } from './refuse-clips.ts'

const suggested = z.object({
  ranges: z.array(z.object({ start: z.number(), end: z.number() })),
  cuts: z.array(z.unknown()).optional(),
})

interface Suggested {
  readonly gap: RangeGap
  readonly ifNone: string
  /** The message if there is nothing to cut. The clip would be a copy of the media, and be charged. */
  readonly ifUncut?: string
  /** The endpoint whose job has the transcript for captions. */
  readonly transcribedBy?: string
}

/** The ranges that `timeline/suggest-ranges` keeps, in one clip job. */
export function clipSuggested({ gap, ifNone, ifUncut, transcribedBy }: Suggested): StepInputs {
  return {
    settings: ['ranges', 'ranges_mode'],
    from: (earlier, given) => {
      const found = suggested.parse(earlierJob(earlier, 'timeline/suggest-ranges').result)
      if (ifUncut && found.cuts?.length === 0) throw new ServiceError('nothing_found', ifUncut)
      const { ranges, warnings } = clipRanges(found.ranges, given, gap)
      if (ranges.length === 0) throw new ServiceError('nothing_found', ifNone)
      const { captions } = given
      if (transcribedBy === undefined || captions === undefined) return { settings: { ranges }, warnings }
      const transcript = earlierJob(earlier, transcribedBy).id
      return { settings: { ranges, captions: withTranscript(captions, transcript) }, warnings }
    },
  }
}
