import { admitWaiting } from '../store/admission.ts'
import { type StartJobDependencies, startJob } from './start-job.ts'

export interface StartNextDependencies extends StartJobDependencies {
  /** How many jobs of one account run at once. */
  readonly maxRunningJobs: number
}

/** Gives the account's free running places to its oldest waiting jobs, and starts those. Throws the first failure, after all. */
export async function startNextJobs(deps: StartNextDependencies, accountId: string): Promise<number> {
  const admitted = await admitWaiting(deps.db, accountId, deps.maxRunningJobs)
  const starts = await Promise.allSettled(admitted.map((job) => startJob(deps, job)))
  const failed = starts.find((start) => start.status === 'rejected')
  if (failed) throw failed.reason
  return admitted.length
}
