import { forgetStagedFolder } from '../src/store/staged-folders.ts'
import type { Dependencies } from './dependencies.ts'

/** Deletes what was stored in a noted folder. What cannot be deleted now stays noted, for upkeep after the job's end. */
export async function discardFolder({ db, storage, logger }: Dependencies, folder: string): Promise<void> {
  try {
    await storage.deleteUnder(folder)
    await forgetStagedFolder(db, folder)
  } catch (error) {
    logger.warn({ err: error, folder }, 'objects of a failed attempt not deleted yet')
  }
}
