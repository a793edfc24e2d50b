import { proxyActivities, sleep, workflowInfo } from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'
import { deliveryOptions, startItemsOptions } from './activity-options.ts'
import { untilNotDeferred } from './deferral.ts'

/** Sends what is due to a webhook endpoint. It ends when nothing is due soon. */
export async function deliverWebhooks(input: Parameters<Activities['deliverDue']>[0]): Promise<void> {
  const { deliverDue } = proxyActivities<Activities>(deliveryOptions)
  await whileDue(() => untilNotDeferred(() => deliverDue(input)))
}

/** Starts runs of an account's batches and directives, as many as its share allows. It ends when the rest waits for these to end. */
export async function startBatchItems(input: Parameters<Activities['startItems']>[0]): Promise<void> {
  const { startItems } = proxyActivities<Activities>(startItemsOptions)
  await whileDue(() => startItems(input))
}

/** A longer sleep would keep an old version of the workers running: upkeep starts the workflow again. */
const maxSleepMs = 30_000

/** A turn takes two seconds or 45; the history stays short. */
const maxTurns = 200

/** Takes turns until nothing is due soon. Each returns when something is due again: undefined if nothing is. */
async function whileDue(turn: () => Promise<{ readonly nextInMs?: number }>): Promise<void> {
  for (let turns = 0; turns < maxTurns; turns += 1) {
    const { nextInMs } = await turn()
    if (nextInMs === undefined || nextInMs > maxSleepMs || workflowInfo().targetWorkerDeploymentVersionChanged) return
    if (nextInMs > 0) await sleep(nextInMs)
  }
}
