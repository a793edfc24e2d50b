import type { Database } from '../store/database.ts'
import { getJob } from '../store/jobs.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { JobClient } from '../temporal/job-client.ts'
import { canceledJob, settleAndMeasure } from './settle-job.ts'

interface CancellationDependencies {
  readonly db: Database
  readonly metrics: Metrics
  readonly jobs: Pick<JobClient, 'cancel'>
}

/**
 * Delivers a recorded cancellation to the job's workflow. For a job of a run, delivers it to the run's workflow, because a
 * canceled job ends its run. A job that never reached Temporal ends here; if it is starting at this moment, its first activity
 * sees that it has ended. Rejects if Temporal does not answer.
 */
export async function deliverCancellation({ jobs, ...deps }: CancellationDependencies, jobId: string): Promise<void> {
  const job = await getJob(deps.db, jobId)
  if ((job.admittedAt || job.dispatchedAt) && (await jobs.cancel(job.runId ?? jobId))) return
  const { dispatchedAt } = await getJob(deps.db, jobId)
  if (dispatchedAt) return
  await settleAndMeasure(deps, jobId, canceledJob)
}
