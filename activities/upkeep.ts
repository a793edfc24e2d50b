import { deliverCancellation } from '../src/billing/deliver-cancellation.ts'
import { findUndeliveredCancellations, findUnstartedJobs, markAccepted } from '../src/store/jobs.ts'
import type { Dependencies } from './dependencies.ts'

/** What is younger is still in the hands of the request that made it. */
const graceSeconds = 5
const mostAtOnce = 200

/** Starts the jobs that were accepted while Temporal could not be reached. */
export async function startWaitingJobs({ db, jobs, logger, metrics }: Dependencies): Promise<void> {
  for (const { id: jobId, accountId, endpoint, traceParent } of await findUnstartedJobs(db, graceSeconds, mostAtOnce)) {
    await jobs.start({ jobId, accountId, endpoint, summary: endpoint, traceParent })
    await markAccepted(db, jobId)
    metrics.upkeepRepairs.inc({ rule: 'start-waiting-jobs' })
    logger.warn({ jobId, accountId, endpoint }, 'started a job that was left waiting')
  }
}

/** Delivers the cancellations that were asked for while Temporal could not be reached. */
export async function resendCancellations({ db, jobs, logger, metrics }: Dependencies): Promise<void> {
  for (const { id: jobId, accountId } of await findUndeliveredCancellations(db, graceSeconds, mostAtOnce)) {
    await deliverCancellation({ db, metrics }, jobs.cancel, jobId)
    metrics.upkeepRepairs.inc({ rule: 'resend-cancellations' })
    logger.warn({ jobId, accountId }, 'delivered a cancellation that was left waiting')
  }
}
