import { proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'
import { deliveryOptions } from './activity-options.ts'
import { untilNotDeferred } from './deferral.ts'
import { whileDue } from './while-due.ts'

export interface DeliverWebhooksInput {
  readonly endpointId: string
  readonly accountId: string
}

/** Sends what is due to a webhook endpoint. It ends when nothing is due soon. */
export async function deliverWebhooks(input: DeliverWebhooksInput): Promise<void> {
  const { deliverDue } = proxyActivities<Activities>(deliveryOptions)
  await whileDue(() => untilNotDeferred(() => deliverDue(input)))
}
