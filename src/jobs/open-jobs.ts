import type { RowPage } from '../core/concurrency.ts'
import type { Database } from '../db/database.ts'
import { type Job, type JobStatus, omitResult } from './job-rows.ts'
import { newestFirst } from './list-conditions.ts'

/** Admitted jobs that never reached Temporal, oldest first. */
export async function findUndispatchedJobs(
  db: Database,
  olderThanSeconds: number,
  { limit, except = [] }: RowPage,
): Promise<Job[]> {
  return db.job.findMany({
    where: {
      id: { notIn: [...except] },
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

/** Open dispatched jobs, by id after `afterId` up to `toId`; the caller checks whether their workflow is still running. */
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

/** The ids of jobs that have ended or do not exist. */
export async function findEnded(db: Database, jobIds: readonly string[]): Promise<string[]> {
  const open = await db.job.findMany({ where: { id: { in: [...jobIds] }, endedAt: null }, select: { id: true } })
  const openIds = new Set(open.map(({ id }) => id))
  return jobIds.filter((id) => !openIds.has(id))
}

/** Open jobs with a cancellation request, oldest first. */
export async function findUndeliveredCancellations(
  db: Database,
  olderThanSeconds: number,
  { limit, except = [] }: RowPage,
): Promise<Job[]> {
  return db.job.findMany({
    where: {
      id: { notIn: [...except] },
      status: { in: ['queued', 'running'] },
      cancelRequestedAt: { lt: secondsAgo(olderThanSeconds) },
    },
    orderBy: { createdAt: 'asc' },
    take: limit,
    ...omitResult,
  })
}

/** The name under which the database announces new jobs and events of the account, and changes of a job's status or progress. */
export function workOf(accountId: string): string {
  return `work/${accountId}`
}

const maxListed = 100

/** The newest jobs of the account that have not ended. */
export async function listOpenWork(db: Database, accountId: string) {
  return db.job.findMany({
    where: { accountId, endedAt: null, deletedAt: null },
    orderBy: newestFirst,
    take: maxListed,
    select: { id: true, endpoint: true, runId: true, status: true, progress: true },
  })
}

function secondsAgo(seconds: number): Date {
  return new Date(Date.now() - seconds * 1000)
}

export interface JobCount {
  readonly endpoint: string
  readonly status: JobStatus
  readonly jobs: number
  /** Since the oldest of those that have a slot got it; 0 if none has one. Others wait for jobs of their own account. */
  readonly oldestSeconds: number
}

/** The maximum count, so that a scrape stays cheap. */
const maxCounted = 100_000

/** The number of open jobs by endpoint and status. */
export async function countOpenJobs(db: Database): Promise<JobCount[]> {
  return db.$queryRaw<JobCount[]>`
    SELECT endpoint, status, count(*)::int AS jobs,
      coalesce(extract(epoch FROM now() - min(admitted_at)), 0)::float8 AS "oldestSeconds"
    FROM (
      SELECT endpoint, status, admitted_at FROM jobs
      WHERE status IN ('queued', 'running') ORDER BY status, created_at LIMIT ${maxCounted}
    ) AS open
    GROUP BY endpoint, status`
}
