import { announce } from '../store/announcements.ts'
import { type Database, lockAccount, lockRun } from '../store/database.ts'
import { assertNotRead, markJobsDeleted, markRunsDeleted } from '../store/deletions.ts'
import { Prisma } from '../store/generated/client.ts'

/**
 * Marks a run with its jobs as deleted, which cancels it if it is open. False if the account has no such run. Throws `conflict`
 * while an open job outside the run reads one of its outputs.
 */
export async function deleteRun(db: Database, accountId: string, runId: string): Promise<boolean> {
  return db.$transaction(async (tx) => {
    await lockRun(tx, runId)
    const run = await tx.workflowRun.findFirst({
      where: { id: runId, accountId, deletedAt: null },
      select: { jobs: { select: { id: true, outputs: { select: { objectKey: true } } } } },
    })
    if (!run) return false
    await markRunsDeleted(tx, Prisma.sql`id = ${runId}`)
    await markJobsDeleted(tx, Prisma.sql`run_id = ${runId}`)
    await lockAccount(tx, accountId)
    // The run's own jobs are marked, so they do not count as readers.
    await assertNotRead(
      tx,
      run.jobs.flatMap(({ outputs }) => outputs.map(({ objectKey }) => objectKey)),
    )
    await tx.idempotencyRecord.deleteMany({ where: { accountId, createdId: runId } })
    for (const id of [runId, ...run.jobs.map((job) => job.id)]) await announce(tx, id)
    return true
  })
}
