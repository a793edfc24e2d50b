import { findExpiredAnalyses, forgetAnalysis } from '../../src/store/analyses.ts'
import { deleteObjects } from './delete-objects.ts'
import type { UpkeepRule } from './index.ts'
import { endOfRetention, maxRowsPerPass } from './limits.ts'

/** Deletes kept envelopes after their retention, as with outputs: a job that still finds the row measures anew. */
export const deleteExpiredAnalyses: UpkeepRule = async (deps, run) => {
  const expired = await findExpiredAnalyses(deps.db, endOfRetention(deps), maxRowsPerPass)
  return deleteObjects(deps, run, expired, (id) => forgetAnalysis(deps.db, id))
}
