import { maxPriceOf } from '../../src/billing/price.ts'
import { newId } from '../../src/core/ids.ts'
import { acceptJob } from '../../src/jobs/accept-job.ts'
import { resolveMedia } from '../../src/jobs/resolve-media.ts'
import { startJob } from '../../src/jobs/start-job.ts'
import { findReplay, type IdempotencyKey } from '../../src/store/idempotency.ts'
import { findJob, hasEnded, type Job, type JobWithOutputs } from '../../src/store/jobs.ts'
import type { Credential } from '../../src/store/keys.ts'
import { countLedgerErrors } from '../../src/telemetry/measure-jobs.ts'
import { assertScope } from '../http/authenticate.ts'
import type { ApiContext } from '../http/context.ts'
import type { JobRequest } from './request-schema.ts'
import { type ValidJobRequest, validateJobRequest } from './validate.ts'

export interface CreateJobInput {
  readonly credential: Credential
  readonly requestId: string
  readonly request: JobRequest
  readonly idempotency?: IdempotencyKey | undefined
  /** Without an idempotency key, the same job of the same key is taken for a repetition while it is young and open. */
  readonly dedupeOpenJob?: boolean
}

export interface CreatedJob {
  readonly job: JobWithOutputs
  /** An earlier request made it. */
  readonly replayed: boolean
  readonly runOnWorker: boolean
}

/** Accepts a job and hands it to Temporal. Every refusal is a ServiceError and leaves nothing behind. */
export async function createJob(context: ApiContext, input: CreateJobInput): Promise<CreatedJob> {
  assertScope(input.credential, input.request.endpoint)
  const valid = validateJobRequest(input.request)
  const { job, replayed } = (await replay(context, input)) ?? (await accept(context, input, valid))
  if (isUndispatched(job)) context.background.run(start(context, job))
  const earlier = replayed ? await findJob(context.db, input.credential, job.id) : null
  return { job: earlier ?? { ...job, result: null, outputs: [] }, replayed, runOnWorker: valid.runOnWorker }
}

interface Accepted {
  readonly job: Job
  readonly replayed: boolean
}

/** Looked up before the media is: a replay holds even when its upload is gone. */
async function replay({ db }: ApiContext, { credential, idempotency }: CreateJobInput): Promise<Accepted | undefined> {
  const jobId = idempotency && (await findReplay(db, credential.accountId, idempotency))
  const job = jobId ? await findJob(db, credential, jobId) : null
  return job ? { job, replayed: true } : undefined
}

async function accept(
  context: ApiContext,
  { credential, requestId, request, idempotency, dedupeOpenJob }: CreateJobInput,
  valid: ValidJobRequest,
): Promise<Accepted> {
  const { accountId } = credential
  const { endpoint, window, settings, warnings } = valid
  const media = endpoint.readsMedia ? await resolveMedia(context, accountId, request.media_url) : null
  const jobId = newId('job')
  // They would wait for each other at the account's row, each with a connection that others need.
  const acceptNow = () =>
    acceptJob(context.db, {
      jobId,
      accountId,
      apiKeyId: credential.keyId,
      requestId,
      endpoint: endpoint.id,
      rateMicroUsdPerMinute: endpoint.price.rateMicroUsdPerMinute,
      maxPriceMicroUsd: maxPriceOf(endpoint, { window, settings, mediaSeconds: undefined })?.microUsd,
      window,
      settings,
      warnings,
      media,
      maxRunningJobs: context.config.RUNNING_JOBS_PER_ACCOUNT,
      maxWaitingJobs: context.config.WAITING_JOBS_PER_ACCOUNT,
      idempotency,
      dedupeOpenJob,
      traceParent: context.tracing.traceParent(),
    })
  const accepted = await context.createsByAccount(accountId, () =>
    countLedgerErrors(context.metrics, 'accept', acceptNow),
  )
  if (!accepted.replayed) context.metrics.jobsCreated.inc({ endpoint: endpoint.id })
  return accepted
}

export function isUndispatched(job: Job): boolean {
  return job.admittedAt !== null && job.dispatchedAt === null && job.cancelRequestedAt === null && !hasEnded(job)
}

/** After the answer: with the row committed nothing is lost, and where Temporal does not take the job, upkeep starts it. */
export async function start(context: ApiContext, job: Job): Promise<void> {
  await startJob(context, job).catch((error: unknown) =>
    context.logger.warn({ jobId: job.id, accountId: job.accountId, err: error }, 'job not started yet'),
  )
}
