import { startJob } from '../../src/jobs/start-job.ts'
import { admitWaiting, findWaitingAccounts } from '../../src/store/admission.ts'
import type { UpkeepRule } from './index.ts'
import { mostAtOnce } from './limits.ts'
import { repairEach } from './repair-each.ts'

/** Gives free running places to waiting jobs, where the end of the last job did not. */
export const admitWaitingJobs: UpkeepRule = async (deps, logger) => {
  let admitted = 0
  await repairEach(await findWaitingAccounts(deps.db, mostAtOnce), logger, async (accountId) => {
    const jobs = await admitWaiting(deps.db, accountId, deps.runningPlaces)
    admitted += await repairEach(jobs, logger, async (job) => {
      await startJob(deps, job)
      return true
    })
    return true
  })
  return admitted
}
