import { findExpiredAnalyses, forgetAnalysis } from '../../src/store/analyses.ts'
import { findExpiredOutputs, forgetOutput } from '../../src/store/outputs.ts'
import { findDeadFolders } from '../../src/store/staged-folders.ts'
import { findExpiredUploads, forgetUpload } from '../../src/store/uploads.ts'
import type { Dependencies } from '../dependencies.ts'
import { deleteFolder } from '../staged-objects.ts'
import { endOfRetention, maxRowsPerPass, repairEach, type UpkeepPass, type UpkeepRule } from './for-each-row.ts'

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

/** A running attempt learns with its next heartbeat that its job has ended; until then it may still write. */
const lastHeartbeatMilliseconds = 10_000

/** Deletes objects of attempts that did not become the job's outputs. */
export const deleteDeadObjects: UpkeepRule = async (deps, run) => {
  const endedBefore = new Date(Date.now() - lastHeartbeatMilliseconds)
  return repairEach(await findDeadFolders(deps.db, endedBefore, maxRowsPerPass), run, async (folder) => {
    await deleteFolder(deps, folder)
    return true
  })
}
