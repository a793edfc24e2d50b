import { startJob } from '../../src/jobs/start-job.ts'
import { findUnstartedJobs } from '../../src/store/jobs.ts'
import type { UpkeepRule } from './index.ts'
import { graceSeconds, mostAtOnce } from './limits.ts'
import { repairEach } from './repair-each.ts'

/** Starts the jobs that have a running place and never reached Temporal. */
export const startAdmittedJobs: UpkeepRule = async (deps, run) =>
  repairEach(await findUnstartedJobs(deps.db, graceSeconds, mostAtOnce), run, async (job) => {
    await startJob(deps, job)
    return true
  })
