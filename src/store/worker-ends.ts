import { dayMs } from '../core/durations.ts'
import type { Database } from './database.ts'
import { Prisma } from './generated/client.ts'

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
