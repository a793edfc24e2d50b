import { type SettledJob, settleAndMeasure } from '../src/jobs/settle-job.ts'
import { startNextJobs } from '../src/jobs/start-job.ts'
import { type Failure, failureOfJob } from '../src/store/job-documents.ts'
import { getJob } from '../src/store/jobs.ts'
import type { Dependencies } from './dependencies.ts'
import { closeSource } from './source/open.ts'

export interface FinishInput {
  readonly jobId: string
  readonly failure?: Failure
}

export interface FinishResult {
  /** Whether jobs of the account wait for the slot that this job freed. */
  readonly othersWait: boolean
  /** False if the job failed, also because its row has a cancellation. Undefined in results of earlier versions. */
  readonly isCompleted?: boolean
}

/** Ends a job that `run` did, or that failed, in one transaction: outputs, capture and the ended row, or the failure and the release. */
export async function finishJob(deps: Dependencies, { jobId, failure }: FinishInput): Promise<FinishResult> {
  const job = await settleAndMeasure(deps, jobId, failure)
  await closeSource(deps, jobId)
  return reportEnd(deps, job)
}

/** Logs an end, once like its metric, and returns what the workflow does next. */
export function reportEnd({ logger }: Pick<Dependencies, 'logger'>, job: SettledJob): FinishResult {
  const { id: jobId, accountId, endpoint, status, requestId, runId, othersWait } = job
  const { code } = failureOfJob(job) ?? {}
  if (job.endedNow) logger.info({ jobId, accountId, endpoint, status, code, requestId }, 'job ended')
  // A run keeps the slot until it ends itself.
  return { othersWait: runId === null && othersWait, isCompleted: status !== 'failed' }
}

export interface StartNextInput {
  /** A job that has ended, so that its slot is free. */
  readonly jobId: string
}

/** Starts the jobs of the account that wait for the free slot. */
export async function startNextQueuedJob(deps: Dependencies, { jobId }: StartNextInput): Promise<void> {
  const { accountId } = await getJob(deps.db, jobId)
  await startNextJobs(deps, accountId)
}
