import { z } from 'zod'
import { minSilenceFor, pauseSettings } from '../endpoints/timeline-suggest-ranges/pauses.ts'
import type { EarlierJobs, StepSettings } from './earlier-jobs.ts'

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
