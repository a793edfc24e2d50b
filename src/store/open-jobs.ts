import type { Database } from './database.ts'
import { type Job, type JobStatus, omitResult } from './jobs.ts'

/** Admitted jobs that Temporal never took, oldest first. */
export async function findUndispatchedJobs(db: Database, olderThanSeconds: number, limit: number): Promise<Job[]> {
  return db.job.findMany({
    where: {
      status: 'queued',
      dispatchedAt: null,
      cancelRequestedAt: null,
      admittedAt: { lt: secondsAgo(olderThanSeconds) },
    },
    orderBy: { createdAt: 'asc' },
    take: limit,
    ...omitResult,
  })
}

/** Jobs that were started and have not ended, by id from after `afterId` up to `toId`: whether somebody still runs them is to be seen. */
export async function findDispatchedJobs(
  db: Database,
  olderThanSeconds: number,
  { afterId, toId, limit }: { afterId: string; toId: string | undefined; limit: number },
): Promise<Job[]> {
  return db.job.findMany({
    where: {
      id: { gt: afterId, ...(toId === undefined ? {} : { lte: toId }) },
      status: { in: ['queued', 'running'] },
      OR: [
        { dispatchedAt: { lt: secondsAgo(olderThanSeconds) } },
        { dispatchedAt: null, startedAt: { lt: secondsAgo(olderThanSeconds) } },
      ],
    },
    orderBy: { id: 'asc' },
    take: limit,
    ...omitResult,
  })
}

/** Those of the jobs that have ended or that there are none of. */
export async function findEnded(db: Database, jobIds: readonly string[]): Promise<string[]> {
  const open = await db.job.findMany({ where: { id: { in: [...jobIds] }, endedAt: null }, select: { id: true } })
  const openIds = new Set(open.map(({ id }) => id))
  return jobIds.filter((id) => !openIds.has(id))
}

/** Jobs that go on although their cancellation was asked for, oldest first. */
export async function findUndeliveredCancellations(
  db: Database,
  olderThanSeconds: number,
  limit: number,
): Promise<Job[]> {
  return db.job.findMany({
    where: { status: { in: ['queued', 'running'] }, cancelRequestedAt: { lt: secondsAgo(olderThanSeconds) } },
    orderBy: { createdAt: 'asc' },
    take: limit,
    ...omitResult,
  })
}

function secondsAgo(seconds: number): Date {
  return new Date(Date.now() - seconds * 1000)
}

export interface JobCount {
  readonly endpoint: string
  readonly status: JobStatus
  readonly jobs: number
  readonly oldestSeconds: number
}

/** More open jobs than this are counted as so many: a scrape must stay cheap. */
const maxCounted = 100_000

/** The jobs that have not ended, by endpoint and status. */
export async function countOpenJobs(db: Database): Promise<JobCount[]> {
  return db.$queryRaw<JobCount[]>`
    SELECT endpoint, status, count(*)::int AS jobs, extract(epoch FROM now() - min(created_at))::float8 AS "oldestSeconds"
    FROM (
      SELECT endpoint, status, created_at FROM jobs
      WHERE status IN ('queued', 'running') ORDER BY status, created_at LIMIT ${maxCounted}
    ) AS open
    GROUP BY endpoint, status`
}
