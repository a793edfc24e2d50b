import { Readable } from 'node:stream'
import type { Background } from '../../src/core/background.ts'
import { newId } from '../../src/core/ids.ts'
import type { MediaInfo } from '../../src/core/media.ts'
import { eraseAnalysis } from '../../src/deletion/erase.ts'
import type { FoundAnalysis } from '../../src/media/analyses/track-analyses.ts'
import type { JobMedia } from '../../src/media/source/media-source.ts'
import { ObjectNotFoundError } from '../../src/storage/storage.ts'
import { type AnalysisRequest, findAnalysis, saveAnalysis } from '../../src/store/analyses.ts'
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
  readonly encode: (value: Value) => Iterable<Buffer> | AsyncIterable<Buffer>
  readonly read: (objectKey: string) => Promise<Value>
  /** Whether `read` failed because of what is stored. */
  readonly isDamage: (error: unknown) => boolean
}

interface WantedAnalysis<Value> {
  readonly job: Job
  /** Opened if no stored analysis covers the request. */
  readonly media: JobMedia
  readonly file: AnalysisFile<Value>
  readonly wanted: AnalysisRequest
  /** The part of a stored analysis that is wanted. Undefined if it is not good enough. By default all of it. */
  readonly within?: (stored: Value) => Value | undefined
  readonly make: () => Promise<FoundAnalysis<Value>>
  readonly isWorthStoring?: boolean
  /** Runs the storing of what is made. */
  readonly background: Background
  readonly signal: AbortSignal
}

/**
 * Reuses the analysis that an earlier job of the account stored for the same bytes, or makes one, which is stored for the next job:
 * a job reads no other bytes than those of its version.
 */
export async function reuseOrMake<Value>(
  deps: Dependencies,
  input: WantedAnalysis<Value>,
): Promise<FoundAnalysis<Value>> {
  const { job, media, file, wanted, within = (stored) => stored, make, isWorthStoring = true } = input
  const { background, signal } = input
  // What this attempt stores now may be what it needs next.
  await background.settled()
  const stored = await readAnalysis(deps, file, wanted, signal)
  const found = stored === undefined ? undefined : within(stored)
  if (found !== undefined) return { value: found, analysis: 'reused' }

  const made = await make()
  if (isWorthStoring)
    background.run(storeAnalysis(deps, job, file, { ...wanted, mediaInfo: media.info }, made.value, signal))
  return made
}

/** The stored analysis that covers the request. One that cannot be read is deleted, so that it is made again. */
async function readAnalysis<Value>(
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
    if (error instanceof ObjectNotFoundError || isDamage(error)) await eraseAnalysis({ db, storage }, analysis)
    return undefined
  }
}

/** Stores an analysis for later jobs of the account on the same bytes. The job does not depend on it: failures are logged. Never rejects. */
async function storeAnalysis<Value>(
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
    if (!signal.aborted) deps.logger.warn({ err: error, jobId: job.id }, `${name} not stored`)
  }
}
