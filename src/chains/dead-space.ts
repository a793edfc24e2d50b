import { z } from 'zod'
import { minSilenceFor, pauseSettings } from '../endpoints/timeline-suggest-ranges/pauses.ts'
import type { StepSettings } from './earlier-jobs.ts'

const suggesting = 'timeline/suggest-ranges'

/** Settings of the detection that find every pause which the caller wants to be shortened. */
export function silencesToFind(given: StepSettings): StepSettings {
  const pauses = z.object(pauseSettings).safeParse(given[suggesting] ?? {})
  const seconds = pauses.success ? minSilenceFor(pauses.data) : undefined
  return seconds === undefined ? {} : { 'audio/detect-silence': { min_silence_seconds: seconds } }
}

/** The label of its file, by which takes of one recording with different pauses can be told apart. */
export function pausesLabel(given: StepSettings): string {
  const { data } = z.object(pauseSettings).safeParse(given[suggesting] ?? {})
  const { preset, max_pause_seconds: longest } = data ?? {}
  if (longest) return `pauses-of-${longest}s`
  return preset === undefined || longest === 0 ? 'without-pauses' : `${preset}-pauses`
}
