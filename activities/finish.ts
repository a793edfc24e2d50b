import { endJob } from '../src/jobs/end-job.ts'
import type { SettledJob } from '../src/jobs/settle-job.ts'
import type { Failure } from '../src/store/job-documents.ts'
import type { Dependencies } from './dependencies.ts'
import { closeSource } from './source/open.ts'

export interface FinishInput {
  readonly jobId: string
  readonly failure?: Failure
}

export interface FinishResult {
  /** False if the job failed, also because its row has a cancellation. */
  readonly isCompleted: boolean
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
