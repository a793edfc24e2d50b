import { findJob, findResult, hasLargeResults, type JobReader, type JobWithOutputs } from '../../src/store/jobs.ts'
import { addResults, type RunWithJobs, type RunWithoutResults } from '../../src/store/runs.ts'
import type { ApiContext } from '../http/context.ts'

export type ResultContext = Pick<ApiContext, 'db' | 'results'>

/** Null for a job that the reader cannot see. Throws `rate_limited` if the account reads too many large results. */
export async function findJobWithResult(
  { db, results }: ResultContext,
  reader: JobReader,
  jobId: string,
): Promise<JobWithOutputs | null> {
  const found = await findJob(db, reader, jobId)
  if (!found) return null
  const { smallResult, hasLargeResult, ...job } = found
  if (!hasLargeResult) return { ...job, result: smallResult }
  const giveBack = results.take(reader.accountId)
  return { ...job, result: await findResult(db, jobId).finally(giveBack) }
}

/** The run with the results of all of its jobs, or of those of `jobIds` alone. Throws like `findJobWithResult`. */
export async function withResults(
  { db, results }: ResultContext,
  run: RunWithoutResults,
  jobIds: readonly string[] = run.jobs.map(({ id }) => id),
): Promise<RunWithJobs> {
  if (!(await hasLargeResults(db, jobIds))) return addResults(db, run, jobIds)
  const giveBack = results.take(run.accountId)
  return addResults(db, run, jobIds).finally(giveBack)
}
