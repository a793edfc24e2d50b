import type { Chain } from '../../src/chains/chains.ts'
import { settingsForStep } from '../../src/chains/step-request.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { toUsd } from '../../src/core/money.ts'
import type { Credential } from '../../src/store/credentials.ts'
import { findRepeatedRequest, type IdempotencyKey } from '../../src/store/idempotency.ts'
import { hasEnded, type JobWithOutputs } from '../../src/store/jobs.ts'
import type { ApiContext } from '../http/context.ts'
import { createJob } from '../jobs/create.ts'
import { type JobBody, presentJob } from '../jobs/present.ts'
import { readJob } from '../jobs/read.ts'
import { createRun } from './create.ts'
import { assertRunnable, planRun, type RunPlan } from './plan.ts'
import { presentRun } from './present.ts'
import { readRun } from './read.ts'
import type { GivenRunRequest, PlanBody, RunBody, RunRequest } from './schema.ts'
import { readStepSettings } from './step-settings.ts'

export interface RunWorkflowInput {
  readonly chain: Chain
  readonly request: GivenRunRequest
  readonly credential: Credential
  readonly requestId: string
  readonly idempotency: IdempotencyKey | undefined
  /** How long to wait for the end of the run, or of the first job. */
  readonly waitSeconds?: number
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
}

export interface WorkflowAnswer {
  /** Left out for a run or job that an earlier request created. */
  readonly plan?: PlanBody
  /** With queue_first: the first job. */
  readonly job?: JobBody
  /** With run_all. */
  readonly run?: RunBody
}

export interface StartedWorkflow {
  /** Whether an earlier request created it. */
  readonly isRepeat: boolean
  /** Whether there is nothing to wait for. */
  readonly hasEnded: boolean
  readonly answer: WorkflowAnswer
}

/** Plans a chain and, depending on the mode, queues its first job or runs all of it. */
export async function runWorkflow(context: ApiContext, input: RunWorkflowInput): Promise<StartedWorkflow> {
  const { chain, credential, requestId, idempotency, waitSeconds = 0, signal } = input
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
    const created = await createRun(context, { chain, request, plan, credential, requestId, idempotency })
    return present(created.runId, created.isRepeat, answer)
  }
  assertFirstWithin(plan)
  const [endpoint = ''] = chain.steps
  const { media_url, start, end, metadata } = request
  const settings = settingsForStep(chain, request.settings, endpoint)
  const first = { endpoint, media_url, start, end, settings, metadata }
  // Of the plan too: the caller's media_seconds can be wrong.
  const { limitMicroUsd } = plan
  const created = await createJob(context, { credential, requestId, request: first, idempotency, limitMicroUsd })
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
