import { asOfStep } from '../core/step-paths.ts'
import { announce } from '../store/announcements.ts'
import { type Database, lockRun } from '../store/database.ts'
import { type Failure, failureOfJob } from '../store/job-documents.ts'
import { type Job, omitResult } from '../store/jobs.ts'
import { getRun, type Run } from '../store/runs.ts'
import { type StartNextDependencies, startNextJobs } from './start-job.ts'

/** Unlike a canceled job, a canceled run can cost something: its completed steps. */
export const canceledRun: Failure = {
  code: 'canceled',
  message: 'The run was canceled. Steps that had completed stay charged.',
}

export interface EndRunInput {
  readonly runId: string
  /** The id of the chain's last job, whether it exists or not. */
  readonly lastJobId: string
  readonly failure?: Failure | undefined
}

/** Ends a run, and gives its slot to a job that waits. Every caller that ends a run uses it. Returns whether this call ended it. */
export async function endRun(
  deps: StartNextDependencies,
  { accountId, ...run }: EndRunInput & Pick<Run, 'accountId'>,
): Promise<boolean> {
  const endedNow = await settleRun(deps.db, run)
  await startNextJobs(deps, accountId)
  return endedNow
}

/**
 * Ends a run's row, which frees its slot: completed if its last job is, otherwise failed with its job's failure or the given one.
 * An ended run does not change.
 */
export async function settleRun(db: Database, { runId, lastJobId, failure }: EndRunInput): Promise<boolean> {
  return db.$transaction(async (tx) => {
    await lockRun(tx, runId)
    if ((await getRun(tx, runId)).endedAt) return false
    const jobs = await tx.job.findMany({ where: { runId }, ...omitResult })
    const isCompleted = jobs.some(({ id, status }) => id === lastJobId && status === 'completed')
    const failed = jobs.find(({ status }) => status === 'failed')
    const reason = isCompleted ? undefined : ((failed && failureOfStep(failed)) ?? failure)
    const error = reason?.code === 'canceled' ? canceledRun : reason
    await tx.workflowRun.update({ where: { id: runId }, data: { endedAt: new Date(), ...(error ? { error } : {}) } })
    await announce(tx, runId)
    return true
  })
}

function failureOfStep(job: Pick<Job, 'error' | 'endpoint'>): Failure | undefined {
  const failure = failureOfJob(job)
  return failure && { ...failure, message: asOfStep(failure.message, job.endpoint) }
}
