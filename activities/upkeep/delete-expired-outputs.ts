import { findExpiredOutputs, forgetOutput } from '../../src/store/outputs.ts'
import { deleteObjects } from './delete-objects.ts'
import type { UpkeepRule } from './index.ts'
import { endOfRetention, maxRowsPerPass } from './limits.ts'

/** Deletes outputs after their retention. */
export const deleteExpiredOutputs: UpkeepRule = async (deps, run) => {
  const expired = await findExpiredOutputs(deps.db, endOfRetention(deps), maxRowsPerPass)
  return deleteObjects(deps, run, expired, (id) => forgetOutput(deps.db, id))
}
