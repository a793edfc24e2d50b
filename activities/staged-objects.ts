import { getChain } from '../src/chains/chains.ts'
import { settingsByStep } from '../src/chains/step-request.ts'
import { outputNames } from '../src/core/file-names.ts'
import type { OutputFile } from '../src/endpoints/run-contract.ts'
import { forgetStagedFolder, stageFolder } from '../src/jobs/analysis-rows.ts'
import type { NewDraft } from '../src/jobs/job-changes.ts'
import type { Job } from '../src/jobs/job-rows.ts'
import { getRun } from '../src/jobs/run-rows.ts'
import { fileChunks } from '../src/storage/storage.ts'
import type { Dependencies } from './dependencies.ts'

export interface StoreFilesInput {
  readonly job: Job
  readonly folder: string
  readonly files: readonly OutputFile[]
  readonly signal: AbortSignal
}

/** Stores an attempt's files in a folder of its own. The folder is staged first, so that upkeep deletes it if no job publishes it. */
export async function storeFiles(
  deps: Dependencies,
  { job, folder, files, signal }: StoreFilesInput,
): Promise<NewDraft['files']> {
  const names = outputNames(files, { source: job.mediaName, label: await chainLabel(deps, job) })
  if (files.length > 0) await stageFolder(deps.db, job.id, folder)
  const stored = files.map(async ({ path, label: _label, shape: _shape, ...file }, index) => {
    const objectKey = `${folder}/${file.fileName}`
    const { bytes } = await deps.storage.write(objectKey, fileChunks(path, signal), file.contentType, signal)
    return { ...file, fileName: names[index] ?? file.fileName, objectKey, bytes }
  })
  return Promise.all(stored).catch(async (error: unknown) => {
    await Promise.allSettled(stored)
    await discardFolder(deps, folder)
    throw error
  })
}

/** What a chain calls the files of its last step. */
async function chainLabel({ db }: Dependencies, { runId, endpoint }: Job): Promise<string | undefined> {
  if (runId === null) return undefined
  const { chain, settings } = await getRun(db, runId)
  const { steps, outputLabel } = getChain(chain)
  return endpoint === steps.at(-1) ? outputLabel?.(settingsByStep.parse(settings)) : undefined
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
