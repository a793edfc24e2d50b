import { findExpiredUploads, forgetUpload } from '../../src/store/uploads.ts'
import { deleteObjects } from './delete-objects.ts'
import type { UpkeepRule } from './index.ts'
import { maxRowsPerPass } from './limits.ts'

/** Deletes uploads after their retention, those that never got their bytes too. */
export const deleteExpiredUploads: UpkeepRule = async (deps, run) => {
  const expired = await findExpiredUploads(deps.db, new Date(), maxRowsPerPass)
  return deleteObjects(deps, run, expired, (id) => forgetUpload(deps.db, id))
}
