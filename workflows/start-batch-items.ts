import { proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'
import { startItemsOptions } from './activity-options.ts'
import { whileDue } from './while-due.ts'

export interface StartBatchItemsInput {
  readonly accountId: string
}

/** Starts runs of an account's batches and directives, as many as its share allows. It ends when the rest waits for these to end. */
export async function startBatchItems(input: StartBatchItemsInput): Promise<void> {
  const { startItems } = proxyActivities<Activities>(startItemsOptions)
  await whileDue(() => startItems(input))
}
