import { deliverCancellation } from '../../src/jobs/deliver-cancellation.ts'
import { startJob, startNextJobs } from '../../src/jobs/start-job.ts'
import { findAdmissibleAccounts } from '../../src/store/admission.ts'
import { findUndeliveredCancellations, findUndispatchedJobs } from '../../src/store/open-jobs.ts'
import { repairEach } from './repair-each.ts'
import { graceSeconds, maxRowsPerPass, repairRule } from './rule.ts'

export const resendCancellations = repairRule({
  description: 'delivers cancellations that did not reach Temporal',
  cause: 'outage of Temporal',
  find: ({ db }) => findUndeliveredCancellations(db, graceSeconds, maxRowsPerPass),
  repair: (jobs, deps, pass) =>
    repairEach(jobs, pass, async ({ id }) => {
      await deliverCancellation(deps, deps.jobs.cancel, id)
      return true
    }),
})

export const startAdmittedJobs = repairRule({
  description: 'starts jobs that have a slot and did not reach Temporal',
  cause: 'outage of Temporal',
  find: ({ db }) => findUndispatchedJobs(db, graceSeconds, maxRowsPerPass),
  repair: (jobs, deps, pass) =>
    repairEach(jobs, pass, async (job) => {
      await startJob(deps, job)
      return true
    }),
})

export const admitWaitingJobs = repairRule({
  description: 'assigns to waiting jobs the slots that stayed free when a job ended',
  cause: 'outage, or a worker that was killed',
  find: ({ db, slotLimits }) => findAdmissibleAccounts(db, slotLimits, maxRowsPerPass),
  repair: async (accounts, deps, pass) => {
    let admitted = 0
    await repairEach(accounts, pass, async (accountId) => {
      admitted += await startNextJobs(deps, accountId)
      return true
    })
    return admitted
  },
})
