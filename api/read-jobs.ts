import type { z } from 'zod'
import { ServiceError } from '../src/core/errors.ts'
import { isId } from '../src/core/ids.ts'
import { type JobReader, type JobWithOutputs, listJobs } from '../src/store/jobs.ts'
import type { ApiContext } from './context.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { presentJobSummary } from './present-job.ts'
import type { jobFilter } from './schemas/job.ts'
import { type WaitInput, waitForEnd } from './wait-for-end.ts'

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
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  // One more than asked for tells whether there is a next page.
  const found = await listJobs(context.db, reader, { limit: limit + 1, after, filter })
  const jobs = found.slice(0, limit)
  const last = found.length > limit ? jobs.at(-1) : undefined
  return {
    jobs: jobs.map((job) => presentJobSummary(context, job)),
    ...(last ? { next_cursor: encodeCursor(last) } : {}),
  }
}

/** A malformed id is as unknown as any other. */
export function assertJobId(jobId: string): string {
  if (!isId('job', jobId)) throw noSuchJob()
  return jobId
}

export function noSuchJob(): ServiceError {
  return new ServiceError('not_found', 'There is no such job in this account. Check the job id.')
}
