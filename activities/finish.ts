import { endJob } from '../src/billing/end-job.ts'
import type { Failure } from '../src/store/job-documents.ts'
import type { Dependencies } from './dependencies.ts'
import { closeSource } from './source.ts'

export interface FinishInput {
  readonly jobId: string
  readonly failure?: Failure
}

/** The last step, in one transaction: outputs, capture and the ended row, or the failure and the release. */
export async function finishJob(deps: Dependencies, { jobId, failure }: FinishInput): Promise<void> {
  const job = await endJob(deps, jobId, failure)
  await closeSource(deps, jobId)
  if (job.status === 'failed') await deps.storage.deleteUnder(`outputs/${jobId}`)
  const { accountId, endpoint, status } = job
  deps.logger.info({ jobId, accountId, endpoint, status, code: failure?.code, requestId: job.requestId }, 'job ended')
}
