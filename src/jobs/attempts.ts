import { dayMs } from '../core/time-code.ts'
import type { Database } from '../db/database.ts'
import { Prisma } from '../db/generated/client.ts'
import { stageFolder } from './analysis-rows.ts'

/** What happened before an attempt. */
export interface AttemptHistory extends EarlierEnds {
  /** How many earlier attempts are open. */
  readonly openBefore: number
}

/** An attempt of a job's work opens when it begins, and closes however it ends, unless its worker is lost. */
export interface Attempt extends AttemptHistory {
  readonly jobId: string
  /** Set by the statement that records its outcome, if that closes it. */
  isClosed: boolean
}

export async function openAttempt(db: Database, jobId: string): Promise<Attempt> {
  const [job] = await db.$queryRaw<AttemptHistory[]>`
    UPDATE jobs SET open_attempts = open_attempts + 1 WHERE id = ${jobId}
    RETURNING open_attempts - 1 AS "openBefore", ${earlierEnds}`
  return { ...{ openBefore: 0, workerEnds: 0, accountEnds: 0 }, ...job, jobId, isClosed: false }
}

export async function closeAttempt(db: Database, attempt: Attempt): Promise<void> {
  if (attempt.isClosed) return
  await db.$executeRaw`UPDATE jobs SET ${closing(attempt)} WHERE id = ${attempt.jobId}`
  attempt.isClosed = true
}

/** What closes the attempt, for the SET of a statement on its job. Afterwards, the caller sets `isClosed`. Changes nothing without an attempt. */
export function closing(attempt: Attempt | undefined): Prisma.Sql {
  return attempt
    ? Prisma.sql`open_attempts = greatest(open_attempts - 1, 0)`
    : Prisma.sql`open_attempts = open_attempts`
}

/** Workers that ended themselves because a job or run blocked them, or may have. */
export interface EarlierEnds {
  /** While they worked on this job. */
  readonly workerEnds: number
  /** Because of jobs, runs and estimates of its account, in the last hour. */
  readonly accountEnds: number
}

const endsOf = (subject: Prisma.Sql) =>
  Prisma.sql`(SELECT count(*)::int FROM worker_ends WHERE subject_id = ${subject})`

const endsOfAccount = (accountId: Prisma.Sql) => Prisma.sql`
  (SELECT count(*)::int FROM worker_ends
    LEFT JOIN jobs AS causing_jobs ON causing_jobs.id = subject_id
    LEFT JOIN workflow_runs AS causing_runs ON causing_runs.id = subject_id
    LEFT JOIN probes AS causing_probes ON causing_probes.id = subject_id
    WHERE is_cause AND worker_ends.ended_at > now() - interval '1 hour'
      AND coalesce(causing_jobs.account_id, causing_runs.account_id, causing_probes.account_id) = ${accountId})`

/** For the columns of a statement on jobs. */
export const earlierEnds = Prisma.sql`
  ${endsOf(Prisma.sql`jobs.id`)} AS "workerEnds", ${endsOfAccount(Prisma.sql`jobs.account_id`)} AS "accountEnds"`

export async function findEarlierEnds(db: Database, jobId: string): Promise<EarlierEnds> {
  const [found] = await db.$queryRaw<EarlierEnds[]>`SELECT ${earlierEnds} FROM jobs WHERE id = ${jobId}`
  return found ?? { workerEnds: 0, accountEnds: 0 }
}

/** Of a run or a probe. */
export async function findEndsOf(
  db: Database,
  { id, accountId }: { readonly id: string; readonly accountId: string },
): Promise<EarlierEnds> {
  const [found] = await db.$queryRaw<EarlierEnds[]>`
    SELECT ${endsOf(Prisma.sql`${id}`)} AS "workerEnds", ${endsOfAccount(Prisma.sql`${accountId}`)} AS "accountEnds"`
  return found ?? { workerEnds: 0, accountEnds: 0 }
}

export interface RecentEnds {
  /** Workers that ended themselves in the last hour. */
  readonly count: number
  readonly lastAt: Date | null
}

export async function recentWorkerEnds(db: Database): Promise<RecentEnds> {
  const [recent] = await db.$queryRaw<RecentEnds[]>`
    SELECT count(DISTINCT id)::int AS count, max(ended_at) AS "lastAt" FROM worker_ends WHERE ended_at > now() - interval '1 hour'`
  return recent ?? { count: 0, lastAt: null }
}

/** Longer than Temporal keeps the workflows of their jobs. */
const keptMilliseconds = 30 * dayMs

/** Deletes up to `limit` old rows, and returns their number. */
export async function deleteOldWorkerEnds(db: Database, limit: number): Promise<number> {
  const { count } = await db.workerEnd.deleteMany({
    where: { endedAt: { lt: new Date(Date.now() - keptMilliseconds) } },
    limit,
  })
  return count
}

/** A part of a job's work. */
export interface JobPart {
  readonly jobId: string
  /** The folder of the job's pieces. */
  readonly folder: string
  readonly part: number
  /** Of the job's progress, 0 to 1. */
  readonly share: number
}

/** Opens an attempt of a part. */
export async function openPartAttempt(db: Database, { jobId, folder, part, share }: JobPart): Promise<AttemptHistory> {
  await stageFolder(db, jobId, folder)
  const { openAttempts } = await db.jobPart.upsert({
    where: { folder_part: { folder, part } },
    create: { folder, part, share, attempts: 1, openAttempts: 1 },
    update: { attempts: { increment: 1 }, openAttempts: { increment: 1 } },
    select: { openAttempts: true },
  })
  return { openBefore: openAttempts - 1, ...(await findEarlierEnds(db, jobId)) }
}

export async function closePartAttempt(db: Database, { folder, part }: JobPart): Promise<void> {
  await db.jobPart.updateMany({ where: { folder, part }, data: { openAttempts: { decrement: 1 } } })
}

/** Adds what a worker fetched of the media for a part, or for the plan. */
export async function addFetchedBytes(db: Database, jobId: string, bytes: number): Promise<void> {
  await db.job.updateMany({ where: { id: jobId }, data: { fetchedBytes: { increment: bytes } } })
}

/** Records the progress of a part, and that of its job as the sum of its parts'. Neither ever decreases. */
export async function recordPartProgress(
  db: Database,
  { jobId, folder, part, share }: JobPart,
  progress: number,
): Promise<void> {
  await db.$executeRaw`
    WITH own AS (
      UPDATE job_parts SET progress = greatest(progress, ${progress}::float8) WHERE folder = ${folder} AND part = ${part}
    ), total AS (
      SELECT least(1, ${share}::float8 * ${progress}::float8 + coalesce(sum(share * progress), 0)) AS progress
      FROM job_parts WHERE folder = ${folder} AND part <> ${part}
    )
    UPDATE jobs SET progress = total.progress FROM total
    WHERE id = ${jobId} AND status = 'running' AND jobs.progress < total.progress`
}
