import type { z } from 'zod'
import { ServiceError } from '../../src/core/errors.ts'
import { isId } from '../../src/core/ids.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { findJob, hasEnded, type JobReader, type JobWithOutputs, listJobs } from '../../src/store/jobs.ts'
import type { ApiContext } from '../http/context.ts'
import { type WaitUntilInput, waitUntil, withWaitSlot } from '../http/long-poll.ts'
import { decodeCursor, pageOf } from '../http/pages.ts'
import { presentJobSummary } from './present.ts'
import type { jobFilter } from './schema.ts'

export interface ReadJobInput extends Omit<WaitInput, 'milliseconds'> {
  readonly waitSeconds: number
}

/** A job, or its end where that comes within the seconds. `not_found` where the reader sees no such job. */
export async function readJob(context: ApiContext, { waitSeconds, ...wait }: ReadJobInput): Promise<JobWithOutputs> {
  const job = await waitForEnd(context, { ...wait, jobId: assertJobId(wait.jobId), milliseconds: waitSeconds * 1000 })
  if (!job) throw noSuchJob()
  return job
}

/** A page of the reader's jobs, newest first, without results. */
export async function pageOfJobs(
  context: ApiContext,
  reader: JobReader,
  { limit, cursor, ...filter }: z.output<typeof jobFilter> & { readonly limit: number },
) {
  const found = await listJobs(context.db, reader, { limit: limit + 1, after: decodeCursor(cursor), filter })
  const [jobs, next] = pageOf(found, limit)
  return { jobs: jobs.map((job) => presentJobSummary(context, job)), ...next }
}

/** A malformed id is as unknown as any other. */
export function assertJobId(jobId: string): string {
  if (!isId('job', jobId)) throw noSuchJob()
  return jobId
}

export function noSuchJob(): ServiceError {
  return new ServiceError('not_found', 'This account has no job with this id. Check the job id.')
}

export interface WaitInput {
  readonly reader: JobReader
  readonly jobId: string
  readonly milliseconds: number
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal
  /** Told the job each time that it is read. */
  readonly onRead?: ((job: JobWithOutputs) => Promise<void>) | undefined
}

type WaitContext = Pick<ApiContext, 'config' | 'db' | 'jobEndListener' | 'closing' | 'background'>

/** The job when it has ended, else as `waitAsOpen` says. Null where there is none. */
export async function waitForEnd(
  context: WaitContext,
  { reader, jobId, milliseconds, signal, onRead }: WaitInput,
): Promise<JobWithOutputs | null> {
  const read = async () => {
    const found = await findJob(context.db, reader, jobId)
    if (found) await onRead?.(found)
    return found
  }
  const isDone = (job: JobWithOutputs | null) => job === null || hasEnded(job)
  return longPoll(context, { accountId: reader.accountId, id: jobId, read, isDone, milliseconds, signal })
}

/**
 * The row when it is done, or as it is when the time is up, the client leaves, the server closes, or newer waits of the
 * account take its place.
 */
export async function longPoll<Row>(
  context: WaitContext,
  { accountId, signal, ...wait }: WaitUntilInput<Row> & { readonly accountId: string },
): Promise<Row> {
  const { read, isDone, milliseconds } = wait
  const row = await read()
  if (isDone(row) || milliseconds === 0) return row
  return withWaitSlot(context, { accountId, milliseconds }, (givenUp) =>
    waitUntil(context, { ...wait, signal: AbortSignal.any([signal, givenUp]) }),
  )
}

/** A completed job whose files are all there: presenting it signs their URLs anew. */
export async function refreshOutputs(
  { db, storage }: Pick<ApiContext, 'db' | 'storage'>,
  reader: JobReader,
  jobId: string,
): Promise<JobWithOutputs> {
  const job = await findJob(db, reader, assertJobId(jobId))
  if (!job) throw noSuchJob()
  await assertOutputsAreThere(storage, job)
  return job
}

async function assertOutputsAreThere(storage: Storage, { id: jobId, status, outputs }: JobWithOutputs): Promise<void> {
  if (status !== 'completed') {
    throw new ServiceError('conflict', `This job is ${status}. Only a completed job has outputs.`, { jobId })
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
