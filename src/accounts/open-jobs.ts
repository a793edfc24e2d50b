import type { Database } from '../store/database.ts'

/** More than accounts have with the default limits. */
const maxListedJobs = 2_000

/** The open jobs of an account, the oldest first. `waiting`: for a slot of the account, so that Temporal does not have the job yet. */
export async function listOpenJobs(db: Database, accountId: string) {
  const jobs = await db.job.findMany({
    where: { accountId, endedAt: null },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: maxListedJobs,
    select: { id: true, runId: true, endpoint: true, status: true, admittedAt: true, createdAt: true },
  })
  return jobs.map(({ id, runId, endpoint, status, admittedAt, createdAt }) => ({
    ...{ job_id: id, run_id: runId, endpoint },
    status: admittedAt === null ? 'waiting' : status,
    created_at: createdAt,
  }))
}

/** Requests that the waiting jobs of an account end. Returns their number. */
export async function cancelWaitingJobs(db: Database, accountId: string): Promise<number> {
  const { count } = await db.job.updateMany({
    where: { accountId, endedAt: null, admittedAt: null, cancelRequestedAt: null },
    data: { cancelRequestedAt: new Date() },
  })
  return count
}
