import { CancellationScope, proxyActivities, proxyLocalActivities } from '@temporalio/workflow'
import type { FinishInput, FinishResult } from '../activities/finish.ts'
import type { Activities } from '../activities/index.ts'
import { startNextOptions, transactionOptions } from './activity-options.ts'

const { startNext } = proxyActivities<Activities>(startNextOptions)
const { finish } = proxyLocalActivities<Activities>(transactionOptions)

/** Ends the job's row, then starts the job that waits for its slot. Cancellation interrupts neither. */
export async function settle(input: FinishInput): Promise<FinishResult> {
  return CancellationScope.nonCancellable(async () => {
    const result = await finish(input)
    if (result.othersWait) await startWaitingJob(input.jobId)
    return result
  })
}

/** A failure here does not change how the job ended; upkeep starts waiting jobs too. */
export async function startWaitingJob(jobId: string): Promise<void> {
  await startNext({ jobId }).catch(() => {})
}
