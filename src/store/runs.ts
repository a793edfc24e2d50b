import { ServiceError } from '../core/errors.ts'
import type { Database, Transaction } from './database.ts'
import { Prisma } from './generated/client.ts'
import type { WorkflowRunModel } from './generated/models.ts'
import { type Job, type JobWithOutputs, omitResult, withOutputs } from './jobs.ts'

export type Run = WorkflowRunModel
export type RunWithJobs = Run & { readonly jobs: readonly JobWithOutputs[] }

/** Throws `not_found` if there is no row. */
export async function getRun(db: Database | Transaction, runId: string): Promise<Run> {
  const run = await db.workflowRun.findUnique({ where: { id: runId } })
  if (!run) throw new ServiceError('not_found', 'There is no such run.')
  return run
}

/** With its jobs, in order. Null if the account has no such run. */
export async function findRun(db: Database, accountId: string, runId: string): Promise<RunWithJobs | null> {
  return db.workflowRun.findFirst({
    where: { id: runId, accountId },
    include: { jobs: { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }], ...withOutputs } },
  })
}

/** A run as in lists. */
export type RunSummary = Run & { readonly jobs: readonly Job[] }

export interface RunFilter {
  /** Only runs of these chains. */
  readonly chains: readonly string[]
  readonly status?: 'queued' | 'running' | 'completed' | 'failed' | undefined
}

/** The runs of an account, newest first, with their jobs in order. `after` is the last run of the previous page. */
export async function listRuns(
  db: Database,
  accountId: string,
  { limit, after, filter }: { limit: number; after?: { createdAt: Date; id: string } | undefined; filter: RunFilter },
): Promise<RunSummary[]> {
  return db.workflowRun.findMany({
    where: {
      AND: [{ accountId, chain: { in: [...filter.chains] } }, filter.status ? inStatus[filter.status] : {}],
      ...(after
        ? { OR: [{ createdAt: { lt: after.createdAt } }, { createdAt: after.createdAt, id: { lt: after.id } }] }
        : {}),
    },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit,
    include: { jobs: { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }], ...omitResult } },
  })
}

const begun = { status: { not: 'queued' } } as const

/** A run has no status column: its status follows from its end and its jobs. */
const inStatus: Readonly<Record<NonNullable<RunFilter['status']>, Prisma.WorkflowRunWhereInput>> = {
  queued: { endedAt: null, jobs: { none: begun } },
  running: { endedAt: null, jobs: { some: begun } },
  completed: { endedAt: { not: null }, error: { equals: Prisma.DbNull } },
  failed: { endedAt: { not: null }, error: { not: Prisma.DbNull } },
}

/** The first job of a run. */
export async function firstJobOf(db: Database, runId: string): Promise<Job | null> {
  return db.job.findFirst({ where: { runId }, orderBy: { createdAt: 'asc' }, ...omitResult })
}

/** Closes a run, so that it creates no more jobs. Waits for a job that is being created. */
export async function closeRun(db: Database, runId: string): Promise<void> {
  await db.workflowRun.updateMany({ where: { id: runId, closedAt: null }, data: { closedAt: new Date() } })
}

export async function findOpenJobs(db: Database, runId: string): Promise<Job[]> {
  return db.job.findMany({ where: { runId, endedAt: null }, ...omitResult })
}

/** Open runs without an open job, oldest first; the caller checks whether their workflow is still running. */
export async function findIdleRuns(db: Database, createdBefore: Date, limit: number): Promise<Run[]> {
  return db.workflowRun.findMany({
    where: { endedAt: null, createdAt: { lt: createdBefore }, jobs: { none: { endedAt: null } } },
    orderBy: { createdAt: 'asc' },
    take: limit,
  })
}
