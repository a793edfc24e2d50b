import type { Database } from './database.ts'
import { noEarlierJob, readerOf } from './earlier-timelines.ts'
import { getResult, type Job, omitResult, seenBy } from './jobs.ts'

/** The result of a completed job that the credential of `job` can see. Throws `not_found` for other jobs. */
export async function getEarlierResult(
  db: Database,
  job: Pick<Job, 'accountId' | 'apiKeyId'>,
  jobId: string,
): Promise<unknown> {
  const { id } = await getEarlierJob(db, job, jobId)
  return getResult(db, id)
}

/** A completed job, with its files, that the credential of `job` can see. Throws `not_found` for other jobs. */
export async function getEarlierJob(db: Database, job: Pick<Job, 'accountId' | 'apiKeyId'>, jobId: string) {
  const where = { id: jobId, status: 'completed' as const, AND: seenBy(await readerOf(db, job)) }
  const found = await db.job.findFirst({ where, ...omitResult, include: { outputs: true } })
  if (!found) throw noEarlierJob(jobId)
  return found
}
