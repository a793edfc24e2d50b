import { fitHold } from '../billing/holds.ts'
import { priceFor } from '../core/money.ts'
import type { Database } from '../store/database.ts'
import { getJob, hasEnded } from '../store/jobs.ts'
import { lockJob } from '../store/locks.ts'

/** Fixes a job's estimate from what can be billed at most, and fits the hold to it. */
export async function holdEstimate(db: Database, jobId: string, billableMilliseconds: number): Promise<void> {
  await db.$transaction(async (tx) => {
    await lockJob(tx, jobId)
    const job = await getJob(tx, jobId)
    if (hasEnded(job)) return
    const estimatedMicroUsd = priceFor(billableMilliseconds, job.rateMicroUsdPerMinute)
    await fitHold(tx, job.accountId, jobId, estimatedMicroUsd)
    await tx.job.update({ where: { id: jobId }, data: { estimatedMicroUsd } })
  })
}
