import { ServiceError } from '../../src/core/errors.ts'
import type { RangedBytes } from '../../src/media/source/media-source.ts'
import { ObjectNotFoundError, type Storage } from '../../src/storage/storage.ts'
import type { PinnedObject } from '../../src/store/media-reference.ts'

/** The bytes of one generation of an object. Throws `not_found` if it is gone. */
export async function objectRanges(storage: Storage, { key, generation }: PinnedObject): Promise<RangedBytes> {
  const object = await storage.stat(key)
  if (object?.generation !== generation) throw gone()
  let fetched = 0
  return {
    bytes: object.bytes,
    version: generation,
    fetchedBytes: () => fetched,
    beginTurn: () => {},
    close: () => {},
    async *read(start, signal) {
      for await (const chunk of await storage.read(key, { generation, start, signal }).catch(goneIfMissing)) {
        const bytes = Buffer.from(chunk)
        fetched += bytes.length
        yield bytes
      }
    },
  }
}

function goneIfMissing(error: unknown): never {
  throw error instanceof ObjectNotFoundError ? gone(error) : error
}

function gone(cause?: unknown): ServiceError {
  return new ServiceError('not_found', 'The uploaded media is gone. Upload it again.', { cause })
}
