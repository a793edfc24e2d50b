import { eraseAnalysis } from '../../src/deletion/erase.ts'
import { findExpiredAnalyses } from '../../src/store/analyses.ts'
import { markExpiredDeleted } from '../../src/store/deletions.ts'
import { findExpiredOutputs, forgetOutput } from '../../src/store/outputs.ts'
import { findDeadFolders } from '../../src/store/staged-folders.ts'
import { findExpiredUploads, forgetUpload } from '../../src/store/uploads.ts'
import type { Dependencies } from '../dependencies.ts'
import { deleteFolder } from '../staged-objects.ts'
import { maxRowsPerPass } from './repair-each.ts'
import { daysAgo, deletionRule, repairRule } from './rule.ts'

/** A job that still finds the row analyses the media again. */
export const deleteExpiredAnalyses = repairRule({
  description: 'deletes stored analyses after `RETENTION_DAYS`',
  find: ({ db, retentionDays }, except) => findExpiredAnalyses(db, daysAgo(retentionDays), maxRowsPerPass, except),
  repair: (row, deps) => eraseAnalysis(deps, row),
})

export const deleteExpiredOutputs = repairRule({
  description: 'deletes outputs after `RETENTION_DAYS`',
  find: ({ db, retentionDays }, except) => findExpiredOutputs(db, daysAgo(retentionDays), maxRowsPerPass, except),
  repair: (row, deps) => deleteObject(deps, row, (id) => forgetOutput(deps.db, id)),
})

export const deleteExpiredUploads = repairRule({
  description: 'deletes uploads after their retention, also those whose bytes never arrived',
  find: ({ db }, except) => findExpiredUploads(db, new Date(), maxRowsPerPass, except),
  repair: (row, deps) => deleteObject(deps, row, (id) => forgetUpload(deps.db, id)),
})

/** `finishDeletions` erases them. */
export const deleteExpiredJobs = deletionRule({
  description: 'deletes jobs and runs `JOB_RETENTION_DAYS` after their end, if it is set',
  deleteRows: async ({ db, jobRetentionDays }, limit) =>
    jobRetentionDays === undefined ? 0 : markExpiredDeleted(db, daysAgo(jobRetentionDays), limit),
})

interface StoredRow {
  readonly id: string
  readonly objectKey: string
}

/** Deletes the row's object, then the row: after an interruption the next pass finds the row again. */
async function deleteObject(
  { storage }: Pick<Dependencies, 'storage'>,
  { id, objectKey }: StoredRow,
  forget: (id: string) => Promise<void>,
): Promise<boolean> {
  await storage.delete(objectKey)
  await forget(id)
  return true
}

/** A running attempt learns with its next heartbeat that its job has ended; until then it may still write. */
const lastHeartbeatMilliseconds = 10_000

export const deleteDeadObjects = repairRule({
  description: 'deletes stored objects of failed, canceled and repeated activities, which did not become outputs',
  find: ({ db }, except) =>
    findDeadFolders(db, new Date(Date.now() - lastHeartbeatMilliseconds), maxRowsPerPass, except),
  repair: async (folder, deps) => {
    await deleteFolder(deps, folder)
    return true
  },
})
