import { eraseAccount, eraseDeleted } from '../../src/deletion/erase-account.ts'
import { findUnerased, findUnerasedAccounts, unerasedKinds } from '../../src/store/erasure.ts'
import { maxRowsPerPass, repairFound } from './repair-each.ts'
import type { UpkeepRule } from './rule.ts'

export const finishDeletions: UpkeepRule = {
  description:
    'erases what was deleted and could not be erased immediately, because its work had not ended or the request was interrupted: [docs/deletion.md](deletion.md)',
  query: async ({ db }) => {
    await findUnerasedAccounts(db, maxRowsPerPass)
    for (const kind of unerasedKinds) await findUnerased(db, kind, { limit: maxRowsPerPass })
  },
  repair: async (deps, pass) => {
    const find = (except: readonly string[]) => findUnerasedAccounts(deps.db, maxRowsPerPass, except)
    const accounts = await repairFound(find, pass, (id) => eraseAccount(deps, id, pass.signal))
    return accounts + (await eraseDeleted(deps, pass.signal))
  },
}
