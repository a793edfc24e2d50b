import { findExpiredUploads, forgetUpload } from '../../src/store/uploads.ts'
import type { UpkeepRule } from './index.ts'
import { mostAtOnce } from './limits.ts'
import { repairEach } from './repair-each.ts'

/** Deletes uploads after their retention, those that never got their bytes too. */
export const deleteExpiredUploads: UpkeepRule = async ({ db, storage }, run) =>
  repairEach(await findExpiredUploads(db, new Date(), mostAtOnce), run, async ({ id, objectKey }) => {
    await storage.delete(objectKey)
    await forgetUpload(db, id)
    return true
  })
