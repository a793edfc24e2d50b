import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Credential } from '../../src/accounts/credentials.ts'
import { getUsableBrand } from '../../src/brands/brands.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { newId } from '../../src/core/ids.ts'
import { fromUsd } from '../../src/core/money.ts'
import type { Database } from '../../src/db/database.ts'
import { endpoints, findEndpoint } from '../../src/endpoints/catalog.ts'
import type { LiveEndpoint } from '../../src/endpoints/define-endpoint.ts'
import type { NamedJob } from '../../src/endpoints/define-timeline-endpoint.ts'
import type { SettingsDocument } from '../../src/endpoints/parse-settings.ts'
import { acceptJob, pricedJob } from '../../src/jobs/accept.ts'
import { findRepeatedRequest, type IdempotencyKey } from '../../src/jobs/idempotency.ts'
import {
  findJob,
  hasEnded,
  type Job,
  type JobReader,
  type JobWithOutputs,
  type MediaReference,
  seenBy,
} from '../../src/jobs/job-rows.ts'
import { checkPictures, resolveMedia } from '../../src/jobs/resolve-media.ts'
import { startJob } from '../../src/jobs/start-and-end.ts'
import { countingLedgerErrors } from '../../src/telemetry/metrics.ts'
import { assertScope } from '../http/authenticate.ts'
import { callbackFor } from '../http/callback-url.ts'
import type { ApiContext } from '../http/context.ts'
import { type IdempotentRequest, idempotencyKeyOf } from '../http/idempotency-key.ts'
import { abortOnDisconnect } from '../http/long-poll.ts'
import { bodyErrors, type Call, errorEnvelope, keyRoute } from '../http/route.ts'
import { findJobWithResult, readJob } from './read.ts'
import { jobEnvelope, presentJob, waitQuery } from './schema.ts'
import {
  directRequest,
  idempotencyHeader,
  type JobRequest,
  jobRequest,
  type ValidJobRequest,
  validateJobRequest,
} from './validate.ts'

/** With `_run_on_worker: false`. */
const directWaitSeconds = 25

export const createJobResponses = {
  ...bodyErrors,
  200: jobEnvelope,
  202: jobEnvelope,
  402: errorEnvelope,
  404: errorEnvelope,
  409: errorEnvelope,
  501: errorEnvelope,
}

/** `POST /v1/jobs` */
export const createJobRoute = keyRoute({
  method: 'POST',
  url: '/v1/jobs',
  schema: {
    operationId: 'createJob',
    tags: ['jobs'],
    summary: 'Create a job',
    description:
      'The price is estimated and held before the work runs. Failed jobs cost nothing. An Idempotency-Key makes a retry safe. With wait, the response comes when the job ends or the seconds have passed.',
    headers: idempotencyHeader,
    querystring: waitQuery,
    body: jobRequest,
    response: createJobResponses,
  },
  handler: async (request, call) => {
    const { status, headers, envelope } = await answerCreate(call, request, request.body, request.query.wait)
    return call.reply.code(status).headers(headers).send(envelope)
  },
})

/** Creates the job and answers with it: 200 if it has ended, otherwise 202. In both cases it waits as long as the request asks. */
async function answerCreate(
  { context, credential, reply }: Call<'key'> & { readonly reply: Pick<FastifyReply, 'raw'> },
  request: Pick<FastifyRequest, 'id' | 'log'> & IdempotentRequest,
  body: JobRequest,
  askedSeconds = 0,
) {
  const idempotency = idempotencyKeyOf(request)
  const created = await createJob(context, { credential, requestId: request.id, request: body, idempotency })
  const { id: jobId } = created.job
  if (!created.isRepeat) request.log.info({ jobId }, 'job accepted')

  const waitSeconds = Math.max(askedSeconds, created.answersImmediately ? 0 : directWaitSeconds)
  const wait = { reader: credential, jobId, waitSeconds, signal: abortOnDisconnect(reply) }
  const job = waitSeconds === 0 ? created.job : await readJob(context, wait)
  const ended = hasEnded(job)
  return {
    status: ended ? (200 as const) : (202 as const),
    headers: {
      location: `${context.config.BASE_URL}/v1/jobs/${jobId}`,
      ...(ended ? {} : { 'retry-after': 1 }),
      ...(created.isRepeat ? { 'idempotent-replayed': 'true' } : {}),
    },
    envelope: { request_id: request.id, job_id: jobId, job: await presentJob(context, job) },
  }
}

type DispatchContext = Pick<ApiContext, 'db' | 'jobs' | 'logger' | 'background'>

/** What accepting a job or a run needs. */
export type CreateJobContext = DispatchContext &
  Pick<
    ApiContext,
    'config' | 'storage' | 'createsByAccount' | 'models' | 'metrics' | 'tracing' | 'pressure' | 'results' | 'slotLimits'
  >

interface CreateJobInput {
  readonly credential: Credential
  readonly requestId: string
  readonly request: JobRequest
  /** The media of the job, if the request has no media_url. */
  readonly media?: MediaReference | undefined
  readonly idempotency?: IdempotencyKey | undefined
  /** Without an idempotency key: returns an open job that was just created with the same API key and request. */
  readonly dedupeOpenJob?: boolean
  /** Whether it costs nothing, whatever its endpoint costs. */
  readonly isFree?: boolean
}

interface CreatedJob {
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
  { credential, requestId, request, media, idempotency, dedupeOpenJob, isFree }: CreateJobInput,
  valid: ValidJobRequest,
): Promise<Accepted> {
  context.pressure.assertAcceptsWork()
  const { accountId } = credential
  const { endpoint, window, settings, warnings } = valid
  const callback = callbackFor(context, credential, request.callback_url)
  await checkNamed(context.db, credential, valid)
  const reference = await referenceFor(context, { accountId, request, media }, valid)
  const job = pricedJob({
    ...{ jobId: newId('job'), endpoint, window, settings, warnings },
    ...{ mediaSeconds: undefined, reference, isFree },
  })
  // One after another for each account: in parallel, each would wait for the row lock and keep a database connection.
  const acceptNow = () =>
    acceptJob(context.db, {
      ...job,
      accountId,
      apiKeyId: credential.keyId,
      requestId,
      limitMicroUsd: request.max_price_usd === undefined ? undefined : fromUsd(request.max_price_usd),
      metadata: request.metadata,
      slotLimits: context.slotLimits,
      maxWaitingJobs: context.config.WAITING_JOBS_PER_ACCOUNT,
      maxUnpaidBytes: context.config.UNPAID_JOB_BYTES_PER_ACCOUNT,
      idempotency,
      callback,
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

interface Naming {
  readonly endpoint: LiveEndpoint
  readonly settings: SettingsDocument
}

/** Checks the brand and the earlier jobs that settings name. `place` is the path of the settings. */
export async function checkNamed(
  db: Database,
  reader: JobReader,
  { endpoint, settings }: Naming,
  place = 'settings',
): Promise<void> {
  const brandId = endpoint.readsMedia ? endpoint.brandToUse(settings) : undefined
  if (brandId !== undefined) await getUsableBrand(db, reader.accountId, brandId, `${place}.brand`)
  await checkNamedJobs(db, reader, endpoint.jobsToRead(settings), place)
}

/**
 * Checks the earlier jobs that settings name: completed ones that the reader can see, with what the new job uses of their results.
 * Throws `invalid_request`, or `conflict` for a job that has not ended, with the path of the setting.
 */
async function checkNamedJobs(
  db: Database,
  reader: JobReader,
  named: readonly NamedJob[],
  place: string,
): Promise<void> {
  if (named.length === 0) return
  const jobs = await db.job.findMany({
    where: { id: { in: named.map(({ jobId }) => jobId) }, AND: seenBy(reader) },
    select: { id: true, status: true, endpoint: true },
  })
  const found = new Map(jobs.map((job) => [job.id, job]))
  for (const each of named) {
    const job = found.get(each.jobId)
    if (job && !hasEnded(job))
      throw new ServiceError(
        'conflict',
        `${place}.${each.setting}: ${job.id} is ${job.status}. Wait until it is completed.`,
      )
    const problem = problemOf(each, job)
    if (problem !== undefined) throw new ServiceError('invalid_request', `${place}.${each.setting}: ${problem}`)
  }
}

function problemOf({ jobId, anyOf }: NamedJob, job: Pick<Job, 'status' | 'endpoint'> | undefined): string | undefined {
  if (!job) return `there is no job ${jobId} in this account, or the key does not cover it. Check the id.`
  if (job.status === 'failed') return `${jobId} failed, so it has no result. Use a completed job.`
  const returnsOne = ({ result }: LiveEndpoint) => anyOf.some((field) => Object.hasOwn(result.shape, field))
  const endpoint = findEndpoint(job.endpoint)
  if (endpoint && returnsOne(endpoint)) return undefined
  const others = endpoints.filter(returnsOne).map(({ id }) => id)
  return `the result of ${jobId}, a job of ${job.endpoint}, has no ${anyOf[0]}. Use a job of ${others.join(', ')}.`
}

/** `POST /v1/<group>/<name>` for every endpoint: creates a job and answers when it ends. */
export const directPathRoutes = endpoints.map((endpoint) =>
  keyRoute({
    method: 'POST',
    url: `/v1/${endpoint.id}`,
    schema: {
      operationId: endpoint.id.replaceAll(/[/-](.)/g, (_, letter: string) => letter.toUpperCase()),
      tags: [endpoint.group],
      summary: endpoint.summary,
      description: `${endpoint.description} The response comes when the job ends, after at most 25 seconds. For longer media, create a job and poll it.`,
      headers: idempotencyHeader,
      body: directRequest(endpoint),
      response: createJobResponses,
    },
    handler: async (request, call) => {
      const { settings, ...fields } = request.body
      const body = { ...fields, endpoint: endpoint.id, settings: { _run_on_worker: false, ...settings } }
      const { status, headers, envelope } = await answerCreate(call, request, body)
      return call.reply.code(status).headers(headers).send(envelope)
    },
  }),
)
