import { startNextJobs } from '../src/jobs/start-next-jobs.ts'
import { getJob } from '../src/store/jobs.ts'
import type { Dependencies } from './dependencies.ts'

export interface StartNextInput {
  /** A job that has ended: its running place is free. */
  readonly jobId: string
}

/** Passes the running place of an ended job on. */
export async function startNextQueuedJob(deps: Dependencies, { jobId }: StartNextInput): Promise<void> {
  const { accountId } = await getJob(deps.db, jobId)
  await startNextJobs(deps, accountId)
}
