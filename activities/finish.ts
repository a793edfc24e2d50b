import { endJob } from '../src/jobs/end-job.ts'
import type { SettledJob } from '../src/jobs/settle-job.ts'
import { startNextJobs } from '../src/jobs/start-job.ts'
import type { Failure } from '../src/store/job-documents.ts'
import { getJob } from '../src/store/jobs.ts'
import type { Dependencies } from './dependencies.ts'
import { closeSource } from './source/open.ts'

export interface FinishInput {
  readonly jobId: string
  readonly failure?: Failure
}

export interface FinishResult {
  /** Whether the workflow must start the job that waits for the slot. Only in results of earlier versions. */
  readonly othersWait?: boolean
  /** False if the job failed, also because its row has a cancellation. Undefined in results of earlier versions. */
  readonly isCompleted?: boolean
}

/** Ends a job that `run` did, or that failed, in one transaction: outputs, capture and the ended row, or the failure and the release. */
export async function finishJob(deps: Dependencies, { jobId, failure }: FinishInput): Promise<FinishResult> {
  const job = await endJob(deps, jobId, failure)
  await closeSource(deps, jobId)
  return finishResult(job)
}

/** What the workflow must know of a job that has ended. */
export function finishResult({ status }: SettledJob): FinishResult {
  return { isCompleted: status !== 'failed' }
}

export interface StartNextInput {
  /** A job that has ended, so that its slot is free. */
  readonly jobId: string
}

/** Starts the jobs of the account that wait for the free slot. Only workflows that began in earlier versions call it. */
export async function startNextQueuedJob(deps: Dependencies, { jobId }: StartNextInput): Promise<void> {
  const { accountId } = await getJob(deps.db, jobId)
  await startNextJobs(deps, accountId)
}
