import type { Database } from './database.ts'
import { noEarlierJob, readerOf } from './earlier-timelines.ts'
import { getResult, type Job, seenBy } from './jobs.ts'

/** The result of a completed job that the credential of `job` can see. Throws `not_found` for other jobs. */
export async function getEarlierResult(
  db: Database,
  job: Pick<Job, 'accountId' | 'apiKeyId'>,
  jobId: string,
): Promise<unknown> {
  const where = { id: jobId, status: 'completed' as const, AND: seenBy(await readerOf(db, job)) }
  if (!(await db.job.findFirst({ where, select: { id: true } }))) throw noEarlierJob(jobId)
  return getResult(db, jobId)
}
