import { startJob } from '../../src/jobs/start-job.ts'
import { findUndispatchedJobs } from '../../src/store/jobs.ts'
import type { UpkeepRule } from './index.ts'
import { graceSeconds, maxRowsPerPass } from './limits.ts'
import { repairEach } from './repair-each.ts'

/** Starts the jobs that have a running place and never reached Temporal. */
export const startAdmittedJobs: UpkeepRule = async (deps, run) =>
  repairEach(await findUndispatchedJobs(deps.db, graceSeconds, maxRowsPerPass), run, async (job) => {
    await startJob(deps, job)
    return true
  })
