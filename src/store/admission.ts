import { type Database, lockAccount, type Transaction } from './database.ts'
import type { Job } from './jobs.ts'

// An account has a number of slots. An admitted job holds one until it ends. A run holds the slot of its first job until the run
// ends, and its later jobs use it.

const waiting = { endedAt: null, admittedAt: null, cancelRequestedAt: null } as const

/** Whether a new job of the account may start: a slot is free, and no older job waits for it. The caller holds the account's row lock. */
export async function hasFreeSlot(tx: Transaction, accountId: string, slots: number): Promise<boolean> {
  return (await countRunning(tx, accountId)) < slots && !(await hasWaitingJobs(tx, accountId))
}

export async function hasWaitingJobs(db: Database | Transaction, accountId: string): Promise<boolean> {
  return (await db.job.findFirst({ where: { accountId, ...waiting }, select: { id: true } })) !== null
}

export async function countWaitingJobs(tx: Transaction, accountId: string): Promise<number> {
  return tx.job.count({ where: { accountId, ...waiting } })
}

/** Gives the account's free slots to its oldest waiting jobs, and returns these, to be started. */
export async function admitWaiting(db: Database, accountId: string, slots: number): Promise<Job[]> {
  return db.$transaction(async (tx) => {
    await lockAccount(tx, accountId)
    const free = slots - (await countRunning(tx, accountId))
    if (free <= 0) return []
    const next = await tx.job.findMany({
      where: { accountId, ...waiting },
      orderBy: { createdAt: 'asc' },
      take: free,
      select: { id: true },
    })
    return tx.job.updateManyAndReturn({
      where: { id: { in: next.map(({ id }) => id) }, ...waiting },
      data: { admittedAt: new Date() },
    })
  })
}

/** Accounts with a waiting job and a free slot, the longest waiting first. */
export async function findAdmissibleAccounts(db: Database, slots: number, limit: number): Promise<string[]> {
  const accounts = await db.$queryRaw<{ accountId: string }[]>`
    SELECT account_id AS "accountId" FROM jobs WHERE status IN ('queued', 'running')
    GROUP BY account_id
    HAVING count(*) FILTER (WHERE admitted_at IS NOT NULL AND run_id IS NULL) + (
        SELECT count(*) FROM workflow_runs WHERE workflow_runs.account_id = jobs.account_id AND ended_at IS NULL
          AND EXISTS (SELECT 1 FROM jobs AS steps WHERE run_id = workflow_runs.id AND admitted_at IS NOT NULL)
      ) < ${slots}
      AND count(*) FILTER (WHERE admitted_at IS NULL AND cancel_requested_at IS NULL) > 0
    ORDER BY min(created_at) FILTER (WHERE admitted_at IS NULL) LIMIT ${limit}`
  return accounts.map(({ accountId }) => accountId)
}

async function countRunning(tx: Transaction, accountId: string): Promise<number> {
  const admittedAt = { not: null }
  const jobs = await tx.job.count({ where: { accountId, endedAt: null, admittedAt, runId: null } })
  return jobs + (await tx.workflowRun.count({ where: { accountId, endedAt: null, jobs: { some: { admittedAt } } } }))
}
