import { newId } from '../../src/core/ids.ts'
import type { MicroUsd } from '../../src/core/money.ts'
import { acceptJob } from '../../src/jobs/accept-job.ts'
import { checkPictures } from '../../src/jobs/check-pictures.ts'
import { pricedJob } from '../../src/jobs/priced-job.ts'
import { resolveMedia } from '../../src/jobs/resolve-media.ts'
import { startJob } from '../../src/jobs/start-job.ts'
import type { Credential } from '../../src/store/credentials.ts'
import { findRepeatedRequest, type IdempotencyKey } from '../../src/store/idempotency.ts'
import { findJob, hasEnded, type Job, type JobWithOutputs } from '../../src/store/jobs.ts'
import type { MediaReference } from '../../src/store/media-reference.ts'
import { countingLedgerErrors } from '../../src/telemetry/measure-jobs.ts'
import { assertScope } from '../http/assert-scope.ts'
import type { ApiContext } from '../http/context.ts'
import { findJobWithResult } from './find.ts'
import { checkNamedJobs } from './named-jobs.ts'
import type { JobRequest } from './request-schema.ts'
import { type ValidJobRequest, validateJobRequest } from './validate.ts'

type DispatchContext = Pick<ApiContext, 'db' | 'jobs' | 'logger' | 'background'>

/** What accepting a job or a run needs. */
export type CreateJobContext = DispatchContext &
  Pick<
    ApiContext,
    'config' | 'storage' | 'createsByAccount' | 'models' | 'metrics' | 'tracing' | 'pressure' | 'results' | 'slotLimits'
  >

export interface CreateJobInput {
  readonly credential: Credential
  readonly requestId: string
  readonly request: JobRequest
  /** The media of the job, if the request has no media_url. */
  readonly media?: MediaReference | undefined
  readonly idempotency?: IdempotencyKey | undefined
  /** Without an idempotency key: returns an open job that was just created with the same API key and request. */
  readonly dedupeOpenJob?: boolean
  /** The most that the job may cost. */
  readonly limitMicroUsd?: MicroUsd | undefined
}

export interface CreatedJob {
  readonly job: JobWithOutputs
  /** Whether an earlier request created it. */
  readonly isRepeat: boolean
  readonly answersImmediately: boolean
}

/** Accepts a job and dispatches it to Temporal. A refusal is a ServiceError and changes nothing. */
export async function createJob(context: CreateJobContext, input: CreateJobInput): Promise<CreatedJob> {
  assertScope(input.credential, input.request.endpoint)
  const valid = validateJobRequest(input.request, context.models)
  const { job, isRepeat } = (await repeatedJob(context, input)) ?? (await accept(context, input, valid))
  dispatchInBackground(context, job)
  const earlier = isRepeat ? await findJobWithResult(context, input.credential, job.id) : null
  return {
    job: earlier ?? { ...job, result: null, outputs: [] },
    isRepeat,
    answersImmediately: valid.answersImmediately,
  }
}

interface Accepted {
  readonly job: Job
  readonly isRepeat: boolean
}

/** Checked before the media, so that a repeat works even if its upload was deleted. */
async function repeatedJob(
  { db }: CreateJobContext,
  { credential, idempotency }: CreateJobInput,
): Promise<Accepted | undefined> {
  const jobId = idempotency && (await findRepeatedRequest(db, credential.accountId, idempotency))
  const job = jobId ? await findJob(db, credential, jobId) : null
  return job ? { job, isRepeat: true } : undefined
}

async function accept(
  context: CreateJobContext,
  { credential, requestId, request, media, idempotency, dedupeOpenJob, limitMicroUsd }: CreateJobInput,
  valid: ValidJobRequest,
): Promise<Accepted> {
  context.pressure.assertAcceptsWork()
  const { accountId } = credential
  const { endpoint, window, settings, givenSettings, warnings } = valid
  await checkNamedJobs(context.db, credential, endpoint.jobsToRead(settings))
  const reference = await referenceFor(context, { accountId, request, media }, valid)
  const job = pricedJob({
    ...{ jobId: newId('job'), endpoint, window, settings, givenSettings, warnings },
    ...{ mediaSeconds: undefined, reference },
  })
  // One after another for each account: in parallel, each would wait for the row lock and keep a database connection.
  const acceptNow = () =>
    acceptJob(context.db, {
      ...job,
      accountId,
      apiKeyId: credential.keyId,
      requestId,
      limitMicroUsd,
      metadata: request.metadata,
      slotLimits: context.slotLimits,
      maxWaitingJobs: context.config.WAITING_JOBS_PER_ACCOUNT,
      maxUnpaidBytes: context.config.UNPAID_JOB_BYTES_PER_ACCOUNT,
      idempotency,
      dedupeOpenJob,
      traceParent: context.tracing.traceParent(),
    })
  const accepted = await context.createsByAccount(accountId, () =>
    countingLedgerErrors(context.metrics, 'accept', acceptNow),
  )
  if (!accepted.isRepeat) context.metrics.jobsCreated.inc({ endpoint: endpoint.id })
  return accepted
}

/** Null for a job that reads no media. Throws if the media, or a picture in its place, cannot be read. */
async function referenceFor(
  context: CreateJobContext,
  { accountId, request, media }: Pick<CreateJobInput, 'request' | 'media'> & { readonly accountId: string },
  { endpoint, uploads }: ValidJobRequest,
): Promise<MediaReference | null> {
  if (!endpoint.readsMedia) return null
  if (!uploads) return media ?? resolveMedia(context, accountId, request.media_url)
  await checkPictures(context, accountId, uploads)
  return null
}

/**
 * Dispatches an admitted job to Temporal, after the response. The committed row keeps it safe: if Temporal is unavailable,
 * upkeep dispatches it later.
 */
export function dispatchInBackground(context: DispatchContext, job: Job): void {
  if (!job.admittedAt || job.dispatchedAt || job.cancelRequestedAt || hasEnded(job)) return
  const dispatch = startJob(context, job).catch((error: unknown) =>
    context.logger.warn({ jobId: job.id, accountId: job.accountId, err: error }, 'job not started yet'),
  )
  context.background.run(dispatch)
}
