import {
  type FoundJob,
  findJob,
  findResult,
  hasLargeResults,
  type JobReader,
  type JobWithOutputs,
} from '../../src/store/jobs.ts'
import { addResults, type RunWithJobs, type RunWithoutResults } from '../../src/store/runs.ts'
import type { ApiContext } from '../http/context.ts'

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
