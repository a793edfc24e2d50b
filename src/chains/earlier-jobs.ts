import { ServiceError } from '../core/errors.ts'
import type { JobWindow } from '../core/segments.ts'
import type { SettingsDocument } from '../endpoints/parse-settings.ts'

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
  throw new ServiceError(
    'invalid_request',
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
  /** What `from` fills in at most, for the maximum price. Left out if the price depends on the window alone. */
  readonly dearest?: (given: SettingsDocument, mediaSeconds: number) => SettingsDocument
}

interface FilledStep {
  readonly settings: Readonly<Record<string, unknown>>
  /** What the caller should know about the job that follows. */
  readonly warnings?: readonly string[]
}
