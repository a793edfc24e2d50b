import { ServiceError } from '../core/errors.ts'
import { announce } from '../store/announcements.ts'
import { type Database, lockAccount, lockJob } from '../store/database.ts'
import { assertNotRead, markJobsDeleted } from '../store/deletions.ts'
import { Prisma } from '../store/generated/client.ts'
import { type JobReader, seenBy } from '../store/jobs.ts'

/**
 * Marks a job as deleted: no read finds it, and it is canceled if it is open. Null if the reader cannot see it. Throws `conflict` for
 * a job of a run, and while an open job reads one of its outputs.
 */
export async function deleteJob(db: Database, reader: JobReader, jobId: string): Promise<{ isOpen: boolean } | null> {
  return db.$transaction(async (tx) => {
    const where = { id: jobId, ...seenBy(reader) }
    const seen = await tx.job.findFirst({ where, select: { accountId: true, runId: true } })
    if (!seen) return null
    const { accountId, runId } = seen
    if (runId) {
      throw new ServiceError('conflict', `This job is a step of ${runId}. Delete the run, and its jobs go with it.`, {
        jobId,
      })
    }
    // Not before these checks: a slot that becomes free passes over jobs that are locked.
    await lockJob(tx, jobId)
    const job = await tx.job.findFirst({
      where,
      select: { endedAt: true, outputs: { select: { objectKey: true } } },
    })
    if (!job) return null
    const { endedAt, outputs } = job
    await lockAccount(tx, accountId)
    await assertNotRead(
      tx,
      outputs.map(({ objectKey }) => objectKey),
    )
    await markJobsDeleted(tx, Prisma.sql`id = ${jobId}`)
    await tx.idempotencyRecord.deleteMany({ where: { accountId, createdId: jobId } })
    await announce(tx, jobId)
    return { isOpen: endedAt === null }
  })
}
