import { createHash } from 'node:crypto'
import { type ObjectSource, withSource } from '../object-source.ts'
import { chunksOf } from './chunks.ts'
import { onGcs } from './failures.ts'
import type { ObjectResource } from './object-resource.ts'
import type { GcsBucket } from './open-bucket.ts'
import { sendChunk } from './send-chunk.ts'
import { openSession, type SessionInput } from './upload-session.ts'

/** A multiple of 256 KiB. Unconfirmed bytes are held in memory. */
const chunkBytes = 8 * 1024 ** 2

/**
 * Writes the source as one object. Whatever fails leaves nothing; errors of the source pass unchanged.
 *
 * Instead of createWriteStream of @google-cloud/storage 7.22, which fails eight of the storage tests: it waits without end
 * for a server that does not answer (its `timeout` is not for resumable uploads: nodejs-storage #1622), it fails a complete
 * upload whose last answer was lost (#2193, open), and an abort leaves the session on the server (#2367).
 */
export function writeToBucket(gcs: GcsBucket, source: ObjectSource, input: SessionInput): Promise<ObjectResource> {
  const { signal } = input
  const { limits } = gcs
  return withSource(source, signal, async () => {
    const session = await onGcs(() => openSession(gcs, input), signal)
    try {
      const hash = createHash('md5')
      for await (const chunk of chunksOf(source, chunkBytes)) {
        hash.update(chunk.bytes)
        const md5 = chunk.isLast ? hash.digest('base64') : undefined
        const object = await onGcs(() => sendChunk(session, { chunk, md5, limits, signal }), signal)
        if (object) return object
      }
      throw new TypeError('no chunk was the last')
    } catch (error) {
      await session.cancel()
      throw error
    }
  })
}
