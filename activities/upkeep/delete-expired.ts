import { findExpiredAnalyses, forgetAnalysis } from '../../src/store/analyses.ts'
import { findExpiredOutputs, forgetOutput } from '../../src/store/outputs.ts'
import { findExpiredUploads, forgetUpload } from '../../src/store/uploads.ts'
import type { Dependencies } from '../dependencies.ts'
import { endOfRetention, maxRowsPerPass, repairEach } from './for-each-row.ts'
import type { UpkeepPass, UpkeepRule } from './types.ts'

/** Deletes analyses after their retention. A job that still finds the row measures the envelope again. */
export const deleteExpiredAnalyses: UpkeepRule = async (deps, run) => {
  const expired = await findExpiredAnalyses(deps.db, endOfRetention(deps), maxRowsPerPass)
  return deleteObjects(deps, run, expired, (id) => forgetAnalysis(deps.db, id))
}

/** Deletes outputs after their retention. */
export const deleteExpiredOutputs: UpkeepRule = async (deps, run) => {
  const expired = await findExpiredOutputs(deps.db, endOfRetention(deps), maxRowsPerPass)
  return deleteObjects(deps, run, expired, (id) => forgetOutput(deps.db, id))
}

/** Deletes uploads after their retention, also those whose bytes never arrived. */
export const deleteExpiredUploads: UpkeepRule = async (deps, run) => {
  const expired = await findExpiredUploads(deps.db, new Date(), maxRowsPerPass)
  return deleteObjects(deps, run, expired, (id) => forgetUpload(deps.db, id))
}

interface StoredRow {
  readonly id: string
  readonly objectKey: string
}

/** Deletes each row's object, then the row: after an interruption the next pass finds the row again. */
async function deleteObjects(
  { storage }: Pick<Dependencies, 'storage'>,
  run: UpkeepPass,
  rows: readonly StoredRow[],
  forget: (id: string) => Promise<void>,
): Promise<number> {
  return repairEach(rows, run, async ({ id, objectKey }) => {
    await storage.delete(objectKey)
    await forget(id)
    return true
  })
}
