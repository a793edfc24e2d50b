/** Every workflow type that a worker runs. */
export { mediaJob } from './job.ts'
export { upkeep } from './upkeep.ts'
