import { maxPriceOf } from '../../src/billing/price.ts'
import type { Chain } from '../../src/chains/chains.ts'
import { settingsByStep, stepJobId, stepRequest } from '../../src/chains/step-request.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { newId } from '../../src/core/ids.ts'
import { isPostgresText, notPostgresText } from '../../src/core/text.ts'
import { acceptRun } from '../../src/jobs/accept-run.ts'
import { resolveMedia } from '../../src/jobs/resolve-media.ts'
import { slotLimitsOf } from '../../src/store/admission.ts'
import type { Credential } from '../../src/store/credentials.ts'
import { findRepeatedRequest, type IdempotencyKey } from '../../src/store/idempotency.ts'
import { columnsOf } from '../../src/store/media-reference.ts'
import { countingLedgerErrors } from '../../src/telemetry/measure-jobs.ts'
import type { ApiContext } from '../http/context.ts'
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

/** The id of the run, or with queue_first of the job, that an earlier request with the same Idempotency-Key created. */
export async function repeatedRunRequest(
  { db }: Pick<ApiContext, 'db'>,
  { accountId }: Credential,
  idempotency: IdempotencyKey | undefined,
): Promise<string | undefined> {
  return idempotency && findRepeatedRequest(db, accountId, idempotency)
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
  const settings = settingsByStep.parse(request.settings)
  if (!isPostgresText(JSON.stringify(settings)))
    throw new ServiceError('invalid_request', `settings: ${notPostgresText}`)
  const first = stepRequest(chain, { position: 0, window: plan.window, settings, earlier: {} })
  if (!first) throw new Error(`${chain.id} has no step`)
  const { endpoint, window, settings: firstSettings, givenSettings } = first
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
    ...{ jobId: stepJobId(runId, 0), accountId, apiKeyId, requestId, endpoint: endpoint.id, window, reference },
    settings: firstSettings,
    givenSettings,
    metadata: request.metadata,
    warnings: [],
    rateMicroUsdPerMinute: endpoint.price.rateMicroUsdPerMinute,
    maxPriceMicroUsd: maxPriceOf(endpoint, { window, settings: firstSettings, mediaSeconds })?.microUsd,
    slotLimits: slotLimitsOf(context.config),
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
