import { proxyActivities, sleep, workflowInfo } from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'
import { deliveryOptions } from './activity-options.ts'
import { untilNotDeferred } from './deferral.ts'

export interface DeliverWebhooksInput {
  readonly endpointId: string
  readonly accountId: string
}

/** A longer sleep would keep an old version of the workers running: upkeep starts the workflow again. */
const maxSleepMs = 30_000
/** A turn takes two seconds or 45; the history stays short. */
const maxTurns = 200

/** Sends what is due to a webhook endpoint. It ends when nothing is due soon. */
export async function deliverWebhooks(input: DeliverWebhooksInput): Promise<void> {
  const { deliverDue } = proxyActivities<Activities>(deliveryOptions)
  for (let turn = 0; turn < maxTurns; turn += 1) {
    const { nextInMs } = await untilNotDeferred(() => deliverDue(input))
    if (nextInMs === undefined || nextInMs > maxSleepMs || workflowInfo().targetWorkerDeploymentVersionChanged) return
    if (nextInMs > 0) await sleep(nextInMs)
  }
}
