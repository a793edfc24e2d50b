import { z } from 'zod'
import type { Credential } from '../../src/accounts/credentials.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { isId } from '../../src/core/ids.ts'
import { syncEndpoint } from '../../src/endpoints/timeline-sync/declaration.ts'
import {
  type FoundJob,
  findJob,
  findResult,
  hasEnded,
  hasLargeResults,
  type JobReader,
  type JobWithOutputs,
  listJobs,
} from '../../src/jobs/job-rows.ts'
import type { AskedFilter } from '../../src/jobs/list-conditions.ts'
import { addResults, type RunWithJobs, type RunWithoutResults } from '../../src/jobs/run-rows.ts'
import type { Storage } from '../../src/storage/storage.ts'
import type { ApiContext } from '../http/context.ts'
import { abortOnDisconnect, type LongPollContext, longPoll } from '../http/long-poll.ts'
import { decodePosition, pageLimit, pageOf } from '../http/pages.ts'
import { errorEnvelope, keyErrors, keyRoute } from '../http/route.ts'
import {
  type askedFilter,
  getJobQuery,
  jobEnvelope,
  jobFilter,
  jobPage,
  jobParams,
  presentJob,
  presentJobPage,
  presentJobSummary,
} from './schema.ts'

/** `GET /v1/jobs/{job_id}` */
export const getJobRoute = keyRoute({
  takesConnectors: true,
  method: 'GET',
  url: '/v1/jobs/:job_id',
  schema: {
    operationId: 'getJob',
    tags: ['jobs'],
    summary: 'Get a job, or wait for its end',
    description:
      'With wait, the response comes when the job ends or the seconds have passed. Repeat it until status is completed or failed. With limit, the lists of the result come in pages.',
    params: jobParams,
    querystring: getJobQuery,
    response: { ...keyErrors, 200: jobEnvelope, 404: errorEnvelope },
  },
  handler: async (request, { context, credential, reply }) => {
    const { job_id: jobId } = request.params
    const { wait: waitSeconds, ...query } = request.query
    const job = await readJob(context, { reader: credential, jobId, waitSeconds, signal: abortOnDisconnect(reply) })
    if (!hasEnded(job)) reply.header('retry-after', 1)
    const isPaged = Object.values(query).some((value) => value !== undefined)
    const body = isPaged ? await presentJobPage(context, job, query) : { job: await presentJob(context, job) }
    return { request_id: request.id, job_id: jobId, ...body }
  },
})

/** `GET /v1/jobs` */
export const listJobsRoute = keyRoute({
  method: 'GET',
  url: '/v1/jobs',
  schema: {
    operationId: 'listJobs',
    tags: ['jobs'],
    summary: 'List jobs, newest first',
    querystring: jobFilter.extend({ limit: pageLimit }),
    response: { ...keyErrors, 200: jobPage },
  },
  handler: async (request, { context, credential }) => ({
    request_id: request.id,
    ...(await pageOfJobs(context, credential, request.query)),
  }),
})

interface ReadJobInput {
  readonly reader: Credential
  readonly jobId: string
  /** How long to wait for the end. */
  readonly waitSeconds: number
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal
  /** Called with the job each time it is read. */
  readonly onRead?: ((job: JobWithOutputs) => Promise<void>) | undefined
}

/** A job, after waiting up to `waitSeconds` for its end. Throws `not_found` if the reader cannot see it. */
export async function readJob(
  context: LongPollContext & ResultContext,
  { reader, jobId, waitSeconds, signal, onRead }: ReadJobInput,
): Promise<JobWithOutputs> {
  const id = assertJobId(jobId)
  const read = async () => {
    const job = await findJobWithResult(context, reader, id)
    if (!job) throw noSuchJob()
    await onRead?.(job)
    return job
  }
  return longPoll(context, { waiter: reader, id, read, isDone: hasEnded, milliseconds: waitSeconds * 1000, signal })
}

/** A page of the reader's jobs, newest first, without results. */
export async function pageOfJobs(
  context: Pick<ApiContext, 'config' | 'db'>,
  reader: JobReader,
  { limit, cursor, status, endpoint, run_id: runId, ...asked }: z.output<typeof jobFilter> & { readonly limit: number },
) {
  // The contract lists both names of this status, and the service sends only one.
  const sent = status === 'succeeded' ? 'completed' : status
  const filter = { status: sent, endpoint, runId, ...askedFilterOf(asked) }
  const found = await listJobs(context.db, reader, { limit: limit + 1, after: decodePosition(cursor), filter })
  const [jobs, next] = pageOf(found, limit)
  return { jobs: jobs.map((job) => presentJobSummary(context, job)), ...next }
}

/** The filters that lists of jobs and of runs share, as the store names them. */
export function askedFilterOf(query: Pick<z.output<typeof jobFilter>, keyof typeof askedFilter>): AskedFilter {
  const { media_name: mediaName, metadata, created_after: createdAfter, created_before: createdBefore } = query
  return { mediaName, metadata, createdAfter, createdBefore }
}

/** Throws `not_found` for a malformed id, as for an unknown one. */
export function assertJobId(jobId: string): string {
  if (isId('run', jobId))
    throw new ServiceError('not_found', `${jobId} is a run, not a job. Read it at /v1/workflow-runs/${jobId}.`)
  if (!isId('job', jobId)) throw noSuchJob()
  return jobId
}

export function noSuchJob(): ServiceError {
  return new ServiceError(
    'not_found',
    'This account has no job with this id, or the key does not cover it. Check the id and the key.',
  )
}

type JobWithoutResult = Omit<JobWithOutputs, 'result'>

/** The job that a timeline job was given, of several the first. Those with `recordings` are on different media. */
const givenJob = z.union([
  z.object({ job_id: z.string() }).transform(({ job_id: id }) => id),
  z.object({ words_job_id: z.string() }).transform(({ words_job_id: id }) => id),
  z
    .object({ job_ids: z.tuple([z.string()], z.string()), recordings: z.never().optional() })
    .transform(({ job_ids: [id] }) => id),
])

/** Timeline jobs can be on timeline jobs without end. */
const maxTimelineJobs = 8

/**
 * The job itself if it read media; for a timeline job, the job on media that it was made of, through timeline jobs between them.
 * Returns undefined if no job on media is among them.
 */
export async function findJobOnMedia(
  db: ApiContext['db'],
  reader: JobReader,
  job: JobWithoutResult,
  levels = maxTimelineJobs,
): Promise<JobWithoutResult | undefined> {
  if (job.mediaUrl !== null) return job
  // Its recordings are different media.
  if (job.endpoint === syncEndpoint.id || levels === 0) return undefined
  const { data: id } = givenJob.safeParse(job.settings)
  const earlier = id === undefined ? null : await findJob(db, reader, id)
  return earlier ? findJobOnMedia(db, reader, earlier, levels - 1) : undefined
}

/** A completed job whose files all exist; presenting it signs new URLs. */
export async function refreshOutputs(
  context: ResultContext & Pick<ApiContext, 'storage'>,
  reader: JobReader,
  jobId: string,
): Promise<JobWithOutputs> {
  const job = await findJobWithResult(context, reader, assertJobId(jobId))
  if (!job) throw noSuchJob()
  await assertOutputsAreThere(context.storage, job)
  return job
}

async function assertOutputsAreThere(storage: Storage, { id: jobId, status, outputs }: JobWithOutputs): Promise<void> {
  if (status !== 'completed') {
    throw new ServiceError(
      'conflict',
      `This job is ${status}, and only a completed job has outputs. ${status === 'failed' ? 'Create another one.' : `Wait for it with GET /v1/jobs/${jobId}?wait=20.`}`,
      { jobId },
    )
  }
  const objects = await Promise.all(outputs.map(({ objectKey }) => storage.stat(objectKey)))
  if (objects.includes(undefined)) {
    throw new ServiceError(
      'not_found',
      'The files of this job were deleted after their retention time. Run the job again.',
      { jobId },
    )
  }
}

export type ResultContext = Pick<ApiContext, 'db' | 'results'>

/** Null for a job that the reader cannot see. Throws `rate_limited` if the account reads too many large results. */
export async function findJobWithResult(
  context: ResultContext,
  reader: JobReader,
  jobId: string,
): Promise<JobWithOutputs | null> {
  const found = await findJob(context.db, reader, jobId)
  return found && withResult(context, found)
}

/** The job with its result. Throws like `findJobWithResult`. */
export async function withResult(
  { db, results }: ResultContext,
  { smallResult, hasLargeResult, ...job }: FoundJob,
): Promise<JobWithOutputs> {
  if (!hasLargeResult) return { ...job, result: smallResult }
  const giveBack = results.take(job.accountId)
  return { ...job, result: await findResult(db, job.id).finally(giveBack) }
}

/** The run with the results of all of its jobs, or of those of `jobIds` alone. Throws like `findJobWithResult`. */
export async function withResults(
  { db, results }: ResultContext,
  run: RunWithoutResults,
  jobIds: readonly string[] = run.jobs.map(({ id }) => id),
): Promise<RunWithJobs> {
  if (jobIds.length === 0) return { ...run, jobs: run.jobs.map((job) => ({ ...job, result: null })) }
  if (!(await hasLargeResults(db, jobIds))) return addResults(db, run, jobIds)
  const giveBack = results.take(run.accountId)
  return addResults(db, run, jobIds).finally(giveBack)
}
