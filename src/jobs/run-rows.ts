import type { RowPage } from '../core/concurrency.ts'
import { ServiceError } from '../core/errors.ts'
import { hourMs } from '../core/time-code.ts'
import { type Database, lockRun, type Transaction } from '../db/database.ts'
import { Prisma } from '../db/generated/client.ts'
import type { WorkflowRunModel } from '../db/generated/models.ts'
import { asListed, type Job, type JobWithOutputs, type ListedJob, omitResult, withOutputs } from './job-rows.ts'
import { type AskedFilter, type ListInput, listConditions, newestFirst, selectPage } from './list-conditions.ts'

export type Run = WorkflowRunModel
/** A run with its jobs and their outputs, without their results: these can have megabytes, and polls read a run again and again. */
export type RunWithoutResults = Run & { readonly jobs: readonly Omit<JobWithOutputs, 'result'>[] }
export type RunWithJobs = Run & { readonly jobs: readonly JobWithOutputs[] }

/** Throws `not_found` if there is no row. */
export async function getRun(db: Database | Transaction, runId: string): Promise<Run> {
  const run = await db.workflowRun.findUnique({ where: { id: runId } })
  if (!run) throw new ServiceError('not_found', 'There is no such run.')
  return run
}

/** Whether its client was asked for consent to its price, and has not answered. */
export function awaitsConsent({ consentAskedAt, closedAt, endedAt }: Omit<Run, 'settings'>): boolean {
  return consentAskedAt !== null && closedAt === null && endedAt === null
}

/** With its jobs, in order. Null if the account has no such run. */
export async function findRun(db: Database, accountId: string, runId: string): Promise<RunWithoutResults | null> {
  return db.workflowRun.findFirst({
    where: { id: runId, accountId, deletedAt: null },
    include: { jobs: { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }], ...withOutputs, ...omitResult } },
  })
}

/** Reads the results of these jobs of the run. The others have null. */
export async function addResults(
  db: Database,
  run: RunWithoutResults,
  jobIds: readonly string[],
): Promise<RunWithJobs> {
  const read = await db.job.findMany({ where: { id: { in: [...jobIds] } }, select: { id: true, result: true } })
  const results = new Map(read.map(({ id, result }) => [id, result]))
  return { ...run, jobs: run.jobs.map((job) => ({ ...job, result: results.get(job.id) ?? null })) }
}

/** A run as in lists, without its settings: those of a page could have megabytes. */
export type RunSummary = Omit<Run, 'settings'> & { readonly jobs: readonly ListedJob[] }

export interface RunFilter extends AskedFilter {
  /** Only runs of these chains. */
  readonly chains: readonly string[]
  readonly status?: 'queued' | 'running' | 'completed' | 'failed' | undefined
}

/** A page of an account's runs, newest first, with their jobs in order. */
export async function listRuns(
  db: Database,
  accountId: string,
  input: ListInput<RunFilter>,
): Promise<readonly RunSummary[]> {
  const { chains, status } = input.filter
  const conditions = [
    ...listConditions(accountId, input),
    Prisma.sql`chain = ANY(${[...chains]})`,
    ...(status ? [inStatus[status]] : []),
  ]
  const page = await db.$queryRaw<{ id: string }[]>(selectPage(Prisma.sql`workflow_runs`, conditions, input.limit))
  return db.workflowRun.findMany({
    where: { id: { in: page.map(({ id }) => id) } },
    orderBy: newestFirst,
    omit: { settings: true },
    include: { jobs: { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }], ...asListed } },
  })
}

const begun = Prisma.sql`EXISTS (SELECT FROM jobs WHERE jobs.run_id = workflow_runs.id AND jobs.status <> 'queued')`

/** A run has no status column: its status follows from its end and its jobs. */
const inStatus: Readonly<Record<NonNullable<RunFilter['status']>, Prisma.Sql>> = {
  queued: Prisma.sql`ended_at IS NULL AND NOT ${begun}`,
  running: Prisma.sql`ended_at IS NULL AND ${begun}`,
  completed: Prisma.sql`ended_at IS NOT NULL AND error IS NULL`,
  failed: Prisma.sql`ended_at IS NOT NULL AND error IS NOT NULL`,
}

/** Closes a run, so that it creates no more jobs, and requests the cancellation of its open one. Waits for a job that is being created. */
export async function closeRun(db: Database, runId: string): Promise<void> {
  await db.$transaction(async (tx) => {
    await lockRun(tx, runId)
    const now = new Date()
    await tx.workflowRun.updateMany({ where: { id: runId, closedAt: null }, data: { closedAt: now } })
    await tx.job.updateMany({
      where: { runId, endedAt: null, cancelRequestedAt: null },
      data: { cancelRequestedAt: now },
    })
  })
}

/** Closes a run that still awaits consent, so that nobody agrees to it any more. False if it does not. */
export async function closeUnanswered(db: Database, runId: string): Promise<boolean> {
  const where = { id: runId, endedAt: null, consentAskedAt: { not: null } }
  const { count } = await db.workflowRun.updateMany({ where, data: { closedAt: new Date() } })
  return count > 0
}

export async function findOpenJobs(db: Database, runId: string): Promise<Job[]> {
  return db.job.findMany({ where: { runId, endedAt: null }, ...omitResult })
}

/** For which runs await consent. */
const consentHours = 24

/** Open runs without an open job, but for those that await consent, oldest first; the caller checks whether their workflow is still running. */
export async function findIdleRuns(db: Database, createdBefore: Date, { limit, except = [] }: RowPage): Promise<Run[]> {
  return db.workflowRun.findMany({
    where: {
      id: { notIn: [...except] },
      ...{ endedAt: null, createdAt: { lt: createdBefore }, jobs: { none: { endedAt: null } } },
      OR: [
        { consentAskedAt: null },
        { consentAskedAt: { lt: new Date(Date.now() - consentHours * hourMs) } },
        { closedAt: { not: null } },
      ],
    },
    orderBy: { createdAt: 'asc' },
    take: limit,
  })
}
