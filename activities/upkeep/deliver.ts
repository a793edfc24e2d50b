import { deliverCancellation } from '../../src/jobs/deliver-cancellation.ts'
import { startJob, startNextJobs } from '../../src/jobs/start-job.ts'
import { findAdmissibleAccounts } from '../../src/store/admission.ts'
import { findUndeliveredCancellations, findUndispatchedJobs } from '../../src/store/open-jobs.ts'
import { maxRowsPerPass } from './repair-each.ts'
import { graceSeconds, repairRule } from './rule.ts'

export const resendCancellations = repairRule({
  description: 'delivers cancellations that did not reach Temporal',
  cause: 'outage of Temporal',
  find: ({ db }, except) => findUndeliveredCancellations(db, graceSeconds, maxRowsPerPass, except),
  repair: async ({ id }, deps) => {
    await deliverCancellation(deps, id)
    return true
  },
})

export const startAdmittedJobs = repairRule({
  description: 'starts jobs that have a slot and did not reach Temporal',
  cause: 'outage of Temporal, or a process that was killed',
  find: ({ db }, except) => findUndispatchedJobs(db, graceSeconds, maxRowsPerPass, except),
  repair: async (job, deps) => {
    await startJob(deps, job)
    return true
  },
})

export const admitWaitingJobs = repairRule({
  description: 'assigns free slots to waiting jobs',
  cause: 'a resumed account, or one that got more slots',
  find: ({ db, slotLimits }, except) => findAdmissibleAccounts(db, slotLimits, maxRowsPerPass, except),
  repair: (accountId, deps) => startNextJobs(deps, accountId),
})
