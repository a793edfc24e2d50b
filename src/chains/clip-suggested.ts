import { z } from 'zod'
import { ServiceError } from '../core/errors.ts'
import { clipRanges, type RangeGap } from './clip-ranges.ts'
import { type EarlierJobs, earlierJob, type StepInputs } from './earlier-jobs.ts'
import { withTranscript } from './refuse-clips.ts'

const suggested = z.object({
  ranges: z.array(z.object({ start: z.number(), end: z.number() })),
  cuts: z.array(z.unknown()).optional(),
})

interface Suggested {
  readonly gap: RangeGap
  readonly ifNone: string
  /** If there is nothing to cut: a file that is like the media would be charged for nothing. */
  readonly ifUncut?: string
  /** The job whose transcript captions have, unless they have their own text. */
  readonly transcript?: (earlier: EarlierJobs) => string
}

/** The ranges that `timeline/suggest-ranges` keeps, in one clip job. */
export function clipSuggested({ gap, ifNone, ifUncut, transcript }: Suggested): StepInputs {
  return {
    settings: ['ranges', 'ranges_mode'],
    from: (earlier, given) => {
      const found = suggested.parse(earlierJob(earlier, 'timeline/suggest-ranges').result)
      if (ifUncut && found.cuts?.length === 0) throw new ServiceError('invalid_request', ifUncut)
      const { ranges, warnings } = clipRanges(found.ranges, given, gap)
      const { captions } = given
      const captioned =
        transcript && captions !== undefined ? { captions: withTranscript(captions, transcript(earlier)) } : {}
      if (ranges.length > 0) return { settings: { ranges, ...captioned }, warnings }
      throw new ServiceError('invalid_request', ifNone)
    },
  }
}
