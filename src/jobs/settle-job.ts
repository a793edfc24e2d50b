import path from 'node:path'
import { endHold } from '../billing/holds.ts'
import { priceFor } from '../billing/price.ts'
import { newId } from '../core/ids.ts'
import type { Database, Transaction } from '../store/database.ts'
import { Prisma } from '../store/generated/client.ts'
import type { Failure } from '../store/job-documents.ts'
import { notifyJobEnded } from '../store/job-ends.ts'
import { findDraft, getJob, hasEnded, type Job, omitResult, publishDraft } from '../store/jobs.ts'
import { lockJob } from '../store/locks.ts'

/** A job that has ended. */
export type SettledJob = Job & {
  /** By this very call, which thus is the one to count it. */
  readonly endedNow: boolean
}

/** Publishes a job's draft and captures its price, or records its failure and releases the hold: one transaction, once. */
export async function settleJob(db: Database, jobId: string, failure?: Failure): Promise<SettledJob> {
  return db.$transaction(async (tx) => {
    await lockJob(tx, jobId)
    const job = await getJob(tx, jobId)
    if (hasEnded(job)) return { ...job, endedNow: false }
    const ended = failure ? await fail(tx, job, failure) : await complete(tx, job)
    await notifyJobEnded(tx, jobId)
    return { ...ended, endedNow: true }
  })
}

async function complete(tx: Transaction, job: Job): Promise<Job> {
  const draft = await findDraft(tx, job.id)
  if (!draft) throw new Error(`${job.id} has nothing to publish`)
  await tx.output.createMany({
    data: draft.files.map((file, position) => ({ id: newId('out'), jobId: job.id, position, ...file })),
  })
  const folders = draft.files.map(({ objectKey }) => path.posix.dirname(objectKey))
  await tx.stagedFolder.deleteMany({ where: { jobId: job.id, folder: { in: folders } } })
  const price = priceFor(draft.billedMilliseconds, job.rateMicroUsdPerMinute)
  const finalMicroUsd = await endHold(tx, job.accountId, job.id, price)
  await publishDraft(tx, job.id)
  return tx.job.update({
    where: { id: job.id },
    data: {
      status: 'completed',
      progress: 1,
      finalMicroUsd,
      billedMilliseconds: draft.billedMilliseconds,
      endedAt: new Date(),
    },
    ...omitResult,
  })
}

async function fail(tx: Transaction, job: Job, failure: Failure): Promise<Job> {
  await endHold(tx, job.accountId, job.id, null)
  return tx.job.update({
    where: { id: job.id },
    data: { status: 'failed', error: failure, draft: Prisma.DbNull, finalMicroUsd: 0n, endedAt: new Date() },
    ...omitResult,
  })
}
