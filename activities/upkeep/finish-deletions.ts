import { eraseAccount, eraseDeleted } from '../../src/deletion/erase-account.ts'
import { findUnerased, findUnerasedAccounts } from '../../src/store/deletions.ts'
import { repairEach } from './repair-each.ts'
import { maxRowsPerPass, type UpkeepRule } from './rule.ts'

export const finishDeletions: UpkeepRule = {
  description:
    'erases what was deleted and could not be erased immediately, because its work had not ended or the request was interrupted: [docs/deletion.md](deletion.md)',
  query: async ({ db }) => {
    await findUnerasedAccounts(db, maxRowsPerPass)
    await findUnerased(db, { limit: maxRowsPerPass })
  },
  repair: async (deps, pass) => {
    const accounts = await findUnerasedAccounts(deps.db, maxRowsPerPass)
    let erased = await repairEach(accounts, pass, (id) => eraseAccount(deps, id, pass.signal))
    for (let more = 1; more > 0; erased += more) more = await eraseDeleted(deps, pass.signal)
    return erased
  },
}
