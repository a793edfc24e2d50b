import { findDeadFolders } from '../../src/store/staged-folders.ts'
import { deleteFolder } from '../staged-objects.ts'
import { maxRowsPerPass, repairEach } from './for-each-row.ts'
import type { UpkeepRule } from './types.ts'

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
