import { findExpiredAnalyses, forgetAnalysis } from '../../src/store/analyses.ts'
import { markExpiredDeleted } from '../../src/store/deletions.ts'
import { findExpiredOutputs, forgetOutput } from '../../src/store/outputs.ts'
import { findDeadFolders } from '../../src/store/staged-folders.ts'
import { findExpiredUploads, forgetUpload } from '../../src/store/uploads.ts'
import type { Dependencies } from '../dependencies.ts'
import { deleteFolder } from '../staged-objects.ts'
import { repairEach } from './repair-each.ts'
import { daysAgo, deletionRule, maxRowsPerPass, repairRule, type UpkeepPass } from './rule.ts'

/** A job that still finds the row analyses the media again. */
export const deleteExpiredAnalyses = repairRule({
  description: 'deletes stored analyses after `RETENTION_DAYS`',
  find: ({ db, retentionDays }) => findExpiredAnalyses(db, daysAgo(retentionDays), maxRowsPerPass),
  repair: (expired, deps, pass) => deleteObjects(deps, pass, expired, (id) => forgetAnalysis(deps.db, id)),
})

export const deleteExpiredOutputs = repairRule({
  description: 'deletes outputs after `RETENTION_DAYS`',
  find: ({ db, retentionDays }) => findExpiredOutputs(db, daysAgo(retentionDays), maxRowsPerPass),
  repair: (expired, deps, pass) => deleteObjects(deps, pass, expired, (id) => forgetOutput(deps.db, id)),
})

export const deleteExpiredUploads = repairRule({
  description: 'deletes uploads after their retention, also those whose bytes never arrived',
  find: ({ db }) => findExpiredUploads(db, new Date(), maxRowsPerPass),
  repair: (expired, deps, pass) => deleteObjects(deps, pass, expired, (id) => forgetUpload(deps.db, id)),
})

/** `finishDeletions` erases them. A million and more a day: `maxRowsPerPass` in each pass. */
export const deleteExpiredJobs = deletionRule({
  description: 'deletes jobs and runs `JOB_RETENTION_DAYS` after their end, if it is set',
  deleteRows: async ({ db, jobRetentionDays }) =>
    jobRetentionDays === undefined ? 0 : markExpiredDeleted(db, daysAgo(jobRetentionDays), maxRowsPerPass),
})

interface StoredRow {
  readonly id: string
  readonly objectKey: string
}

/** Deletes each row's object, then the row: after an interruption the next pass finds the row again. */
async function deleteObjects(
  { storage }: Pick<Dependencies, 'storage'>,
  pass: UpkeepPass,
  rows: readonly StoredRow[],
  forget: (id: string) => Promise<void>,
): Promise<number> {
  return repairEach(rows, pass, async ({ id, objectKey }) => {
    await storage.delete(objectKey)
    await forget(id)
    return true
  })
}

/** A running attempt learns with its next heartbeat that its job has ended; until then it may still write. */
const lastHeartbeatMilliseconds = 10_000

export const deleteDeadObjects = repairRule({
  description: 'deletes stored objects of failed, canceled and repeated activities, which did not become outputs',
  find: ({ db }) => findDeadFolders(db, new Date(Date.now() - lastHeartbeatMilliseconds), maxRowsPerPass),
  repair: (folders, deps, pass) =>
    repairEach(folders, pass, async (folder) => {
      await deleteFolder(deps, folder)
      return true
    }),
})
