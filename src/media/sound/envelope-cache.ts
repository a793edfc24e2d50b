import type { Readable } from 'node:stream'
import { LRUCache } from 'lru-cache'
import { type Envelope, readEnvelope } from './envelope.ts'

interface ReadsObjects {
  read(key: string): Promise<Readable>
}

/** Envelopes by their object's key. */
export type EnvelopeCache = LRUCache<string, Envelope>

/** Caches the envelopes read last, up to `maxBytes`: jobs on the same media often follow each other. */
export function createEnvelopeCache(storage: ReadsObjects, maxBytes: number): EnvelopeCache {
  return new LRUCache({
    maxSize: maxBytes,
    sizeCalculation: ({ peaks, squares }) => peaks.byteLength + squares.byteLength,
    // Without the job's signal: an aborted job must not fail others that wait for the same envelope.
    fetchMethod: async (objectKey) => readEnvelope(await storage.read(objectKey)),
    // An envelope that is evicted while it is read still reaches its waiters.
    ignoreFetchAbort: true,
  })
}
