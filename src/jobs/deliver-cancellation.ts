import type { Database } from '../store/database.ts'
import { getJob } from '../store/jobs.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { canceledJob, endJob } from './settle-job.ts'

/**
 * Delivers a recorded cancellation to the job's workflow, or to its run's, which a canceled job ends. A job that never reached
 * Temporal ends here; if it is starting right now, its first activity sees that it has ended. Rejects where `cancel` does.
 */
export async function deliverCancellation(
  deps: { readonly db: Database; readonly metrics: Metrics },
  cancel: (id: string) => Promise<boolean>,
  jobId: string,
): Promise<void> {
  const job = await getJob(deps.db, jobId)
  if ((job.admittedAt || job.dispatchedAt) && (await cancel(job.runId ?? jobId))) return
  const { dispatchedAt } = await getJob(deps.db, jobId)
  if (dispatchedAt) return
  await endJob(deps, jobId, canceledJob)
}
