/** Every workflow type that a worker runs. */
export { chain } from './chain.ts'
export { closeMonth } from './close-month.ts'
export { deliverWebhooks, startBatchItems } from './due-work.ts'
export { mediaJob } from './job.ts'
export { probe } from './probe.ts'
export { upkeep } from './upkeep.ts'
