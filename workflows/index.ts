/** Every workflow type that a worker runs. */
export { mediaJob } from './job.ts'
export { probe } from './probe.ts'
export { upkeep } from './upkeep.ts'
