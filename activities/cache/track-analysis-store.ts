import { pipeline, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { createGzip, gunzip } from 'node:zlib'
import type { Background } from '../../src/core/background.ts'
import { longJsonParts, parseLongJson } from '../../src/core/long-json.ts'
import type { TrackAnalyses, TrackAnalysisKind, TrackRequest } from '../../src/media/analyses/track-analyses.ts'
import type { JobMedia } from '../../src/media/source/media-source.ts'
import type { AnalysisRequest } from '../../src/store/analyses.ts'
import type { Job } from '../../src/store/jobs.ts'
import type { Dependencies } from '../dependencies.ts'
import { identityOf } from '../source/identity.ts'
import { type AnalysisFile, reuseOrMake } from './analysis-store.ts'

/** A day of speech has 250,000 words of 100 bytes. */
const maxAnalysisBytes = 64 * 2 ** 20

/** The content is no analysis of this format: analyse again. */
class AnalysisFormatError extends Error {
  override readonly name = 'AnalysisFormatError'
}

export interface CachedTrackAnalysesInput<Value, Request extends TrackRequest> {
  readonly kind: TrackAnalysisKind<Value>
  readonly job: Job
  /** Opened if no stored analysis covers the request. */
  readonly media: JobMedia
  readonly made: TrackAnalyses<Value, Request>
  readonly background: Background
  readonly signal: AbortSignal
}

/** Analyses of the account's earlier jobs on the same bytes; others are made, and stored for the next job. */
export function cachedTrackAnalyses<Value, Request extends TrackRequest>(
  deps: Dependencies,
  { kind, job, media, made, background, signal }: CachedTrackAnalysesInput<Value, Request>,
): TrackAnalyses<Value, Request> {
  const identity = identityOf(job)
  if (!identity) return made
  const file = fileOf(deps, kind, signal)
  const analysisFor = ({ window, track }: TrackRequest): AnalysisRequest => ({
    ...{ ...identity, format: kind.format, trackIndex: track.index },
    startMs: Math.round(window.start * 1000),
    endMs: Math.round(window.end * 1000),
  })
  return {
    get: (request) =>
      reuseOrMake(deps, {
        ...{ job, media, file, wanted: analysisFor(request), background, signal },
        within: (stored) => kind.within(stored, request.window),
        make: () => made.get(request),
      }),
  }
}

function fileOf<Value>(
  { storage }: Dependencies,
  { name, parse }: TrackAnalysisKind<Value>,
  signal: AbortSignal,
): AnalysisFile<Value> {
  return {
    name,
    contentType: 'application/gzip',
    // Errors destroy the stream that is returned.
    encode: (value) => pipeline(Readable.from(longJsonParts(value)), createGzip(), () => {}),
    read: async (objectKey) => {
      const bytes = await buffer(await storage.read(objectKey, { signal }))
      try {
        const text = (await promisify(gunzip)(bytes, { maxOutputLength: maxAnalysisBytes })).toString()
        return await parse(await parseLongJson(text))
      } catch (cause) {
        throw new AnalysisFormatError(`${objectKey} is no ${name}`, { cause })
      }
    },
    isDamage: (error) => error instanceof AnalysisFormatError,
  }
}
