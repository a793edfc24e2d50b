import { Readable } from 'node:stream'
import { newId } from '../../src/core/ids.ts'
import type { MediaInfo } from '../../src/core/media.ts'
import { ObjectNotFoundError } from '../../src/storage/storage.ts'
import { type AnalysisRequest, findAnalysis, forgetAnalysis, saveAnalysis } from '../../src/store/analyses.ts'
import type { Job } from '../../src/store/jobs.ts'
import { stageFolder } from '../../src/store/staged-folders.ts'
import type { Dependencies } from '../dependencies.ts'
import { discardFolder } from '../staged-objects.ts'

/** How analyses of one kind are stored. */
export interface AnalysisFile<Value> {
  /** The object's name. */
  readonly name: string
  readonly contentType: string
  /** The bytes, in one part or several. */
  readonly encode: (value: Value) => readonly Buffer[]
  readonly read: (objectKey: string) => Promise<Value>
  /** Whether `read` failed because of what is stored. */
  readonly isDamage: (error: unknown) => boolean
}

/** The stored analysis that covers the request. One that cannot be read is deleted, so that it is made again. */
export async function readAnalysis<Value>(
  { db, storage, logger }: Dependencies,
  { read, isDamage }: AnalysisFile<Value>,
  wanted: AnalysisRequest,
  signal: AbortSignal,
): Promise<Value | undefined> {
  const analysis = await findAnalysis(db, wanted)
  if (!analysis) return undefined
  try {
    return await read(analysis.objectKey)
  } catch (error) {
    signal.throwIfAborted()
    logger.warn({ err: error, id: analysis.id }, 'stored analysis not readable')
    if (error instanceof ObjectNotFoundError || isDamage(error)) {
      await storage.delete(analysis.objectKey)
      await forgetAnalysis(db, analysis.id)
    }
    return undefined
  }
}

/** Stores an analysis for later jobs of the account on the same bytes. The job does not depend on it: failures are logged. */
export async function storeAnalysis<Value>(
  deps: Dependencies,
  job: Job,
  { name, contentType, encode }: AnalysisFile<Value>,
  analysis: AnalysisRequest & { readonly mediaInfo: MediaInfo },
  value: Value,
  signal: AbortSignal,
): Promise<void> {
  try {
    const id = newId('ana')
    const folder = `analyses/${id}`
    const objectKey = `${folder}/${name}`
    await stageFolder(deps.db, job.id, folder)
    await deps.storage.write(objectKey, Readable.from(encode(value)), contentType, signal)
    // Another job may have been faster.
    if (!(await saveAnalysis(deps.db, { ...analysis, id, objectKey }, folder))) await discardFolder(deps, folder)
  } catch (error) {
    signal.throwIfAborted()
    deps.logger.warn({ err: error, jobId: job.id }, `${name} not stored`)
  }
}
