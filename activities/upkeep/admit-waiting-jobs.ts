import { startNextJobs } from '../../src/jobs/start-next-jobs.ts'
import { findAdmissibleAccounts } from '../../src/store/admission.ts'
import type { UpkeepRule } from './index.ts'
import { maxRowsPerPass } from './limits.ts'
import { repairEach } from './repair-each.ts'

/** Gives free running places to waiting jobs, where the end of the last job did not. */
export const admitWaitingJobs: UpkeepRule = async (deps, run) => {
  let admitted = 0
  await repairEach(
    await findAdmissibleAccounts(deps.db, deps.maxRunningJobs, maxRowsPerPass),
    run,
    async (accountId) => {
      admitted += await startNextJobs(deps, accountId)
      return true
    },
  )
  return admitted
}
