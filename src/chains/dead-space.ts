import { z } from 'zod'
import { complement, dropShorterThan, type JobWindow } from '../core/segments.ts'
import { roundToMillisecond } from '../core/time-code.ts'
import { resolveWindow } from '../endpoints/job-window.ts'
import { minSilenceFor, pauseSettings } from '../endpoints/timeline-suggest-ranges/pauses.ts'
import { clipRanges } from './clip-ranges.ts'

const suggesting = 'timeline/suggest-ranges'
const cutting = 'video/clip-window'

/** A step's settings by endpoint id. */
export type StepSettings = Readonly<Record<string, Readonly<Record<string, unknown>>>>

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

export interface FinishedRun {
  readonly window: JobWindow
  readonly given: StepSettings
  readonly steps: readonly { readonly endpoint: string; readonly result: unknown }[]
}

export interface Cuts {
  /** Length of the part of the media that the run covered. */
  readonly secondsIn: number
  /** How many times the run cut something out of that part. */
  readonly cuts: number
}

const suggestion = z.object({
  media_seconds: z.number(),
  ranges: z.array(z.object({ start: z.number(), end: z.number() })),
})

/** What a run took out of its media. Undefined if the run ended before it suggested ranges. */
export function cutsOfRanges({ window, given, steps }: FinishedRun): Cuts | undefined {
  const { data } = suggestion.safeParse(steps.find(({ endpoint }) => endpoint === suggesting)?.result)
  if (!data) return undefined
  const within = resolveWindow(window, data.media_seconds)
  const { ranges } = clipRanges(data.ranges, given[cutting] ?? {})
  // Ranges are rounded to the millisecond.
  const cuts = dropShorterThan(complement(ranges, within), 0.001)
  return { secondsIn: roundToMillisecond(within.end - within.start), cuts: cuts.length }
}
