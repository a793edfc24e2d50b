import { ServiceError } from '../core/errors.ts'
import type { Database, Transaction } from './database.ts'
import { Prisma } from './generated/client.ts'
import { readersOf } from './readers.ts'

// `deletedAt` makes a row a tombstone that no read finds. What it has is erased afterwards: erasure.ts.

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

/** Marks jobs as deleted, requests the cancellation of the open ones, and takes what they found out of the search. Returns their number. */
export async function markJobsDeleted(db: Database | Transaction, jobs: Prisma.Sql): Promise<number> {
  const [marked] = await db.$queryRaw<[{ count: number }]>`
    WITH marked AS (
      UPDATE jobs SET deleted_at = now(),
        cancel_requested_at = CASE WHEN ended_at IS NULL THEN coalesce(cancel_requested_at, now()) ELSE cancel_requested_at END
      WHERE deleted_at IS NULL AND ${jobs} RETURNING id
    ), unindexed AS (DELETE FROM passages USING marked WHERE job_id = marked.id)
    SELECT count(*)::int AS count FROM marked`
  return marked.count
}

/** Marks runs as deleted, and closes them, so that they create no more jobs. */
export async function markRunsDeleted(db: Database | Transaction, runs: Prisma.Sql): Promise<number> {
  return db.$executeRaw`
    UPDATE workflow_runs SET deleted_at = now(), closed_at = coalesce(closed_at, now())
    WHERE deleted_at IS NULL AND ${runs}`
}

/** Marks uploads as deleted, and ends the claims of their PUTs. */
export async function markUploadsDeleted(db: Database | Transaction, uploads: Prisma.Sql): Promise<number> {
  return db.$executeRaw`
    UPDATE uploads SET deleted_at = now(), claim_id = NULL, claim_bytes = NULL, claim_ends_at = NULL
    WHERE deleted_at IS NULL AND ${uploads}`
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
