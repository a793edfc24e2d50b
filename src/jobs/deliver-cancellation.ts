import { errorTable } from '../core/errors.ts'
import type { Database } from '../store/database.ts'
import { getJob } from '../store/jobs.ts'
import { settleJob } from './settle-job.ts'

/**
 * Brings a recorded cancellation to whoever runs the job. A job that never reached Temporal has nobody else to end it, so
 * it ends here; should it be starting right now, its first step sees that it has ended. Rejects where `cancel` does.
 */
export async function deliverCancellation(
  db: Database,
  cancel: (jobId: string) => Promise<boolean>,
  jobId: string,
): Promise<void> {
  const { admittedAt } = await getJob(db, jobId)
  if (admittedAt && (await cancel(jobId))) return
  const { acceptedAt } = await getJob(db, jobId)
  if (acceptedAt) return
  await settleJob(db, jobId, { code: 'canceled', message: errorTable.canceled.message })
}
