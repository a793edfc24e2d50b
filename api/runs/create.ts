import type { z } from 'zod'
import type { Chain } from '../../src/chains/chains.ts'
import { settingsByStep, stepJobId, stepRequest } from '../../src/chains/step-request.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { newId } from '../../src/core/ids.ts'
import { isPostgresText, notPostgresText } from '../../src/core/text.ts'
import { liveEndpoint } from '../../src/endpoints/catalog.ts'
import { acceptRun } from '../../src/jobs/accept-run.ts'
import { pricedJob } from '../../src/jobs/priced-job.ts'
import { resolveMedia } from '../../src/jobs/resolve-media.ts'
import type { Credential } from '../../src/store/credentials.ts'
import type { IdempotencyKey } from '../../src/store/idempotency.ts'
import { columnsOf } from '../../src/store/media-reference.ts'
import { countingLedgerErrors } from '../../src/telemetry/measure-jobs.ts'
import { type CreateJobContext, dispatchInBackground } from '../jobs/create.ts'
import type { RunPlan } from './plan.ts'
import type { RunRequest } from './schema.ts'

export interface CreateRunInput {
  readonly chain: Chain
  readonly request: RunRequest
  readonly plan: RunPlan
  readonly credential: Credential
  readonly requestId: string
  readonly idempotency?: IdempotencyKey | undefined
}

export interface CreatedRun {
  readonly runId: string
  /** Whether an earlier request created it. */
  readonly isRepeat: boolean
}

/** Accepts a run with its first job, and dispatches it to Temporal. A refusal changes nothing. */
export async function createRun(context: CreateJobContext, input: CreateRunInput): Promise<CreatedRun> {
  const { chain, request, plan, credential, requestId, idempotency } = input
  context.pressure.assertAcceptsWork()
  const { accountId, keyId: apiKeyId } = credential
  const reference = await resolveMedia(context, accountId, request.media_url)
  const settings = knownSettings(settingsByStep.parse(request.settings))
  if (!isPostgresText(JSON.stringify(settings)))
    throw new ServiceError('invalid_request', `settings: ${notPostgresText}`)
  const first = stepRequest(chain, { position: 0, window: plan.window, settings, earlier: {} })
  if (!first) throw new Error(`${chain.id} has no step`)
  const { mediaSeconds } = plan
  const runId = newId('run')
  const run = {
    ...{ id: runId, accountId, apiKeyId, requestId, chain: chain.id, settings, ...plan.window },
    warnings: [...plan.warnings],
    ...columnsOf(reference),
    ...(request.metadata ? { metadata: request.metadata } : {}),
    mediaSeconds,
    limitMicroUsd: plan.limitMicroUsd,
    traceParent: context.tracing.traceParent() ?? null,
  }
  const firstJob = {
    ...pricedJob({ ...first, jobId: stepJobId(runId, 0), mediaSeconds, reference }),
    ...{ accountId, apiKeyId, requestId, metadata: request.metadata },
    slotLimits: context.slotLimits,
    maxWaitingJobs: context.config.WAITING_JOBS_PER_ACCOUNT,
    maxUnpaidBytes: context.config.UNPAID_JOB_BYTES_PER_ACCOUNT,
    traceParent: context.tracing.traceParent(),
  }
  const acceptNow = () => acceptRun(context.db, { run, firstJob, idempotency })
  const { runId: acceptedId, job } = await context.createsByAccount(accountId, () =>
    countingLedgerErrors(context.metrics, 'accept', acceptNow),
  )
  if (job) context.metrics.jobsCreated.inc({ endpoint: job.endpoint })
  if (job) dispatchInBackground(context, job)
  return { runId: acceptedId, isRepeat: job === undefined }
}

/** Without names that the step does not know, of which the plan warns. */
function knownSettings(given: z.output<typeof settingsByStep>): z.output<typeof settingsByStep> {
  const known = Object.entries(given).map(([id, settings]) => {
    const { shape } = liveEndpoint(id).settings
    return [id, Object.fromEntries(Object.entries(settings).filter(([name]) => Object.hasOwn(shape, name)))] as const
  })
  return Object.fromEntries(known)
}
