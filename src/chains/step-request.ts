import { z } from 'zod'
import { ServiceError } from '../core/errors.ts'
import { derivedId } from '../core/ids.ts'
import { liveEndpoint } from '../endpoints/catalog.ts'
import type { LiveEndpoint } from '../endpoints/define-endpoint.ts'
import type { EarlierJob } from '../endpoints/define-timeline-endpoint.ts'
import { type JobWindow, wholeMedia } from '../endpoints/job-window.ts'
import { type SettingsDocument, settingsDocument } from '../endpoints/parse-settings.ts'
import { type Chain, getChain } from './chains.ts'

/** What a caller set, by endpoint id. */
export const settingsByStep = z.record(z.string(), settingsDocument)

export interface StepRequest {
  readonly endpoint: LiveEndpoint
  readonly window: JobWindow
  readonly settings: SettingsDocument
}

export interface StepInput {
  readonly position: number
  readonly window: JobWindow
  readonly settings: z.output<typeof settingsByStep>
  /** The completed job of the step before; undefined for the first step. */
  readonly before: EarlierJob | undefined
}

/** What the job of a step is asked: what the caller set, and what the job before found. Undefined past the last step. */
export function stepRequest(chain: Chain, { position, before, ...run }: StepInput): StepRequest | undefined {
  const id = chain.steps[position]
  if (id === undefined) return undefined
  const endpoint = liveEndpoint(id)
  const filled = before ? chain.inputsFrom[id]?.from(before) : undefined
  const settings = settingsDocument.parse(endpoint.settings.parse({ ...run.settings[id], ...filled }))
  // The jobs after the first work on what it found, wherever that lies.
  const window = position === 0 ? run.window : wholeMedia
  const refusal = endpoint.validate(window, settings)
  if (refusal) throw new ServiceError('invalid_request', refusal)
  return { endpoint, window, settings }
}

/** Always the same for the same step, so that a step that runs again finds its job. */
export function stepJobId(runId: string, position: number): string {
  return derivedId('job', runId, position)
}

/** The id of the job that ends a run, whether it is there yet or not. */
export function lastJobId({ id, chain }: { readonly id: string; readonly chain: string }): string {
  return stepJobId(id, getChain(chain).steps.length - 1)
}
