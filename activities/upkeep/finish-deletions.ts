import { eraseAccount, eraseDeleted } from '../../src/deletion/erase-account.ts'
import { findUnerasedAccounts } from '../../src/store/deletions.ts'
import { maxRowsPerPass, repairEach, type UpkeepRule } from './for-each-row.ts'

/** Erases what was deleted and could not be erased immediately: its work had not ended, or the request that deleted it was interrupted. */
export const finishDeletions: UpkeepRule = async (deps, run) => {
  const accounts = await findUnerasedAccounts(deps.db, maxRowsPerPass)
  const finished = await repairEach(accounts, run, (id) => eraseAccount(deps, id, run.signal))
  return finished + (await eraseDeleted(deps, run.signal))
}
