import type { Database } from '../db/database.ts'

/** The name under which the database announces new jobs and events of the account, and changes of a job's status or progress. */
export function workOf(accountId: string): string {
  return `work/${accountId}`
}

const maxJobs = 100

/** The newest jobs of the account that have not ended. */
export async function listOpenWork(db: Database, accountId: string) {
  return db.job.findMany({
    where: { accountId, endedAt: null, deletedAt: null },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: maxJobs,
    select: { id: true, endpoint: true, runId: true, status: true, progress: true },
  })
}
