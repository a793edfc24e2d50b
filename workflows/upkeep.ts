import { proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'

const { startWaitingJobs, resendCancellations } = proxyActivities<Activities>({
  startToCloseTimeout: '1 minute',
  retry: { maximumAttempts: 3 },
})

/** Repairs what an outage left between the rows and Temporal. A schedule runs it every few seconds. */
export async function upkeep(): Promise<void> {
  await startWaitingJobs()
  await resendCancellations()
}
