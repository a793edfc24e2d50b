import { z } from 'zod'
import { ServiceError } from '../core/errors.ts'
import type { Segment } from '../core/segments.ts'
import { counted } from '../core/text.ts'
import { detectLaughterSettings } from '../endpoints/audio-detect-laughter/declaration.ts'
import { findWordsSettings } from '../endpoints/audio-find-words/declaration.ts'
import { describeNoMatch } from '../endpoints/match-words.ts'
import { clipNearSettings } from '../endpoints/video-clip-near/declaration.ts'
import { maxMoments, snapReachOf } from '../endpoints/video-clip-near/moments.ts'
import { quietOfRecording } from './cut-chains.ts'
import {
  type EarlierJobs,
  earlierJob,
  laterTranscript,
  type StepInputs,
  type StepSettings,
  withTranscript,
} from './earlier-jobs.ts'

const finding = 'audio/find-words'
const laughing = 'audio/detect-laughter'

/** Refuses settings without queries: they would match nothing, after the transcript was charged. */
export function refuseWords(given: StepSettings): string | undefined {
  const { success } = z.object({ queries: z.array(z.unknown()).min(1) }).safeParse(given[finding] ?? {})
  return success ? undefined : `settings["${finding}"].queries: send the words or phrases to cut clips around.`
}

const found = z.array(z.object({ start: z.number(), end: z.number() }))
const matches = z.object({ matches: found })
const laughs = z.object({ segments: found })
const silenceLevel = z.object({ threshold_db: z.number().min(-90).max(0) })

/** One clip for each match of the words. */
export const clipMatches = clipsAround({
  foundIn: (earlier) => matches.parse(earlierJob(earlier, finding).result).matches,
  one: 'match',
  many: 'matches',
  ifNone: (earlier) => {
    const { queries } = findWordsSettings.pick({ queries: true }).parse(earlierJob(earlier, finding).settings)
    return describeNoMatch(queries)
  },
  transcript: (earlier) => earlierJob(earlier, finding).id,
})

const laughter: ClipSubject = {
  foundIn: (earlier) => laughs.parse(earlierJob(earlier, laughing).result).segments,
  one: 'laugh',
  many: 'laughs',
  quietBelow: (earlier) => silenceLevel.safeParse(earlier['audio/detect-silence']?.result).data?.threshold_db,
  ifNone: (earlier) => {
    const { threshold } = detectLaughterSettings.pick({ threshold: true }).parse(earlierJob(earlier, laughing).settings)
    return `${laughing} found no laughter with a score of ${threshold} or more. Lower its threshold, or choose another window or media.`
  },
}

/** One clip for each laugh. The silences are in the stored analysis, where the clips find their edges. */
export const clipLaughs = clipsAround(laughter)

/** A step that looks at the media as the first one did. Without laughter it would be charged for nothing. */
export const mediaWithLaughs: StepInputs = {
  settings: [],
  readsWindow: true,
  from: (earlier) => {
    foundBy(laughter, earlier)
    return { settings: {} }
  },
}

/** What people laugh about mostly takes longer than the laugh. */
export function reachOfLaughs(): StepSettings {
  return { 'audio/detect-silence': quietOfRecording, 'video/clip-near': { before_seconds: 10, after_seconds: 5 } }
}

interface ClipSubject {
  /** In the order of their starts. */
  readonly foundIn: (earlier: EarlierJobs) => readonly Segment[]
  readonly one: string
  readonly many: string
  /** The message: what was searched for, and what to change. */
  readonly ifNone: (earlier: EarlierJobs) => string
  /** The level of the silences in which clips begin and end, in dBFS. */
  readonly quietBelow?: (earlier: EarlierJobs) => number | undefined
  /** The job whose transcript makes captions. */
  readonly transcript?: (earlier: EarlierJobs) => string
}

const clipReach = clipNearSettings.pick({ before_seconds: true, after_seconds: true, snap: true })

/** The starts of the segments that no earlier segment's clip surely contains, even if the end of that clip moves inwards. */
function momentsApart(found: readonly Segment[], settings: z.output<typeof clipReach>): number[] {
  const certain = settings.after_seconds - snapReachOf(settings)
  const apart: number[] = []
  for (const { start, end } of found) if (end > (apart.at(-1) ?? Number.NEGATIVE_INFINITY) + certain) apart.push(start)
  return apart
}

/** Throws `nothing_found` if nothing was. */
function foundBy({ foundIn, ifNone }: ClipSubject, earlier: EarlierJobs): readonly Segment[] {
  const all = foundIn(earlier)
  if (all.length === 0) throw new ServiceError('nothing_found', ifNone(earlier))
  return all
}

/** One clip for each that was found, except for those that the clip of an earlier one contains. */
function clipsAround(searched: ClipSubject): StepInputs {
  const { one, many, transcript, quietBelow } = searched
  return {
    settings: ['moments'],
    from: (earlier, given) => {
      const all = foundBy(searched, earlier)
      const apart = momentsApart(all, clipReach.parse(given))
      const within = all.length - apart.length
      const left = apart.length - maxMoments
      const warnings = [
        ...(within > 0
          ? [`Without clips of their own, because earlier clips contain them: ${counted(within, one, many)}.`]
          : []),
        ...(left > 0
          ? [
              `One job cuts ${maxMoments} clips, the first ones. Without clips: ${counted(left, one, many)}. Send their times as moments of another job of video/clip-near.`,
            ]
          : []),
      ]
      const captioned = withTranscript(given, transcript && (() => transcript(earlier)))
      const level = given['quiet_threshold'] === undefined ? quietBelow?.(earlier) : undefined
      const quiet = level === undefined ? {} : { quiet_threshold: level }
      return { settings: { moments: apart.slice(0, maxMoments), ...quiet, ...captioned }, warnings }
    },
    standIn: (given) => ({ moments: [0], ...withTranscript(given, transcript && laterTranscript) }),
    // As many clips as one job cuts, each as long as it can be.
    dearest: (given, mediaSeconds) => {
      const settings = clipReach.parse(given)
      const moment = Math.min(settings.before_seconds + snapReachOf(settings), mediaSeconds - 0.001)
      return { moments: Array.from({ length: maxMoments }, () => Math.max(0, moment)) }
    },
  }
}
