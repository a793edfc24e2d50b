import { findExpiredOutputs, forgetOutput } from '../../src/store/outputs.ts'
import type { UpkeepRule } from './index.ts'
import { mostAtOnce } from './limits.ts'
import { repairEach } from './repair-each.ts'

/** Deletes outputs after their retention, the object first: a row without it is deleted the next time. */
export const deleteExpiredOutputs: UpkeepRule = async ({ db, storage, retentionDays }, run) => {
  const createdBefore = new Date(Date.now() - retentionDays * 86_400_000)
  return repairEach(await findExpiredOutputs(db, createdBefore, mostAtOnce), run, async ({ id, objectKey }) => {
    await storage.delete(objectKey)
    await forgetOutput(db, id)
    return true
  })
}
