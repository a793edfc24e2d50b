import type { z } from 'zod'
import type { Credential } from '../../src/accounts/credentials.ts'
import { newRun } from '../../src/batches/new-run.ts'
import { type Chain, chains, getChain } from '../../src/chains/chains.ts'
import type { StepSettings } from '../../src/chains/earlier-jobs.ts'
import { settingsByStep, settingsForStep } from '../../src/chains/step-request.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { newId } from '../../src/core/ids.ts'
import { describeUnknown } from '../../src/core/input-problems.ts'
import { toUsd } from '../../src/core/money.ts'
import { isPostgresText, notPostgresText } from '../../src/core/text.ts'
import { endpoints, liveEndpoint } from '../../src/endpoints/catalog.ts'
import { settingsDocument } from '../../src/endpoints/parse-settings.ts'
import { acceptAgreed, acceptRun } from '../../src/jobs/accept.ts'
import { findRepeatedRequest, type IdempotencyKey } from '../../src/jobs/idempotency.ts'
import { hasEnded, type JobWithOutputs, metadataOf, referenceOf } from '../../src/jobs/job-rows.ts'
import { resolveMedia } from '../../src/jobs/resolve-media.ts'
import type { Run } from '../../src/jobs/run-rows.ts'
import { countingLedgerErrors } from '../../src/telemetry/metrics.ts'
import { callbackFor } from '../http/callback-url.ts'
import type { ApiContext } from '../http/context.ts'
import { type CreateJobContext, createJob, dispatchInBackground } from '../jobs/create.ts'
import { readJob } from '../jobs/read.ts'
import { type JobBody, presentJob } from '../jobs/schema.ts'
import { assertRunnable, planRun, type RunPlan } from './plan.ts'
import { presentRun, readRun } from './read.ts'
import type { GivenRunRequest, PlanBody, RunBody, RunRequest } from './schema.ts'

interface RunWorkflowInput {
  readonly chain: Chain
  readonly request: GivenRunRequest
  readonly credential: Credential
  readonly requestId: string
  readonly idempotency: IdempotencyKey | undefined
  /** How long to wait for the end of the run, or of the first job. */
  readonly waitSeconds?: number
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
  /** Whether a run without `max_price_usd` first asks for consent to its price. */
  readonly asksConsent?: boolean
}

export interface WorkflowAnswer {
  /** Left out for a run or job that an earlier request created. */
  readonly plan?: PlanBody
  /** With queue_first: the first job. */
  readonly job?: JobBody
  /** With run_all. */
  readonly run?: RunBody
}

interface StartedWorkflow {
  /** Whether an earlier request created it. */
  readonly isRepeat: boolean
  /** Whether there is nothing to wait for. */
  readonly hasEnded: boolean
  readonly answer: WorkflowAnswer
}

/** Plans a chain and, depending on the mode, queues its first job or runs all of it. */
export async function runWorkflow(context: ApiContext, input: RunWorkflowInput): Promise<StartedWorkflow> {
  const { chain, credential, requestId, idempotency, waitSeconds = 0, signal, asksConsent = false } = input
  assertRunnable(context, chain, credential)
  const request = readStepSettings(chain, input.request)
  const wait = { reader: credential, waitSeconds, signal }
  const present = async (runId: string, isRepeat: boolean, plan: Pick<WorkflowAnswer, 'plan'> = {}) => {
    const run = await readRun(context, { ...wait, runId })
    const body = { run: await presentRun(context, run) }
    // The plan of a repeat may not be that of the first request.
    return { isRepeat, hasEnded: run.endedAt !== null, answer: isRepeat ? body : { ...plan, ...body } }
  }
  const readFirst = (jobId: string) => readJob(context, { ...wait, jobId })
  const presentFirst = async (job: JobWithOutputs, isRepeat: boolean, plan: Pick<WorkflowAnswer, 'plan'> = {}) => {
    const body = { job: await presentJob(context, job) }
    return { isRepeat, hasEnded: hasEnded(job), answer: isRepeat ? body : { ...plan, ...body } }
  }
  const isRun = request.mode === 'run_all'
  // Before the media is read, so that a repeat works even if its upload was deleted.
  const earlier =
    idempotency && request.mode !== 'plan'
      ? await findRepeatedRequest(context.db, credential.accountId, idempotency)
      : undefined
  if (earlier) return isRun ? present(earlier, true) : presentFirst(await readFirst(earlier), true)
  const plan = await planRun(context, { chain, request: asPlanned(request), credential, signal })
  const isFirstOnly = request.mode === 'queue_first'
  const answer = {
    plan: presentPlan(isFirstOnly ? { ...plan, warnings: [...plan.warnings, ...laterSettings(chain, request)] } : plan),
  }
  if (request.mode === 'plan') return { isRepeat: false, hasEnded: true, answer }
  if (isRun) {
    assertWithinCertain(plan)
    const awaitsConsent = asksConsent && request.max_price_usd === undefined && plan.maxMicroUsd > 0n
    const created = await createRun(context, {
      ...{ chain, request, plan, credential, requestId, idempotency, awaitsConsent },
    })
    return present(created.runId, created.isRepeat, answer)
  }
  assertFirstWithin(plan)
  const [endpoint = ''] = chain.steps
  const { media_url, start, end, metadata, callback_url } = request
  const settings = settingsForStep(chain, request.settings, endpoint)
  // The limit of the plan too: the caller's media_seconds can be wrong.
  const max_price_usd = toUsd(plan.limitMicroUsd)
  const first = { endpoint, media_url, start, end, settings, metadata, callback_url, max_price_usd }
  const created = await createJob(context, { credential, requestId, request: first, idempotency })
  const job = waitSeconds > 0 ? await readFirst(created.job.id) : created.job
  return presentFirst(job, created.isRepeat, answer)
}

/** Settings of later steps have no effect on the first job. */
function laterSettings({ steps: [first] }: Chain, { settings }: RunRequest): readonly string[] {
  const later = Object.keys(settings).filter((step) => step !== first)
  if (later.length === 0) return []
  return [
    `queue_first creates only the first job. Send the settings of ${later.join(' and ')} again when you continue.`,
  ]
}

/** With a limit, the media is read first instead of trusting the caller's length, so that a job that is too expensive is refused. */
function asPlanned(request: RunRequest): RunRequest {
  const isLimited = request.mode === 'queue_first' && request.max_price_usd !== undefined
  return isLimited ? { ...request, media_seconds: undefined } : request
}

function assertFirstWithin({ steps: [first], limitMicroUsd }: RunPlan): void {
  if (!first || first.maxMicroUsd <= limitMicroUsd) return
  throw new ServiceError(
    'price_limit_reached',
    `The first job can cost ${toUsd(first.maxMicroUsd)} USD, more than max_price_usd. Raise max_price_usd, or leave it out.`,
  )
}

/** Steps that are billed by the media that they read cost their maximum, whatever they find. */
function assertWithinCertain({ steps, limitMicroUsd }: RunPlan): void {
  const certain = steps.filter(({ isCertain }) => isCertain).reduce((sum, { maxMicroUsd }) => sum + maxMicroUsd, 0n)
  if (certain <= limitMicroUsd) return
  throw new ServiceError(
    'price_limit_reached',
    `The run costs at least ${toUsd(certain)} USD, which is more than max_price_usd. Raise max_price_usd, or leave it out.`,
  )
}

function presentPlan({ mediaSeconds, steps, maxMicroUsd, warnings }: RunPlan): PlanBody {
  return {
    media_seconds: mediaSeconds,
    steps: steps.map((step) => ({ endpoint: step.endpoint, max_price_usd: toUsd(step.maxMicroUsd) })),
    max_price_usd: toUsd(maxMicroUsd),
    warnings: [...warnings],
  }
}

interface CreateRunInput {
  readonly chain: Chain
  readonly request: RunRequest
  readonly plan: RunPlan
  readonly credential: Credential
  readonly requestId: string
  readonly idempotency?: IdempotencyKey | undefined
  readonly awaitsConsent: boolean
}

interface CreatedRun {
  readonly runId: string
  /** Whether an earlier request created it. */
  readonly isRepeat: boolean
}

/** Accepts a run with its first job, and dispatches it to Temporal. A refusal changes nothing. */
async function createRun(context: CreateJobContext, input: CreateRunInput): Promise<CreatedRun> {
  const { chain, request, plan, credential, requestId, idempotency, awaitsConsent } = input
  context.pressure.assertAcceptsWork()
  const { accountId } = credential
  const callback = callbackFor(context, credential, request.callback_url)
  const reference = await resolveMedia(context, accountId, request.media_url)
  const { mediaSeconds, limitMicroUsd, window, warnings } = plan
  const accepted = newRun(context, {
    ...{ runId: newId('run'), chain, credential, requestId, window, reference, mediaSeconds, limitMicroUsd, warnings },
    ...{ metadata: request.metadata, traceParent: context.tracing.traceParent() },
    settings: knownSettings(request.settings),
  })
  const acceptNow = () => acceptRun(context.db, { ...accepted, idempotency, callback, awaitsConsent })
  const { runId: acceptedId, job } = await context.createsByAccount(accountId, () =>
    countingLedgerErrors(context.metrics, 'accept', acceptNow),
  )
  if (job) context.metrics.jobsCreated.inc({ endpoint: job.endpoint })
  if (job) dispatchInBackground(context, job)
  return { runId: acceptedId, isRepeat: acceptedId !== accepted.run.id }
}

/** Starts a run whose price was agreed to. One that does not await that any more does not change. Refuses like `createRun`. */
export async function startAgreed(context: CreateJobContext, run: Run): Promise<void> {
  context.pressure.assertAcceptsWork()
  const { id: runId, accountId, apiKeyId: keyId, requestId, startSeconds, endSeconds, limitMicroUsd, warnings } = run
  const { firstJob } = newRun(context, {
    ...{ runId, chain: getChain(run.chain), credential: { accountId, keyId }, requestId, limitMicroUsd, warnings },
    ...{
      window: { startSeconds, endSeconds },
      settings: settingsByStep.parse(run.settings),
      metadata: metadataOf(run),
    },
    ...{ reference: referenceOf(run), mediaSeconds: run.mediaSeconds ?? undefined },
    traceParent: run.traceParent ?? undefined,
  })
  const acceptNow = () => acceptAgreed(context.db, runId, firstJob)
  const job = await context.createsByAccount(accountId, () =>
    countingLedgerErrors(context.metrics, 'accept', acceptNow),
  )
  if (!job) return
  context.metrics.jobsCreated.inc({ endpoint: job.endpoint })
  dispatchInBackground(context, job)
}

/** Without names that the step does not know, of which the plan warns. Throws `invalid_request` for what cannot be stored. */
export function knownSettings(given: StepSettings): z.output<typeof settingsByStep> {
  const known = Object.entries(settingsByStep.parse(given)).map(([id, settings]) => {
    const { shape } = liveEndpoint(id).settings
    return [id, Object.fromEntries(Object.entries(settings).filter(([name]) => Object.hasOwn(shape, name)))] as const
  })
  const settings = Object.fromEntries(known)
  if (!isPostgresText(JSON.stringify(settings)))
    throw new ServiceError('invalid_request', `settings: ${notPostgresText}`)
  return settings
}

const stepsOfChains = chains.flatMap(({ steps }) => steps)

/** Where to send a setting of one of the steps. Undefined if no step has it. */
export function placeOfSetting(name: string, steps: readonly string[] = stepsOfChains): string | undefined {
  const places = endpoints
    .filter(({ id, settings }) => steps.includes(id) && Object.hasOwn(settings.shape, name))
    .map(({ id }) => `settings["${id}"].${name}`)
  return places.length === 0 ? undefined : `${name} is a setting of a step. Send it as ${places.join(' or ')}`
}

/** The request with its settings by step. Throws `invalid_request` for what is not a step, and says where a setting belongs. */
export function readStepSettings<Request extends Pick<GivenRunRequest, 'settings'>>(
  { steps }: Pick<Chain, 'steps'>,
  request: Request,
): Omit<Request, 'settings'> & { readonly settings: StepSettings } {
  const settings = Object.entries(request.settings).map(([id, given]) => {
    if (!steps.includes(id)) throw refusal(placeOfSetting(id, steps) ?? describeUnknown('step', id, steps))
    const { data } = settingsDocument.safeParse(given)
    if (!data) throw refusal(`expected an object of settings in settings["${id}"]`)
    return [id, data] as const
  })
  return { ...request, settings: Object.fromEntries(settings) }
}

function refusal(problem: string): ServiceError {
  return new ServiceError('invalid_request', `settings: ${problem}${/[.?]$/.test(problem) ? '' : '.'}`)
}
