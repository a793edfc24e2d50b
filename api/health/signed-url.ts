import { Readable } from 'node:stream'
import { cacheFor } from '../../src/core/concurrency.ts'
import { newId } from '../../src/core/ids.ts'
import type { Storage } from '../../src/storage/storage.ts'

const answerMilliseconds = 5_000
/** The check writes, and its request counts for the service's own address. */
const cachedMilliseconds = 10_000

/** Stores a few bytes and reads them at a signed URL, as the reader of an output does, at most once in ten seconds. */
export function createSignedUrlCheck(storage: Pick<Storage, 'write' | 'presignGet' | 'delete'>): () => Promise<void> {
  return cacheFor(cachedMilliseconds, async () => {
    const id = newId('out')
    const key = `diagnostics/${id}`
    const signal = AbortSignal.timeout(answerMilliseconds)
    try {
      await storage.write(key, Readable.from([id]), 'text/plain', signal)
      const { url } = await storage.presignGet({ key, fileName: id, contentType: 'text/plain', expiresInSeconds: 60 })
      const response = await fetch(url, { signal })
      if ((await response.text()) !== id) throw new Error(`the URL answered ${response.status}`)
    } finally {
      await storage.delete(key).catch(() => {})
    }
  })
}
