import type { Credential } from '../../src/accounts/credentials.ts'
import { assertCanHold } from '../../src/billing/holds.ts'
import { type MaxPrice, maxPriceOf } from '../../src/billing/price.ts'
import { type Chain, missingSteps } from '../../src/chains/chains.ts'
import { checkMediaOfSteps, refuseLater, settingsForStep } from '../../src/chains/step-request.ts'
import { installModels, ServiceError } from '../../src/core/errors.ts'
import { describePath } from '../../src/core/input-problems.ts'
import { fromUsd, type MicroUsd, minMicroUsd } from '../../src/core/money.ts'
import type { JobWindow } from '../../src/core/segments.ts'
import { liveEndpoint } from '../../src/endpoints/catalog.ts'
import {
  assertStartBeforeEnd,
  parseSettings,
  parseWindow,
  resolveWindow,
  type SettingsDocument,
} from '../../src/endpoints/parse-settings.ts'
import { assertScope } from '../http/authenticate.ts'
import type { ApiContext } from '../http/context.ts'
import { checkNamed } from '../jobs/create.ts'
import { type ProbeContext, requestProbe } from '../jobs/estimate.ts'
import { maxWarnings, warnOfUnknownSettings, windowFields } from '../jobs/validate.ts'
import type { RunRequest } from './schema.ts'

export interface StepPrice {
  readonly endpoint: string
  readonly maxMicroUsd: MicroUsd
  /** Whether the step costs its maximum in any case, whatever earlier steps find. */
  readonly isCertain: boolean
}

export interface RunPlan {
  readonly mediaSeconds: number
  readonly window: JobWindow
  readonly steps: readonly StepPrice[]
  readonly maxMicroUsd: MicroUsd
  /** The maximum price that the caller allows. */
  readonly limitMicroUsd: MicroUsd
  readonly warnings: readonly string[]
}

type PlanContext = ProbeContext & Pick<ApiContext, 'models'>

export interface PlanRunInput {
  readonly chain: Chain
  readonly request: RunRequest
  readonly credential: Credential
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
}

/** The maximum price of a run. Refuses a run that could not complete: a preview step, a scope, settings, the media. */
export async function planRun(
  context: PlanContext,
  { chain, request, credential, signal }: PlanRunInput,
): Promise<RunPlan> {
  const window = parseWindow(request)
  assertStartBeforeEnd(window)
  const steps = await checkChain(context, { chain, request, credential })
  const mediaSeconds = await mediaLengthForPlan(context, { chain, request, credential, signal }, window)
  const priced = steps.map(({ endpoint, settings }) => {
    const max = maxStepPrice(chain, endpoint.id, { window, settings, mediaSeconds })
    const isCertain = endpoint.price.unit === 'media_minute' && !chain.inputsFrom[endpoint.id]?.dearest
    return { endpoint: endpoint.id, maxMicroUsd: max?.microUsd ?? 0n, isCertain }
  })
  const maxMicroUsd = priced.reduce((sum, step) => sum + step.maxMicroUsd, 0n)
  const limitMicroUsd = request.max_price_usd === undefined ? maxMicroUsd : fromUsd(request.max_price_usd)
  return {
    mediaSeconds,
    window,
    steps: priced,
    maxMicroUsd,
    limitMicroUsd,
    warnings: [
      ...(limitMicroUsd < maxMicroUsd ? [lowLimits[request.mode]] : []),
      ...(request.mode === 'queue_first'
        ? []
        : await warnOfFunds(context, credential, minMicroUsd(limitMicroUsd, maxMicroUsd))),
      ...steps.flatMap(({ warnings }) => warnings),
    ].slice(0, maxWarnings),
  }
}

/** Throws what refuses a run of the chain with these settings on any media. */
export async function checkChain(
  context: Pick<PlanContext, 'db' | 'models'>,
  {
    chain,
    request,
    credential,
  }: Pick<PlanRunInput, 'chain' | 'credential'> & { readonly request: Pick<RunRequest, 'settings'> },
) {
  assertRunnable(context, chain, credential)
  const steps = checkSteps(chain, request)
  const refusal = chain.validate?.(request.settings)
  if (refusal) throw new ServiceError('invalid_request', refusal)
  for (const step of steps) await checkNamed(context.db, credential, step, `settings["${step.endpoint.id}"]`)
  return steps
}

interface StepToPrice {
  readonly window: JobWindow
  /** Those of the caller, with defaults. */
  readonly settings: SettingsDocument
  readonly mediaSeconds: number
}

/** The maximum price of a step, whatever the steps before it find. */
export function maxStepPrice(chain: Chain, id: string, { settings, ...step }: StepToPrice): MaxPrice | undefined {
  const filled = chain.inputsFrom[id]?.dearest?.(settings, step.mediaSeconds)
  return maxPriceOf(liveEndpoint(id), { ...step, settings: { ...settings, ...filled } })
}

const lowRunLimit =
  'max_price_usd is less than the steps can cost: a run ends before a step that would pass it, and completed steps stay charged.'
const lowLimits = {
  plan: lowRunLimit,
  run_all: lowRunLimit,
  queue_first: 'max_price_usd is less than the steps can cost. It limits the first job only.',
} as const

/** A warning if the caps and credits that are left are less than the steps can cost: the first steps would be charged, and the run fail. */
async function warnOfFunds(
  { db }: Pick<PlanContext, 'db'>,
  payer: Credential,
  amountMicroUsd: MicroUsd,
): Promise<string[]> {
  try {
    await assertCanHold(db, payer, amountMicroUsd)
    return []
  } catch (error) {
    if (!(error instanceof ServiceError) || !Object.hasOwn(fundNames, error.code)) throw error
    return [
      `${fundNames[error.code]} is less than the steps can cost: a run ends before a step that would exceed it, and completed steps stay charged.`,
    ]
  }
}

const fundNames: Readonly<Record<string, string>> = {
  spend_cap_reached: 'What is left of a monthly cap',
  billing_required: 'What is left of the free credits',
}

/** Throws `endpoint_unavailable` or `connector_scope_denied` before anything is read or spent. */
export function assertRunnable({ models }: Pick<PlanContext, 'models'>, chain: Chain, credential: Credential): void {
  for (const id of chain.steps) assertScope(credential, id)
  const missing = missingSteps(chain, models)
  if (missing.length === 0) return
  throw new ServiceError(
    'endpoint_unavailable',
    `This chain does not run yet. These steps are previews: ${missing.join(', ')}. For some of them, ${installModels}`,
  )
}

/** Checks the settings of every step, and names all problems together. */
function checkSteps(chain: Chain, request: Pick<RunRequest, 'settings'>): ReturnType<typeof checkStep>[] {
  const problems: string[] = []
  const steps = chain.steps.flatMap((id) => {
    try {
      return [checkStep(chain, id, request)]
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'invalid_request') throw error
      problems.push(error.message)
      return []
    }
  })
  if (problems.length > 0) throw new ServiceError('invalid_request', problems.join(' '))
  return steps
}

/** Checks a caller's settings for a step. Throws `invalid_request` for settings that the chain sets. `within` is where the request has them. */
export function checkStep(
  chain: Chain,
  id: string,
  request: Pick<RunRequest, 'settings'>,
  within: readonly string[] = ['settings', id],
) {
  const endpoint = liveEndpoint(id)
  const given = settingsForStep(chain, request.settings, id)
  const filled = chain.inputsFrom[id]?.settings.find((name) => Object.hasOwn(given, name))
  if (filled)
    throw new ServiceError('invalid_request', `${describePath([...within, filled])} is set by the chain. Leave it out.`)
  const known = Object.keys(endpoint.settings.shape)
  const warnings = warnOfUnknownSettings(Object.keys(given), known, { of: ` of ${id}`, outside: windowFields })
  const settings = parseSettings(endpoint, given, within)
  const refusal = refuseLater(chain, id, settings)
  if (refusal) throw new ServiceError('invalid_request', refusal)
  return { endpoint, settings, warnings }
}

async function mediaLengthForPlan(
  context: ProbeContext,
  { chain, request, credential, signal }: PlanRunInput,
  window: JobWindow,
): Promise<number> {
  const { media_seconds: given, media_url: mediaUrl } = request
  if (given !== undefined) {
    resolveWindow(window, given)
    return given
  }
  if (!mediaUrl?.trim())
    throw new ServiceError('invalid_request', 'Send media_url. For mode plan, media_seconds is enough.')
  const info = await requestProbe(context, { credential, mediaUrl, signal })
  checkMediaOfSteps(chain, { ...window, settings: request.settings }, info)
  return info.durationSeconds
}
