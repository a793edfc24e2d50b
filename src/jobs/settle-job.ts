import path from 'node:path'
import { endHold, fitHold } from '../billing/holds.ts'
import { priceFor } from '../billing/price.ts'
import { errorTable } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import type { MicroUsd } from '../core/money.ts'
import { type Database, lockAccount, lockJob, type Transaction } from '../store/database.ts'
import { findDraft, publishDraft } from '../store/drafts.ts'
import { Prisma } from '../store/generated/client.ts'
import type { Failure } from '../store/job-documents.ts'
import { notifyJobEnded } from '../store/job-ends.ts'
import { getJob, hasEnded, type Job, omitResult } from '../store/jobs.ts'
import { countLedgerErrors, measureEnd } from '../telemetry/measure-jobs.ts'
import type { Metrics } from '../telemetry/metrics.ts'

/** A job that has ended. */
export type SettledJob = Job & {
  /** Whether this call ended it, and so must measure it. */
  readonly endedNow: boolean
}

/** Records the maximum price of a job as its estimate, and fits the hold to it. */
export async function holdEstimate(db: Database, jobId: string, estimatedMicroUsd: MicroUsd): Promise<void> {
  await db.$transaction(async (tx) => {
    await lockJob(tx, jobId)
    const job = await getJob(tx, jobId)
    if (hasEnded(job)) return
    await fitHold(tx, { accountId: job.accountId, jobId, keyId: job.apiKeyId }, estimatedMicroUsd)
    await tx.job.update({ where: { id: jobId }, data: { estimatedMicroUsd } })
  })
}

export const canceledJob: Failure = { code: 'canceled', message: errorTable.canceled.message }

/**
 * Publishes a job's draft and captures its price, or records its failure and releases the hold: one transaction, once. A job
 * whose deletion was requested is canceled, even if its work is done.
 */
export async function settleJob(db: Database, jobId: string, failure?: Failure): Promise<SettledJob> {
  return db.$transaction(async (tx) => {
    await lockJob(tx, jobId)
    const job = await getJob(tx, jobId)
    if (hasEnded(job)) return { ...job, endedNow: false }
    await lockAccount(tx, job.accountId)
    const reason = (await isBeingDeleted(tx, job)) ? canceledJob : failure
    const ended = reason ? await fail(tx, job, reason) : await complete(tx, job)
    await notifyJobEnded(tx, jobId)
    return { ...ended, endedNow: true }
  })
}

/** The caller holds the locks of the job and of its account, so that a deletion comes before this or after the job's end. */
async function isBeingDeleted(tx: Transaction, { accountId, deletedAt }: Job): Promise<boolean> {
  return deletedAt !== null || (await tx.account.findUniqueOrThrow({ where: { id: accountId } })).deletedAt !== null
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
      warnings: [...job.warnings, ...(draft.warnings ?? [])],
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

/** Settles a job and measures its end. Every caller that ends a job uses it. */
export async function endJob(
  { db, metrics }: { readonly db: Database; readonly metrics: Metrics },
  jobId: string,
  failure?: Failure,
): Promise<SettledJob> {
  const job = await countLedgerErrors(metrics, 'settle', () => settleJob(db, jobId, failure))
  measureEnd(metrics, job)
  return job
}
