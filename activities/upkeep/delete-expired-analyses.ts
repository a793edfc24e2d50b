import { findExpiredAnalyses, forgetAnalysis } from '../../src/store/analyses.ts'
import type { UpkeepRule } from './index.ts'
import { mostAtOnce } from './limits.ts'
import { repairEach } from './repair-each.ts'

/** Deletes kept envelopes after their retention, the object first, as with outputs: a job that finds the row measures anew. */
export const deleteExpiredAnalyses: UpkeepRule = async ({ db, storage, retentionDays }, logger) => {
  const createdBefore = new Date(Date.now() - retentionDays * 86_400_000)
  return repairEach(await findExpiredAnalyses(db, createdBefore, mostAtOnce), logger, async ({ id, objectKey }) => {
    await storage.delete(objectKey)
    await forgetAnalysis(db, id)
    return true
  })
}
