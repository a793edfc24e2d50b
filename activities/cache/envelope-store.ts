import { LRUCache } from 'lru-cache'
import type { Background } from '../../src/core/background.ts'
import type { MediaInfo } from '../../src/core/media.ts'
import { durationOf } from '../../src/core/segments.ts'
import { type Envelope, stretchAround } from '../../src/media/sound/envelope.ts'
import {
  EnvelopeFormatError,
  envelopeBytes,
  envelopeContentType,
  envelopeVersion,
  readEnvelope,
} from '../../src/media/sound/envelope-format.ts'
import type { EnvelopeRequest, Envelopes } from '../../src/media/sound/envelopes.ts'
import type { JobMedia } from '../../src/media/source/media-source.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { type AnalysisRequest, findAnalysis } from '../../src/store/analyses.ts'
import type { Job } from '../../src/store/jobs.ts'
import type { Dependencies } from '../dependencies.ts'
import { identityOf } from '../source/identity.ts'
import { type AnalysisFile, reuseOrMake } from './analysis-store.ts'

export interface CachedEnvelopesInput {
  readonly job: Job
  /** Opened if no stored envelope covers the request. */
  readonly media: JobMedia
  readonly measured: Envelopes
  readonly background: Background
  readonly signal: AbortSignal
}

/** Shorter windows are measured again instead. */
const minStoredSeconds = 60

/** Envelopes from the analyses of the account's earlier jobs on the same bytes; others are measured, and stored for the next job. */
export function cachedEnvelopes(deps: Dependencies, input: CachedEnvelopesInput): Envelopes {
  const { job, media, measured, background, signal } = input
  const identity = identityOf(job)
  if (!identity) return measured
  const file = envelopeFile(deps.envelopeCache)
  const analysisFor = ({ window, track }: EnvelopeRequest): AnalysisRequest => ({
    ...{ ...identity, ...stretchAround(window), format: envelopeVersion, trackIndex: track.index },
  })
  return {
    ...measured,
    isReusable: async (request) => (await findAnalysis(deps.db, analysisFor(request))) !== null,
    get: async (request) => {
      const { value: envelope, analysis } = await reuseOrMake(deps, {
        ...{ job, media, file, wanted: analysisFor(request), background, signal },
        make: async () => {
          const found = await measured.get(request)
          return { value: found.envelope, analysis: found.analysis }
        },
        isWorthStoring: isWorthStoring(request, media.info),
      })
      return { envelope, analysis }
    },
  }
}

function isWorthStoring({ window }: EnvelopeRequest, { durationSeconds }: MediaInfo): boolean {
  return durationOf(window) >= Math.min(minStoredSeconds, durationSeconds)
}

function envelopeFile(cache: EnvelopeCache): AnalysisFile<Envelope> {
  return {
    name: 'envelope',
    contentType: envelopeContentType,
    encode: envelopeBytes,
    read: async (objectKey) => cache.forceFetch(objectKey),
    isDamage: (error) => error instanceof EnvelopeFormatError,
  }
}

/** Envelopes by their object's key. */
export type EnvelopeCache = LRUCache<string, Envelope>

/** Caches the envelopes read last, up to `maxBytes`: jobs on the same media often follow each other. */
export function createEnvelopeCache(storage: Pick<Storage, 'read'>, maxBytes: number): EnvelopeCache {
  return new LRUCache({
    maxSize: maxBytes,
    sizeCalculation: ({ peaks, squares }) => peaks.byteLength + squares.byteLength,
    // Without the job's signal: an aborted job must not fail others that wait for the same envelope.
    fetchMethod: async (objectKey) => readEnvelope(await storage.read(objectKey)),
    // An envelope that is evicted while it is read still reaches its waiters.
    ignoreFetchAbort: true,
  })
}
