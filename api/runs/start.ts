import type { Chain } from '../../src/chains/chains.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { toUsd } from '../../src/core/money.ts'
import type { IdempotencyKey } from '../../src/store/idempotency.ts'
import type { Credential } from '../../src/store/keys.ts'
import type { ApiContext } from '../http/context.ts'
import { createJob } from '../jobs/create.ts'
import { type JobBody, presentJob } from '../jobs/present.ts'
import { createRun, repeatedRun } from './create.ts'
import { assertRunnable, planRun, type RunPlan } from './plan.ts'
import { presentRun } from './present.ts'
import { readRun } from './read.ts'
import type { PlanBody, RunBody, RunRequest } from './schema.ts'

export interface RunWorkflowInput {
  readonly chain: Chain
  readonly request: RunRequest
  readonly credential: Credential
  readonly requestId: string
  readonly idempotency: IdempotencyKey | undefined
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
}

export interface WorkflowAnswer {
  /** Left out for a run that an earlier request created. */
  readonly plan?: PlanBody
  /** With queue_first: the first job. */
  readonly job?: JobBody
  /** With run_all. */
  readonly run?: RunBody
}

/** Plans a chain and, depending on the mode, queues its first job or runs all of it. `isRepeat`: an earlier request did it. */
export async function runWorkflow(
  context: ApiContext,
  input: RunWorkflowInput,
): Promise<{ isRepeat: boolean; answer: WorkflowAnswer }> {
  const { chain, request, credential, requestId, idempotency, signal } = input
  assertRunnable(chain, credential)
  const present = async (runId: string) =>
    presentRun(context, await readRun(context, { reader: credential, runId, waitSeconds: 0, signal }))
  const isRun = request.mode === 'run_all'
  const earlier = isRun ? await repeatedRun(context, credential, idempotency) : undefined
  if (earlier) {
    return { isRepeat: true, answer: { run: await present(earlier) } }
  }
  const plan = await planRun(context, { chain, request: asPlanned(request), credential, signal })
  const answer = { plan: presentPlan(plan) }
  if (request.mode === 'plan') return { isRepeat: false, answer }
  if (isRun) {
    assertWithinCertain(plan)
    const runId = await createRun(context, { chain, request, plan, credential, requestId, idempotency })
    return { isRepeat: false, answer: { ...answer, run: await present(runId) } }
  }
  assertFirstWithin(plan)
  const [endpoint = ''] = chain.steps
  const { media_url, start, end, settings } = request
  const first = { endpoint, media_url, start, end, settings: { ...settings[endpoint] } }
  const { job, isRepeat } = await createJob(context, { credential, requestId, request: first, idempotency })
  return { isRepeat, answer: { ...answer, job: await presentJob(context, job) } }
}

/** A single job has no price limit at its hold, so with a limit the media is read first instead of trusting the caller's length. */
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
    `The run costs at least ${toUsd(certain)} USD, more than max_price_usd. Raise max_price_usd, or leave it out.`,
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
