import { deliverCancellation } from '../../src/jobs/deliver-cancellation.ts'
import { startJob, startNextJobs } from '../../src/jobs/start-job.ts'
import { findAdmissibleAccounts } from '../../src/store/admission.ts'
import { findUndeliveredCancellations, findUndispatchedJobs } from '../../src/store/open-jobs.ts'
import { repairEach } from './repair-each.ts'
import { graceSeconds, maxRowsPerPass, type UpkeepRule } from './rule.ts'

export const resendCancellations: UpkeepRule = {
  description: 'delivers cancellations that did not reach Temporal',
  cause: 'outage of Temporal',
  repair: async (deps, pass) =>
    repairEach(await findUndeliveredCancellations(deps.db, graceSeconds, maxRowsPerPass), pass, async ({ id }) => {
      await deliverCancellation(deps, deps.jobs.cancel, id)
      return true
    }),
}

export const startAdmittedJobs: UpkeepRule = {
  description: 'starts jobs that have a slot and did not reach Temporal',
  cause: 'outage of Temporal',
  repair: async (deps, pass) =>
    repairEach(await findUndispatchedJobs(deps.db, graceSeconds, maxRowsPerPass), pass, async (job) => {
      await startJob(deps, job)
      return true
    }),
}

export const admitWaitingJobs: UpkeepRule = {
  description: 'assigns to waiting jobs the slots that stayed free when a job ended',
  cause: 'outage, or a worker that was killed',
  repair: async (deps, pass) => {
    let admitted = 0
    const accounts = await findAdmissibleAccounts(deps.db, deps.slotLimits, maxRowsPerPass)
    await repairEach(accounts, pass, async (accountId) => {
      admitted += await startNextJobs(deps, accountId)
      return true
    })
    return admitted
  },
}
