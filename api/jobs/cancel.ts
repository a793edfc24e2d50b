import { deliverCancellation } from '../../src/jobs/deliver-cancellation.ts'
import { requestCancellation } from '../../src/store/job-changes.ts'
import { findJob, hasEnded, type JobReader, type JobWithOutputs } from '../../src/store/jobs.ts'
import type { ApiContext } from '../http/context.ts'
import { findJobWithResult, withResult } from './find.ts'

export type CancelContext = Pick<ApiContext, 'db' | 'jobs' | 'logger' | 'metrics' | 'results' | 'slotLimits'>

/** Records the cancellation request, then notifies Temporal. An ended job does not change. Null if the reader cannot see the job. */
export async function cancelJob(
  context: CancelContext,
  reader: JobReader,
  jobId: string,
): Promise<JobWithOutputs | null> {
  const { db, logger } = context
  const job = await findJob(db, reader, jobId)
  if (!job) return null
  if (hasEnded(job)) return withResult(context, job)
  await requestCancellation(db, jobId)
  await deliverCancellation(context, jobId).catch((error: unknown) =>
    logger.warn({ jobId, accountId: job.accountId, err: error }, 'cancellation not delivered yet'),
  )
  return findJobWithResult(context, reader, jobId)
}
