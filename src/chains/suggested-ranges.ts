import { z } from 'zod'
import { complement, dropShorterThan, type JobWindow, type Segment } from '../core/segments.ts'
import { roundToMillisecond } from '../core/time-code.ts'
import { resolveWindow } from '../endpoints/job-window.ts'
import { clipRanges } from './clip-ranges.ts'
import { earlierJob, type StepInputs, type StepSettings } from './earlier-jobs.ts'

// The step `timeline/suggest-ranges`, which several chains have before `video/clip-window`.

/** What it returns of the ranges to keep. */
export const suggestedRanges = z.object({
  media_seconds: z.number(),
  ranges: z.array(z.object({ start: z.number(), end: z.number() })),
})

/** A cut is longer: ranges are rounded to the millisecond. */
export const shortestCutSeconds = 0.001

/** What the ranges leave out of a window. */
export function cutsOf(ranges: readonly Segment[], within: Segment): Segment[] {
  return dropShorterThan(complement(ranges, within), shortestCutSeconds)
}

/** Suggests ranges from the job of this endpoint. */
export function jobIdFrom(endpoint: string): StepInputs {
  return {
    settings: ['job_id', 'segments', 'media_seconds'],
    from: (earlier) => ({ settings: { job_id: earlierJob(earlier, endpoint).id } }),
  }
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

/** What a run took out of its media. Undefined if the run ended before it suggested ranges. */
export function cutsOfRanges({ window, given, steps }: FinishedRun): Cuts | undefined {
  const suggested = steps.find(({ endpoint }) => endpoint === 'timeline/suggest-ranges')
  const { data } = suggestedRanges.safeParse(suggested?.result)
  if (!data) return undefined
  const within = resolveWindow(window, data.media_seconds)
  const { ranges } = clipRanges(data.ranges, given['video/clip-window'] ?? {})
  return { secondsIn: roundToMillisecond(within.end - within.start), cuts: cutsOf(ranges, within).length }
}
