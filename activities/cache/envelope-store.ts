import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { LRUCache } from 'lru-cache'
import { newId } from '../../src/core/ids.ts'
import type { MediaInfo } from '../../src/core/media.ts'
import { durationOf } from '../../src/core/segments.ts'
import { type Envelope, stretchAround } from '../../src/media/sound/envelope.ts'
import {
  decodeEnvelope,
  EnvelopeFormatError,
  encodeEnvelope,
  envelopeContentType,
  envelopeVersion,
} from '../../src/media/sound/envelope-format.ts'
import type { EnvelopeRequest, Envelopes } from '../../src/media/sound/envelopes.ts'
import type { JobMedia } from '../../src/media/source/media-source.ts'
import { ObjectNotFoundError, type Storage } from '../../src/storage/storage.ts'
import { type AnalysisRequest, findAnalysis, forgetAnalysis, saveAnalysis } from '../../src/store/analyses.ts'
import type { Job } from '../../src/store/jobs.ts'
import { stageFolder } from '../../src/store/staged-folders.ts'
import type { Dependencies } from '../dependencies.ts'
import { identityOf } from '../source/identity.ts'
import { discardFolder } from '../staged-objects.ts'

export interface CachedEnvelopesInput {
  readonly job: Job
  /** Opened if no stored envelope covers the request. */
  readonly media: JobMedia
  readonly measured: Envelopes
  readonly signal: AbortSignal
}

/** Shorter windows are measured again instead. */
const minStoredSeconds = 60

/** Envelopes from the analyses of the account's earlier jobs on the same bytes; others are measured, and stored for the next job. */
export function cachedEnvelopes(deps: Dependencies, input: CachedEnvelopesInput): Envelopes {
  const { job, media, measured, signal } = input
  const identity = identityOf(job)
  if (!identity) return measured
  const analysisFor = ({ window, track }: EnvelopeRequest): AnalysisRequest => ({
    ...{ ...identity, ...stretchAround(window), format: envelopeVersion, trackIndex: track.index },
  })
  return {
    ...measured,
    isReusable: async (request) => (await findAnalysis(deps.db, analysisFor(request))) !== null,
    get: async (request) => {
      const wanted = analysisFor(request)
      const stored = await readAnalysis(deps, wanted, signal)
      if (stored) return { envelope: stored, analysis: 'reused' }

      const found = await measured.get(request)
      const isSame = (await media.open()).version === identity.version
      if (isSame && isWorthStoring(request, media.info)) {
        await storeAnalysis(deps, job, { ...wanted, mediaInfo: media.info }, found.envelope, signal).catch(
          (error: unknown) => {
            signal.throwIfAborted()
            deps.logger.warn({ err: error, jobId: job.id }, 'envelope not stored')
          },
        )
      }
      return found
    },
  }
}

function isWorthStoring({ window }: EnvelopeRequest, { durationSeconds }: MediaInfo): boolean {
  return durationOf(window) >= Math.min(minStoredSeconds, durationSeconds)
}

async function readAnalysis(
  { db, storage, envelopeCache, logger }: Dependencies,
  wanted: AnalysisRequest,
  signal: AbortSignal,
): Promise<Envelope | undefined> {
  const analysis = await findAnalysis(db, wanted)
  if (!analysis) return undefined
  try {
    return await envelopeCache.forceFetch(analysis.objectKey)
  } catch (error) {
    signal.throwIfAborted()
    logger.warn({ err: error, id: analysis.id }, 'stored envelope not readable')
    // Without its row, the envelope is measured again and stored.
    if (error instanceof ObjectNotFoundError || error instanceof EnvelopeFormatError) {
      await storage.delete(analysis.objectKey)
      await forgetAnalysis(db, analysis.id)
    }
    return undefined
  }
}

async function storeAnalysis(
  deps: Dependencies,
  job: Job,
  analysis: AnalysisRequest & { readonly mediaInfo: MediaInfo },
  envelope: Envelope,
  signal: AbortSignal,
): Promise<void> {
  const id = newId('ana')
  const folder = `analyses/${id}`
  const objectKey = `${folder}/envelope`
  await stageFolder(deps.db, job.id, folder)
  await deps.storage.write(objectKey, Readable.from([encodeEnvelope(envelope)]), envelopeContentType, signal)
  // Another job may have been faster.
  if (!(await saveAnalysis(deps.db, { ...analysis, id, objectKey }, folder))) await discardFolder(deps, folder)
}

/** Envelopes by their object's key. */
export type EnvelopeCache = LRUCache<string, Envelope>

/** Caches the envelopes read last, up to `maxBytes`: jobs on the same media often follow each other. */
export function createEnvelopeCache(storage: Pick<Storage, 'read'>, maxBytes: number): EnvelopeCache {
  return new LRUCache({
    maxSize: maxBytes,
    sizeCalculation: ({ peaks, squares }) => peaks.byteLength + squares.byteLength,
    // Without the job's signal: an aborted job must not fail others that wait for the same envelope.
    fetchMethod: async (objectKey) => decodeEnvelope(await buffer(await storage.read(objectKey))),
    // An envelope that is evicted while it is read still reaches its waiters.
    ignoreFetchAbort: true,
  })
}
