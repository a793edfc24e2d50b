import { ServiceError } from '../core/errors.ts'
import type { Database, Transaction } from './database.ts'
import type { WorkflowRunModel } from './generated/models.ts'
import { type Job, type JobWithOutputs, omitResult, withOutputs } from './jobs.ts'

export type Run = WorkflowRunModel
export type RunWithJobs = Run & { readonly jobs: readonly JobWithOutputs[] }

/** `not_found` where there is no row. */
export async function getRun(db: Database | Transaction, runId: string): Promise<Run> {
  const run = await db.workflowRun.findUnique({ where: { id: runId } })
  if (!run) throw new ServiceError('not_found', 'There is no such run.')
  return run
}

/** With its jobs, in order. Null where the account has no such run. */
export async function findRun(db: Database, accountId: string, runId: string): Promise<RunWithJobs | null> {
  return db.workflowRun.findFirst({
    where: { id: runId, accountId },
    include: { jobs: { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }], ...withOutputs } },
  })
}

/** The job that begins a run. */
export async function firstJobOf(db: Database, runId: string): Promise<Job | null> {
  return db.job.findFirst({ where: { runId }, orderBy: { createdAt: 'asc' }, ...omitResult })
}

/** From here on the run makes no other job. Waits for one that is being made. */
export async function closeRun(db: Database, runId: string): Promise<void> {
  await db.workflowRun.updateMany({ where: { id: runId, closedAt: null }, data: { closedAt: new Date() } })
}

export async function findOpenJobs(db: Database, runId: string): Promise<Job[]> {
  return db.job.findMany({ where: { runId, endedAt: null }, ...omitResult })
}

/** Runs that have not ended and of whose jobs none is open, oldest first: whether somebody still goes on with them is to be seen. */
export async function findIdleRuns(db: Database, createdBefore: Date, limit: number): Promise<Run[]> {
  return db.workflowRun.findMany({
    where: { endedAt: null, createdAt: { lt: createdBefore }, jobs: { none: { endedAt: null } } },
    orderBy: { createdAt: 'asc' },
    take: limit,
  })
}
