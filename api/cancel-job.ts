import { settleJob } from '../src/billing/settle.ts'
import { errorTable } from '../src/core/errors.ts'
import { findJob, hasEnded, type JobWithOutputs, requestCancellation } from '../src/store/jobs.ts'
import type { ApiContext } from './context.ts'

type Deps = Pick<ApiContext, 'db' | 'jobs' | 'logger'>

/** Records the wish, then tells Temporal. An ended job stays as it is. Null where the account has no such job. */
export async function cancelJob(deps: Deps, accountId: string, jobId: string): Promise<JobWithOutputs | null> {
  const job = await findJob(deps.db, accountId, jobId)
  if (!job || hasEnded(job)) return job
  await requestCancellation(deps.db, jobId)
  const reached = await askTemporal(deps, jobId)
  const now = await findJob(deps.db, accountId, jobId)
  if (reached !== 'no workflow' || now?.acceptedAt) return now
  // Nobody runs it, so nobody else would end it. Should it be starting right now, its first step sees that it has ended.
  await settleJob(deps.db, jobId, { code: 'canceled', message: errorTable.canceled.message })
  return findJob(deps.db, accountId, jobId)
}

async function askTemporal({ jobs, logger }: Deps, jobId: string): Promise<'told' | 'no workflow' | 'no answer'> {
  try {
    return (await jobs.cancel(jobId)) ? 'told' : 'no workflow'
  } catch (error) {
    logger.warn({ jobId, err: error }, 'cancellation not delivered yet')
    return 'no answer'
  }
}
