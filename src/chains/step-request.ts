import { z } from 'zod'
import { invalidRequest } from '../core/errors.ts'
import { derivedId } from '../core/ids.ts'
import type { MediaInfo } from '../core/media.ts'
import type { JobWindow } from '../core/segments.ts'
import { asOfStep } from '../core/text.ts'
import { liveEndpoint } from '../endpoints/catalog.ts'
import { checkMedia, type LiveEndpoint } from '../endpoints/define-endpoint.ts'
import { type SettingsDocument, settingsDocument, wholeMedia } from '../endpoints/parse-settings.ts'
import { type Chain, getChain } from './chains.ts'
import type { EarlierJobs, StepSettings } from './earlier-jobs.ts'

/** What a caller set, by endpoint id. */
export const settingsByStep = z.record(z.string(), settingsDocument)

interface StepRequest {
  readonly endpoint: LiveEndpoint
  readonly window: JobWindow
  readonly settings: SettingsDocument
  readonly warnings: readonly string[]
}

interface StepInput {
  readonly position: number
  readonly window: JobWindow
  readonly settings: z.output<typeof settingsByStep>
  /** Empty for the first step. */
  readonly earlier: EarlierJobs
}

/** The chain's own settings for a step, and over them the caller's. */
export function settingsForStep({ stepDefaults }: Chain, given: StepSettings, id: string): StepSettings[string] {
  return { ...stepDefaults?.(given)[id], ...given[id] }
}

/** The request of a step's job, from the caller's settings and the earlier jobs' results. Undefined after the last step. */
export function stepRequest(chain: Chain, { position, earlier, ...run }: StepInput): StepRequest | undefined {
  const id = chain.steps[position]
  if (id === undefined) return undefined
  const endpoint = liveEndpoint(id)
  const asked = settingsForStep(chain, run.settings, id)
  const inputs = chain.inputsFrom[id]
  const filled = inputs?.from(earlier, asked)
  const given = { ...asked, ...filled?.settings }
  const settings = settingsDocument.parse(endpoint.settings.parse(given))
  const window = position === 0 || inputs?.readsWindow ? run.window : wholeMedia
  const refusal = endpoint.validate(window, settings)
  if (refusal) throw invalidRequest(asOfStep(refusal, id))
  return { endpoint, window, settings, warnings: filled?.warnings ?? [] }
}

/** What `stepRequest` refuses in a step after the first, whatever the jobs before it find. */
export function refuseLater({ inputsFrom }: Chain, id: string, settings: SettingsDocument): string | undefined {
  const inputs = inputsFrom[id]
  const refusal = inputs && liveEndpoint(id).validate(wholeMedia, { ...settings, ...inputs.standIn?.(settings) })
  return refusal && asOfStep(refusal, id)
}

/** Throws if a step cannot process the media, or the media is shorter than the window. */
export function checkMediaOfSteps(
  chain: Chain,
  { settings, ...window }: JobWindow & { readonly settings: StepSettings },
  info: MediaInfo,
): void {
  for (const id of chain.steps) {
    const endpoint = liveEndpoint(id)
    const given = { ...window, settings: settingsForStep(chain, settings, id) }
    if (endpoint.readsMedia) checkMedia(endpoint, given, info, (setting) => asOfStep(setting, id))
  }
}

/** Always the same for the same step, so that a repeated step finds its job. */
export function stepJobId(runId: string, position: number): string {
  return derivedId('job', runId, position)
}

/** The id of a run's last job, whether that job exists yet or not. */
export function lastJobId({ id, chain }: { readonly id: string; readonly chain: string }): string {
  return stepJobId(id, getChain(chain).steps.length - 1)
}

/** How much of a chain a request runs. */
export const runModes = ['plan', 'queue_first', 'run_all'] as const
