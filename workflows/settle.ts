import { CancellationScope, proxyActivities, proxyLocalActivities } from '@temporalio/workflow'
import type { FinishInput, FinishResult } from '../activities/finish.ts'
import type { Activities } from '../activities/index.ts'
import { startNextOptions, transactionOptions } from './activity-options.ts'

const { startNext } = proxyActivities<Activities>(startNextOptions)
const { finish } = proxyLocalActivities<Activities>(transactionOptions)

/** Ends the job. Cancellation does not interrupt it. */
export async function settle(input: FinishInput): Promise<FinishResult> {
  return CancellationScope.nonCancellable(async () => passSlotOn(input.jobId, await finish(input)))
}

/** In earlier versions, an activity that ended a job left it to the workflow to start the job that waits for its slot. */
export async function passSlotOn<Result extends FinishResult>(jobId: string, ended: Result): Promise<Result> {
  if (ended.othersWait) await startWaitingJob(jobId)
  return ended
}

/** A failure here does not change how the job ended; upkeep starts waiting jobs too. */
export async function startWaitingJob(jobId: string): Promise<void> {
  await startNext({ jobId }).catch(() => {})
}
