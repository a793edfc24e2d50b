import { forgetStagedFolder } from '../../src/store/staged-folders.ts'
import type { Dependencies } from '../dependencies.ts'

/** Deletes what was stored in a noted folder, and then the note: what is interrupted in between is found again. */
export async function deleteFolder(
  { db, storage }: Pick<Dependencies, 'db' | 'storage'>,
  folder: string,
): Promise<void> {
  await storage.deleteUnder(folder)
  await forgetStagedFolder(db, folder)
}

/** The same for an attempt that goes on with something else. What cannot be deleted now is left to upkeep, after the job's end. */
export async function discardFolder(deps: Dependencies, folder: string): Promise<void> {
  await deleteFolder(deps, folder).catch((error: unknown) =>
    deps.logger.warn({ err: error, folder }, 'objects of a failed attempt not deleted yet'),
  )
}
