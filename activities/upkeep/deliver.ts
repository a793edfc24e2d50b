import { deliverCancellation } from '../../src/jobs/deliver-cancellation.ts'
import { startJob, startNextJobs } from '../../src/jobs/start-job.ts'
import { findAdmissibleAccounts } from '../../src/store/admission.ts'
import { findUndeliveredCancellations, findUndispatchedJobs } from '../../src/store/open-jobs.ts'
import type { UpkeepRule } from './for-each-row.ts'
import { graceSeconds, maxRowsPerPass, repairEach } from './for-each-row.ts'

/** Delivers the cancellations that were requested while Temporal could not be reached. */
export const resendCancellations: UpkeepRule = async (deps, run) =>
  repairEach(await findUndeliveredCancellations(deps.db, graceSeconds, maxRowsPerPass), run, async ({ id }) => {
    await deliverCancellation(deps, deps.jobs.cancel, id)
    return true
  })

/** Starts the jobs that have a slot and never reached Temporal. */
export const startAdmittedJobs: UpkeepRule = async (deps, run) =>
  repairEach(await findUndispatchedJobs(deps.db, graceSeconds, maxRowsPerPass), run, async (job) => {
    await startJob(deps, job)
    return true
  })

/** Assigns to waiting jobs the slots that stayed free when a job ended. */
export const admitWaitingJobs: UpkeepRule = async (deps, run) => {
  let admitted = 0
  await repairEach(await findAdmissibleAccounts(deps.db, deps.slotLimits, maxRowsPerPass), run, async (accountId) => {
    admitted += await startNextJobs(deps, accountId)
    return true
  })
  return admitted
}
