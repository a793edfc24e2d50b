import { findDeadFolders } from '../../src/store/staged-folders.ts'
import { deleteFolder } from '../cache/staged-objects.ts'
import { maxRowsPerPass, repairEach } from './for-each-row.ts'
import type { UpkeepRule } from './index.ts'

/** An attempt hears of its job's end by its next heartbeat; until then it may still be writing. */
const lastHeartbeatMilliseconds = 10_000

/** Deletes what attempts stored that did not become the job's outputs. */
export const deleteDeadObjects: UpkeepRule = async (deps, run) => {
  const endedBefore = new Date(Date.now() - lastHeartbeatMilliseconds)
  return repairEach(await findDeadFolders(deps.db, endedBefore, maxRowsPerPass), run, async (folder) => {
    await deleteFolder(deps, folder)
    return true
  })
}
