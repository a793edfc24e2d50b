import { createReadStream } from 'node:fs'
import type { OutputFile } from '../src/endpoints/run-contract.ts'
import type { NewDraft } from '../src/store/drafts.ts'
import { forgetStagedFolder, stageFolder } from '../src/store/staged-folders.ts'
import type { Dependencies } from './dependencies.ts'

/** Stores an attempt's files in a folder of its own, which is staged first: upkeep deletes what no job publishes. */
export async function storeFiles(
  deps: Dependencies,
  {
    jobId,
    folder,
    files,
    signal,
  }: { jobId: string; folder: string; files: readonly OutputFile[]; signal: AbortSignal },
): Promise<NewDraft['files']> {
  if (files.length > 0) await stageFolder(deps.db, jobId, folder)
  const stored = files.map(async ({ path, ...file }) => {
    const objectKey = `${folder}/${file.fileName}`
    const { bytes } = await deps.storage.write(objectKey, createReadStream(path), file.contentType, signal)
    return { ...file, objectKey, bytes }
  })
  return Promise.all(stored).catch(async (error: unknown) => {
    await Promise.allSettled(stored)
    await discardFolder(deps, folder)
    throw error
  })
}

/** Deletes the objects in a staged folder, then its row, so that upkeep finds it again after an interruption. */
export async function deleteFolder(
  { db, storage }: Pick<Dependencies, 'db' | 'storage'>,
  folder: string,
): Promise<void> {
  await storage.deleteUnder(folder)
  await forgetStagedFolder(db, folder)
}

/** Deletes the folder if it can; otherwise upkeep does it after the job's end. */
export async function discardFolder(deps: Dependencies, folder: string): Promise<void> {
  await deleteFolder(deps, folder).catch((error: unknown) =>
    deps.logger.warn({ err: error, folder }, 'objects of a failed attempt not deleted yet'),
  )
}
