import { lastJobId } from '../../src/chains/step-request.ts'
import { endRun } from '../../src/jobs/end-run.ts'
import { findIdleRuns } from '../../src/store/runs.ts'
import type { UpkeepRule } from './index.ts'
import { graceSeconds, maxRowsPerPass } from './limits.ts'
import { repairEach } from './repair-each.ts'

const abandoned = {
  code: 'server_error',
  message: 'The run was ended before its last step. Completed steps stay as they are. Start it again.',
} as const

/** Ends the runs whose workflow was terminated, is no longer known or never began, once their jobs have ended. */
export const endAbandonedRuns: UpkeepRule = async (deps, upkeep) => {
  const createdBefore = new Date(Date.now() - graceSeconds * 1000)
  return repairEach(await findIdleRuns(deps.db, createdBefore, maxRowsPerPass), upkeep, async (run) => {
    if (await deps.jobs.isOpen(run.id)) return false
    return endRun(deps.db, { runId: run.id, lastJobId: lastJobId(run), failure: abandoned })
  })
}
