import { z } from 'zod'
import { ServiceError } from '../core/errors.ts'
import { fillers } from '../core/fillers.ts'
import { totalDuration } from '../core/segments.ts'
import { describeLargeCut, minSilenceFor, pauseSettings } from '../endpoints/timeline-suggest-ranges/pauses.ts'
import { cutsByText, textSettings } from '../endpoints/timeline-suggest-ranges/text-settings.ts'
import { clipWindowSettings } from '../endpoints/video-clip-window/declaration.ts'
import {
  clipRanges,
  cutsOf,
  type EarlierJobs,
  earlierJob,
  laterRanges,
  laterTranscript,
  type RangeGap,
  type StepInputs,
  type StepSettings,
  shortestCutSeconds,
  suggestedRanges,
  withTranscript,
} from './earlier-jobs.ts'

const suggesting = 'timeline/suggest-ranges'

/** Settings of the detection that find every pause which the caller wants to be shortened, however loud the recording is. */
export function silencesToFind(given: StepSettings): StepSettings {
  const pauses = z.object(pauseSettings).safeParse(given[suggesting] ?? {})
  const seconds = pauses.success ? minSilenceFor(pauses.data) : undefined
  return {
    'audio/detect-silence': { ...quietOfRecording, ...(seconds === undefined ? {} : { min_silence_seconds: seconds }) },
  }
}

/** What the chains take for silence, unless the caller sets a threshold. */
export const quietOfRecording = { threshold: 'auto' }

const level = z.object({ threshold_db: z.number() })

/** What to change if too much is silence. */
export function lowerThreshold(earlier: EarlierJobs): string {
  const { data } = level.safeParse(earlier['audio/detect-silence']?.result)
  const used = data ? `, which was ${data.threshold_db} dBFS` : ''
  return `If it is not meant, lower settings["audio/detect-silence"].threshold${used}.`
}

/** The label of its file, by which takes of one recording with different pauses can be told apart. */
export function pausesLabel(given: StepSettings): string {
  const { data } = z.object(pauseSettings).safeParse(given[suggesting] ?? {})
  const { preset, max_pause_seconds: longest } = data ?? {}
  if (longest) return `pauses-of-${longest}s`
  return preset === undefined || longest === 0 ? 'without-pauses' : `${preset}-pauses`
}

const finding = 'audio/find-words'

/** Fillers and repeats, unless the caller says what to cut. */
export function usualCuts(given: StepSettings): StepSettings {
  const isSaid = Object.keys(textSettings).some((name) => Object.hasOwn(given[suggesting] ?? {}, name))
  return isSaid ? {} : { [suggesting]: { remove_words: fillers, remove_repeats: true } }
}

/** With settings that cut nothing, only the transcript would be charged. */
export function refuseWithoutCuts(given: StepSettings): string | undefined {
  const { data } = z.object(textSettings).safeParse({ ...usualCuts(given)[suggesting], ...given[suggesting] })
  if (!data || cutsByText(data)) return undefined
  return `settings["${suggesting}"]: send remove_words, remove_repeats or keep_text; without all three, the usual filler words and repeats are cut.`
}

export const clipSpeech = clipSuggested({
  gap: 'cut',
  transcribedBy: finding,
  ifNone: 'The cuts leave nothing of what was heard. Cut fewer words.',
  ifLarge: () => 'If it is not meant, cut fewer words, or check that keep_text is the text of this media.',
  ifUncut:
    'Nothing was cut: no word to remove and no repeat was heard, or none with a quiet moment on both sides. To remove other words, name them: the transcript shows what was heard.',
})

export function cleanSpeechLabel(): string {
  return 'clean-speech'
}

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
      const transcript = transcribedBy === undefined ? undefined : () => earlierJob(earlier, transcribedBy).id
      return { settings: { ranges, ...withTranscript(given, transcript) }, warnings }
    },
    standIn: (given) => ({
      ranges: laterRanges,
      ...withTranscript(given, transcribedBy === undefined ? undefined : laterTranscript),
    }),
  }
}

const changes = clipWindowSettings.pick({
  ...{ format: true, audio_only: true, aspect: true, height: true, loudness: true, captions: true },
  ...{ brand: true, deinterlace: true },
})

/** Whether these settings make another file of the media than a copy, even if nothing is cut. */
function changesFile(given: Readonly<Record<string, unknown>>): boolean {
  const { data } = changes.safeParse(given)
  const usual = changes.parse({})
  // Settings that a later check refuses are not judged here.
  return !data || changes.keyof().options.some((name) => data[name] !== usual[name])
}
