import { CancellationScope, proxyActivities, proxyLocalActivities } from '@temporalio/workflow'
import type { FinishInput, FinishResult } from '../activities/finish.ts'
import type { Activities } from '../activities/index.ts'
import { startNextOptions, transactionOptions } from './activity-options.ts'

const { startNext } = proxyActivities<Activities>(startNextOptions)
const { finish } = proxyLocalActivities<Activities>(transactionOptions)

/** Ends the job's row, then starts the job that waits for its slot. Cancellation interrupts neither. */
export async function settle(input: FinishInput): Promise<FinishResult> {
  return CancellationScope.nonCancellable(async () => passSlotOn(input.jobId, await finish(input)))
}

/** Starts the job that waits for the slot of a job that has ended. */
export async function passSlotOn<Result extends FinishResult>(jobId: string, ended: Result): Promise<Result> {
  if (ended.othersWait) await startWaitingJob(jobId)
  return ended
}

/** A failure here does not change how the job ended; upkeep starts waiting jobs too. */
export async function startWaitingJob(jobId: string): Promise<void> {
  await startNext({ jobId }).catch(() => {})
}
