import type { BillingProvider } from '../billing/provider/provider.ts'
import { ServiceError } from '../core/errors.ts'
import { announce } from '../db/announcements.ts'
import { type Database, lockAccount, lockJob, lockRun, type Transaction } from '../db/database.ts'
import { Prisma } from '../db/generated/client.ts'
import type { Storage } from '../storage/storage.ts'
import { erasingSql } from '../webhooks/events.ts'
import { type JobReader, seenBy } from './job-rows.ts'
import type { CancellationDependencies } from './start-and-end.ts'

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

/** What the API and upkeep erase with. */
export interface DeletionDependencies extends CancellationDependencies {
  readonly storage: Storage
  readonly billing: Pick<BillingProvider, 'forgetCustomer'>
}

/**
 * Throws `conflict` if an open job or run that is not deleted reads one of the account's objects. The caller holds the account's row
 * lock.
 */
export async function assertNotRead(tx: Transaction, objectKeys: readonly string[], uploadId?: string): Promise<void> {
  const object = { objectKey: Prisma.sql`object_key`, uploadId: uploadId ? Prisma.sql`${uploadId}::text` : undefined }
  const [reader] = await tx.$queryRaw<{ id: string; isJob: boolean }[]>`
    SELECT id, is_job AS "isJob" FROM unnest(${[...objectKeys]}::text[]) AS object_key, LATERAL (${readersOf(object)}) AS readers
    WHERE deleted_at IS NULL ORDER BY is_job LIMIT 1`
  if (!reader) return
  throw new ServiceError(
    'conflict',
    `${reader.id} reads this media. Cancel it or wait for its end, then delete again.`,
    reader.isJob ? { jobId: reader.id } : {},
  )
}

// `deletedAt` makes a row a tombstone that no read finds. What it has is erased afterwards: erase.ts.

/** Nothing more is sent or shown of what was marked. An event that is being written meanwhile is erased with the row. */
const untold = Prisma.sql`
  ${erasingSql(Prisma.sql`subject_id IN (SELECT id FROM marked)`)},
  uncalled AS (DELETE FROM webhook_endpoints USING marked WHERE subject_id = marked.id),
  unshared AS (DELETE FROM shares USING marked WHERE subject_id = marked.id)`

/** Marks jobs as deleted, requests the cancellation of the open ones, and takes what they found out of the search. Returns their number. */
async function markJobsDeleted(db: Database | Transaction, jobs: Prisma.Sql): Promise<number> {
  const [marked] = await db.$queryRaw<[{ count: number }]>`
    WITH marked AS (
      UPDATE jobs SET deleted_at = now(),
        cancel_requested_at = CASE WHEN ended_at IS NULL THEN coalesce(cancel_requested_at, now()) ELSE cancel_requested_at END
      WHERE deleted_at IS NULL AND ${jobs} RETURNING id
    ), unindexed AS (DELETE FROM passages USING marked WHERE job_id = marked.id), ${untold}
    SELECT count(*)::int AS count FROM marked`
  return marked.count
}

/** Marks runs as deleted, and closes them, so that they create no more jobs. */
async function markRunsDeleted(db: Database | Transaction, runs: Prisma.Sql): Promise<number> {
  const [marked] = await db.$queryRaw<[{ count: number }]>`
    WITH marked AS (
      UPDATE workflow_runs SET deleted_at = now(), closed_at = coalesce(closed_at, now())
      WHERE deleted_at IS NULL AND ${runs} RETURNING id
    ), ${untold}
    SELECT count(*)::int AS count FROM marked`
  return marked.count
}

/** Marks uploads as deleted, and ends the claims of their PUTs. */
export async function markUploadsDeleted(db: Database | Transaction, uploads: Prisma.Sql): Promise<number> {
  const [marked] = await db.$queryRaw<[{ count: number }]>`
    WITH marked AS (
      UPDATE uploads SET deleted_at = now(), claim_id = NULL, claim_bytes = NULL, claim_ends_at = NULL
      WHERE deleted_at IS NULL AND ${uploads} RETURNING id
    ), ${untold}
    SELECT count(*)::int AS count FROM marked`
  return marked.count
}

/** Few enough that the locks of their rows are short. */
const markedTogether = 500

/**
 * Marks some rows of a deleted account as deleted, and returns their number: 0 when all are marked. Nothing can be added to the
 * account.
 */
export async function markContentsDeleted(db: Database, accountId: string): Promise<number> {
  const some = (table: string) => Prisma.sql`id IN (
    SELECT id FROM ${Prisma.raw(table)} WHERE account_id = ${accountId} AND deleted_at IS NULL LIMIT ${markedTogether})`
  const runs = await markRunsDeleted(db, some('workflow_runs'))
  const jobs = await markJobsDeleted(db, some('jobs'))
  return runs + jobs + (await markUploadsDeleted(db, some('uploads')))
}

/**
 * Marks some jobs and runs that ended before `endedBefore` as deleted, oldest first, and returns their number. Those with outputs
 * wait until these have expired; jobs of a run wait for the run.
 */
export async function markExpiredDeleted(db: Database, endedBefore: Date, limit: number): Promise<number> {
  return db.$transaction(async (tx) => {
    const runs = await tx.$queryRaw<{ id: string }[]>`
      SELECT id FROM workflow_runs
      WHERE deleted_at IS NULL AND ended_at < ${endedBefore}
        AND NOT EXISTS (SELECT FROM jobs JOIN outputs ON outputs.job_id = jobs.id WHERE jobs.run_id = workflow_runs.id)
      ORDER BY ended_at LIMIT ${limit}`
    const runIds = runs.map(({ id }) => id)
    const expiredJobs = Prisma.sql`id IN (
      SELECT id FROM jobs
      WHERE deleted_at IS NULL AND ended_at < ${endedBefore} AND run_id IS NULL
        AND NOT EXISTS (SELECT FROM outputs WHERE outputs.job_id = jobs.id)
      ORDER BY ended_at LIMIT ${limit})`
    return (
      (await markRunsDeleted(tx, Prisma.sql`id = ANY(${runIds})`)) +
      (await markJobsDeleted(tx, Prisma.sql`run_id = ANY(${runIds})`)) +
      (await markJobsDeleted(tx, expiredJobs))
    )
  })
}

/** A stored object, named by columns or parameters. */
interface ReadableObject {
  readonly objectKey: Prisma.Sql
  /** The upload that it belongs to, which jobs can read as a picture. */
  readonly uploadId?: Prisma.Sql | undefined
}

/** Whether an open job or run reads the object. */
export function isRead(object: ReadableObject): Prisma.Sql {
  return Prisma.sql`EXISTS (${readersOf(object)})`
}

/** The open jobs and runs that read the object. Between two steps of a run, only the run reads its media. */
function readersOf({ objectKey, uploadId }: ReadableObject): Prisma.Sql {
  const openJobs = Prisma.sql`SELECT id, deleted_at, true AS is_job FROM jobs WHERE ended_at IS NULL`
  const asMedia = [
    Prisma.sql`${openJobs} AND media_key = ${objectKey}`,
    Prisma.sql`
      SELECT id, deleted_at, false FROM workflow_runs WHERE ended_at IS NULL AND media_key = ${objectKey}`,
  ]
  const asPicture = uploadId ? [Prisma.sql`${openJobs} AND settings -> 'upload_ids' @> to_jsonb(${uploadId})`] : []
  return Prisma.join([...asMedia, ...asPicture], ' UNION ALL ')
}
