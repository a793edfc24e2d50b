import { z } from 'zod'
import { invalidRequest } from '../core/errors.ts'
import { complement, dropShorterThan, type JobWindow, joinAcross, type Segment } from '../core/segments.ts'
import { counted } from '../core/text.ts'
import { roundToMillisecond } from '../core/time-code.ts'
import { resolveWindow, type SettingsDocument, shortestWindowSeconds } from '../endpoints/parse-settings.ts'
import { maxRangesWith } from '../endpoints/video-clip-window/ranges.ts'

/** A step's settings by endpoint id. */
export type StepSettings = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** The completed job of an earlier step. */
export interface EarlierJob {
  readonly id: string
  readonly window: JobWindow
  readonly settings: unknown
  readonly result: unknown
}

/** The jobs of the steps before, by endpoint id. Agents who continue a chain may leave out some of them. */
export type EarlierJobs = Readonly<Record<string, EarlierJob | undefined>>

/** Throws `invalid_request` if the job is not known. */
export function earlierJob(earlier: EarlierJobs, endpoint: string): EarlierJob {
  const job = earlier[endpoint]
  if (job) return job
  throw invalidRequest(
    `This step needs the result of ${endpoint}. Send that job in earlier_job_ids too, or run the whole chain, with mode run_all.`,
  )
}

/** How the job of a step uses the results of the jobs before it. */
export interface StepInputs {
  /** The settings that it sets, which callers leave out. */
  readonly settings: readonly string[]
  /** The step reads the window of the run. Others use the times of earlier results, and need none. */
  readonly readsWindow?: true
  /** `given` are the other settings of the step. */
  readonly from: (earlier: EarlierJobs, given: Readonly<Record<string, unknown>>) => FilledStep
  /** Settings like those that `from` fills in, with which the step's settings are checked before any step is charged. */
  readonly standIn?: (given: SettingsDocument) => Readonly<Record<string, unknown>>
  /** What `from` fills in at most, for the maximum price. Left out if the price depends on the window alone. */
  readonly dearest?: (given: SettingsDocument, mediaSeconds: number) => SettingsDocument
}

interface FilledStep {
  readonly settings: Readonly<Record<string, unknown>>
  /** What the caller should know about the job that follows. */
  readonly warnings?: readonly string[]
}

/** Stands for a job that does not exist yet. */
export const laterJobId = 'job_0'
export const laterTranscript = (): string => laterJobId

/** The same for ranges that are not found yet. */
export const laterRanges = [{ start: 0, end: 1 }]

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
    standIn: () => ({ job_id: laterJobId }),
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

/** What lies between two ranges. */
export type RangeGap = 'pause' | 'cut'

interface ClipRanges {
  readonly ranges: readonly Segment[]
  readonly warnings: readonly string[]
}

/**
 * The ranges for one clip job with these settings. Ranges that are too short to cut are left out. If there are too many, the
 * shortest gaps are closed: the detection before is already charged, so that a refusal would take money for nothing.
 */
export function clipRanges(
  found: readonly Segment[],
  settings: { readonly join?: unknown },
  gap: RangeGap = 'pause',
): ClipRanges {
  const long = dropShorterThan(found, shortestWindowSeconds)
  const max = maxRangesWith(settings)
  const gaps = long.slice(1).map(({ start }, index) => start - (long[index]?.end ?? start))
  const widestClosed = gaps.toSorted((a, b) => a - b)[long.length - max - 1]
  if (widestClosed === undefined) return { ranges: long, warnings: [] }
  const ranges = joinAcross(long, widestClosed)
  const closed = counted(long.length - ranges.length, gap)
  return { ranges, warnings: [`One job cuts at most ${max} ranges, so the shortest ${gap}s stay: ${closed}.`] }
}

/** Captions with the transcript of a job, if there is one, unless they have captions of their own. Other values are left as they are. */
export function withTranscript(
  { captions }: Readonly<Record<string, unknown>>,
  transcript: (() => string) | undefined,
): { readonly captions?: unknown } {
  if (captions === undefined) return {}
  const isOpen = typeof captions === 'object' && captions !== null && !('job_id' in captions) && !('text' in captions)
  return { captions: isOpen && transcript ? { ...captions, job_id: transcript() } : captions }
}
