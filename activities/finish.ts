import { endJob } from '../src/jobs/end-job.ts'
import { hasWaitingJobs } from '../src/store/admission.ts'
import type { Failure } from '../src/store/job-documents.ts'
import type { Dependencies } from './dependencies.ts'
import { closeSource } from './source/open.ts'

export interface FinishInput {
  readonly jobId: string
  readonly failure?: Failure
}

export interface FinishResult {
  /** Jobs of the account wait for the running place that is free now. */
  readonly othersWait: boolean
}

/** The last step, in one transaction: outputs, capture and the ended row, or the failure and the release. */
export async function finishJob(deps: Dependencies, { jobId, failure }: FinishInput): Promise<FinishResult> {
  const { accountId, endpoint, status, requestId, runId } = await endJob(deps, jobId, failure)
  deps.logger.info({ jobId, accountId, endpoint, status, code: failure?.code, requestId }, 'job ended')
  await closeSource(deps, jobId)
  // The place of a run is free when the run ends.
  return { othersWait: runId === null && (await hasWaitingJobs(deps.db, accountId)) }
}
