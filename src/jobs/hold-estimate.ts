import { fitEntries, type HoldBasis } from '../billing/holds.ts'
import { entriesSql } from '../billing/ledger.ts'
import { readSpending } from '../billing/spending.ts'
import type { MicroUsd } from '../core/money.ts'
import type { Database, Transaction } from '../store/database.ts'
import { Prisma } from '../store/generated/client.ts'
import { hasEnded, type Job, type LockedJob, lockJobAndAccount } from '../store/jobs.ts'

/** Records the maximum price of a job as its estimate, and fits the hold to it. */
export async function holdEstimate(db: Database, jobId: string, estimateOf: (job: Job) => MicroUsd): Promise<void> {
  await db.$transaction(async (tx) => {
    const job = await lockJobAndAccount(tx, jobId)
    if (hasEnded(job)) return
    const estimate = estimateOf(job)
    const entries = fitEntries(await readHoldBasis(tx, job), estimate)
    const noted = Prisma.sql`noted AS (UPDATE jobs SET estimated_micro_usd = ${estimate}::bigint WHERE id = ${jobId})`
    await tx.$executeRaw`WITH ${Prisma.join([noted, ...entriesSql(entries)])} SELECT`
  })
}

/** What decides about the hold of a locked job. */
export async function readHoldBasis(tx: Transaction, locked: LockedJob): Promise<HoldBasis> {
  const { id: jobId, accountId, apiKeyId: keyId, runId, limitMicroUsd } = locked
  const job = { jobId, accountId, keyId, runId, limitMicroUsd }
  return { job, account: locked, spending: await readSpending(tx, job) }
}
