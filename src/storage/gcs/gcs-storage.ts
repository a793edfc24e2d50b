import { cacheFor } from '../../core/concurrency.ts'
import { assertObjectKey, type ObjectInfo, type Storage } from '../storage.ts'
import { httpStatusOf, onGcs, within } from './failures.ts'
import { totalMs } from './limits.ts'
import { infoOfResource, objectResource } from './object-resource.ts'
import { type GcsBucket, type GcsOptions, openBucket } from './open-bucket.ts'
import { readObject } from './read-object.ts'
import { objectOfUrl, signGet, signPut } from './signed-urls.ts'
import { openSession } from './upload-session.ts'
import { writeToBucket } from './write-object.ts'

const deletesAtOnce = 16

/**
 * Objects of one bucket of Google Cloud Storage, which serves the signed URLs itself. Needs roles/storage.objectUser on
 * the bucket and nothing on the project. Every call ends in bounded time and fails with a retryable `server_error`.
 */
export function openGcsStorage(options: GcsOptions): Storage {
  const gcs = openBucket(options)
  const { bucket, limits } = gcs
  /** Limits calls of the client library, whose own time-outs do not cover getting a token. */
  const call = <T>(work: () => Promise<T>) => onGcs(() => within(totalMs(limits), work()))
  const remove = (key: string) => call(() => bucket.file(key).delete({ ignoreNotFound: true }))

  return {
    presignPut: async (input) => {
      assertObjectKey(input.key)
      return signPut(gcs, input)
    },
    presignGet: async (input) => {
      assertObjectKey(input.key)
      return signGet(gcs, input)
    },
    objectOf: (url) => objectOfUrl(gcs, url),
    stat: async (key) => {
      assertObjectKey(key)
      return call(() => stat(gcs, key))
    },
    read: async (key, options = {}) => {
      assertObjectKey(key)
      return readObject(gcs, key, options)
    },
    write: async (key, source, contentType, signal) => {
      assertObjectKey(key)
      return infoOfResource(await writeToBucket(gcs, source, { key, contentType, onlyNew: false, signal }))
    },
    create: async (key, source, contentType, signal) => {
      assertObjectKey(key)
      return infoOfResource(await writeToBucket(gcs, source, { key, contentType, onlyNew: true, signal }))
    },
    delete: async (key) => {
      assertObjectKey(key)
      await remove(key)
    },
    deleteUnder: async (prefix) => {
      assertObjectKey(prefix)
      const [files] = await call(() => bucket.getFiles({ prefix: `${prefix}/`, fields: 'items(name),nextPageToken' }))
      for (let at = 0; at < files.length; at += deletesAtOnce) {
        await Promise.all(files.slice(at, at + deletesAtOnce).map(({ name }) => remove(name)))
      }
    },
    localPath: async () => undefined,
    hasRoom: async () => true,
    // Each ping is a billed request.
    ping: cacheFor(10_000, () => onGcs(() => ping(gcs))),
  }
}

async function stat({ bucket }: GcsBucket, key: string): Promise<ObjectInfo | undefined> {
  try {
    const [metadata] = await bucket.file(key).getMetadata()
    return infoOfResource(objectResource.parse(metadata))
  } catch (error) {
    if (httpStatusOf(error) === 404) return undefined
    throw error
  }
}

/** Begins an upload, which checks the bucket and the right to write, and abandons it: nothing is written. */
async function ping(gcs: GcsBucket): Promise<void> {
  const once = { ...gcs, limits: { ...gcs.limits, retries: 0 } }
  const session = await openSession(once, { key: 'ping', contentType: 'application/octet-stream', onlyNew: false })
  await session.cancel()
}
