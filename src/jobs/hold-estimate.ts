import { fitHold } from '../billing/holds.ts'
import type { MicroUsd } from '../core/money.ts'
import type { Database } from '../store/database.ts'
import { getJob, hasEnded } from '../store/jobs.ts'
import { lockJob } from '../store/locks.ts'

/** Records the most that a job can cost as its estimate, and fits the hold to it. */
export async function holdEstimate(db: Database, jobId: string, estimatedMicroUsd: MicroUsd): Promise<void> {
  await db.$transaction(async (tx) => {
    await lockJob(tx, jobId)
    const job = await getJob(tx, jobId)
    if (hasEnded(job)) return
    await fitHold(tx, job.accountId, jobId, estimatedMicroUsd)
    await tx.job.update({ where: { id: jobId }, data: { estimatedMicroUsd } })
  })
}
