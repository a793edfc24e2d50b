import { z } from 'zod'
import { ServiceError } from '../core/errors.ts'
import { totalDuration } from '../core/segments.ts'
import { describeLargeCut } from '../endpoints/timeline-suggest-ranges/large-cuts.ts'
import { clipWindowSettings } from '../endpoints/video-clip-window/declaration.ts'
import { clipRanges, type RangeGap } from './clip-ranges.ts'
import { type EarlierJobs, earlierJob, type StepInputs } from './earlier-jobs.ts'
import { withTranscript } from './refuse-clips.ts'
import { cutsOf, shortestCutSeconds, suggestedRanges } from './suggested-ranges.ts'

interface Suggested {
  readonly gap: RangeGap
  readonly ifNone: string
  /** The message if the ranges are all of the media. */
  readonly ifUncut: string
  /** What to change if too much is cut. */
  readonly ifLarge: (earlier: EarlierJobs) => string
  /** The endpoint whose job has the transcript for captions. */
  readonly transcribedBy?: string
}

const suggesting = 'timeline/suggest-ranges'

const allowed = z.object({ allow_large_cuts: z.boolean().default(false) })

const savingRanges = suggestedRanges.extend({ saved_seconds: z.number() })

/** The ranges that `timeline/suggest-ranges` keeps, in one clip job. It never pays for a copy of the media. */
export function clipSuggested({ gap, ifNone, ifUncut, ifLarge, transcribedBy }: Suggested): StepInputs {
  return {
    settings: ['ranges', 'ranges_mode'],
    from: (earlier, given) => {
      const suggested = earlierJob(earlier, suggesting)
      const found = savingRanges.parse(suggested.result)
      // A run can cover a part of the media, whose file is no copy of it.
      const isUncut = found.saved_seconds < shortestCutSeconds
      const isWhole = cutsOf(found.ranges, { start: 0, end: found.media_seconds }).length === 0
      if (isUncut && isWhole && !changesFile(given)) throw new ServiceError('nothing_found', ifUncut)
      const taken = clipRanges(found.ranges, given, gap)
      const { ranges } = taken
      if (ranges.length === 0) throw new ServiceError('nothing_found', ifNone)
      const large = describeLargeCut({
        keptSeconds: totalDuration(ranges),
        removedSeconds: found.saved_seconds + totalDuration(found.ranges) - totalDuration(ranges),
      })
      if (large !== undefined && !allowed.parse(suggested.settings).allow_large_cuts) {
        throw new ServiceError(
          'cut_too_large',
          `The run would cut ${large}, so it ended before the cut, which is not charged. ${ifLarge(earlier)} If it is meant, send settings["${suggesting}"].allow_large_cuts: true, or cut the ranges of ${suggested.id} with a job of video/clip-window.`,
        )
      }
      const warnings = [...(isUncut ? [ifUncut] : []), ...taken.warnings]
      const { captions } = given
      if (transcribedBy === undefined || captions === undefined) return { settings: { ranges }, warnings }
      const transcript = earlierJob(earlier, transcribedBy).id
      return { settings: { ranges, captions: withTranscript(captions, transcript) }, warnings }
    },
  }
}

const changes = clipWindowSettings.pick({
  ...{ format: true, audio_only: true, aspect: true, height: true, loudness: true, captions: true },
})

/** Whether these settings make another file of the media than a copy, even if nothing is cut. */
function changesFile(given: Readonly<Record<string, unknown>>): boolean {
  const { data } = changes.safeParse(given)
  const usual = changes.parse({})
  // Settings that a later check refuses are not judged here.
  return !data || changes.keyof().options.some((name) => data[name] !== usual[name])
}
