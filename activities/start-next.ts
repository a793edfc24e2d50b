import { startJob } from '../src/jobs/start-job.ts'
import { admitWaiting } from '../src/store/admission.ts'
import { getJob } from '../src/store/jobs.ts'
import type { Dependencies } from './dependencies.ts'

export interface StartNextInput {
  /** A job that has ended: its running place is free. */
  readonly jobId: string
}

/** Gives the account's free running places to its oldest waiting jobs, and starts those. */
export async function startNextJobs(deps: Dependencies, { jobId }: StartNextInput): Promise<void> {
  const { accountId } = await getJob(deps.db, jobId)
  for (const job of await admitWaiting(deps.db, accountId, deps.runningPlaces)) await startJob(deps, job)
}
