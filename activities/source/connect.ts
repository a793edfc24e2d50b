import { activityInfo } from '@temporalio/activity'
import { ServiceError } from '../../src/core/errors.ts'
import { assertNotTooLarge, connectUrl, type SourceConnection } from '../../src/media/source/connect-url.ts'
import type { RangedBytes } from '../../src/media/source/media-source.ts'
import { ObjectNotFoundError, type Storage } from '../../src/storage/storage.ts'
import type { MediaReference, PinnedObject } from '../../src/store/media-reference.ts'
import type { Dependencies } from '../dependencies.ts'

/** Ranges of some servers do not fit together: two machines with one name, say, each with its own ETag for the same file. */
const rangedAttempts = 2

/** Connects to media that is not on a disk of this machine. Throws `media_too_large` past the limit. */
export async function connectSource(
  deps: Dependencies,
  { url, object }: MediaReference,
  signal: AbortSignal,
): Promise<SourceConnection> {
  const { maxMediaBytes: maxBytes, mediaAllowHosts: allowHosts } = deps
  if (object) {
    const ranges = await objectRanges(deps.storage, object)
    return assertNotTooLarge(ranges, maxBytes)
  }
  const wantsRanges = activityInfo().attempt <= rangedAttempts
  return connectUrl(new URL(url), { maxBytes, allowHosts }, signal, { wantsRanges })
}

/** The bytes of one generation of an object. Throws `not_found` where it is gone. */
async function objectRanges(storage: Storage, { key, generation }: PinnedObject): Promise<RangedBytes> {
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
