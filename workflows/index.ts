/** Every workflow type that a worker runs. */
export { chain } from './chain.ts'
export { closeMonth } from './close-month.ts'
export { deliverWebhooks } from './deliver-webhooks.ts'
export { mediaJob } from './job.ts'
export { probe } from './probe.ts'
export { startBatchItems } from './start-batch-items.ts'
export { upkeep } from './upkeep.ts'
