import { getJob } from '../store/jobs.ts'
import type { JobClient } from '../temporal/job-client.ts'
import { type EndJobDependencies, endJob } from './end-job.ts'
import { canceledJob } from './settle-job.ts'

export interface CancellationDependencies extends EndJobDependencies {
  readonly jobs: EndJobDependencies['jobs'] & Pick<JobClient, 'cancel'>
}

/**
 * Delivers a recorded cancellation to the job's workflow. For a job of a run, delivers it to the run's workflow, because a
 * canceled job ends its run. A job that never reached Temporal ends here; if it is starting at this moment, its first activity
 * sees that it has ended. Rejects if Temporal does not answer.
 */
export async function deliverCancellation(deps: CancellationDependencies, jobId: string): Promise<void> {
  const job = await getJob(deps.db, jobId)
  if ((job.admittedAt || job.dispatchedAt) && (await deps.jobs.cancel(job.runId ?? jobId))) return
  const { dispatchedAt } = await getJob(deps.db, jobId)
  if (dispatchedAt) return
  await endJob(deps, jobId, canceledJob)
}
