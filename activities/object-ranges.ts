import { ServiceError } from '../src/core/errors.ts'
import type { RangedBytes } from '../src/media/source/ranged-bytes.ts'
import { ObjectNotFoundError, type Storage } from '../src/storage/storage.ts'

export interface PinnedObject {
  readonly key: string
  readonly generation: string
}

/** The bytes of one generation of an object. `not_found` where it is gone. */
export async function objectRanges(storage: Storage, { key, generation }: PinnedObject): Promise<RangedBytes> {
  const object = await storage.stat(key)
  if (object?.generation !== generation) throw gone()
  let fetched = 0
  return {
    bytes: object.bytes,
    fetchedBytes: () => fetched,
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
