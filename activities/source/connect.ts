import { activityInfo } from '@temporalio/activity'
import { ServiceError } from '../../src/core/errors.ts'
import { assertNotTooLarge, connectUrl } from '../../src/media/source/connect-url.ts'
import type { RangedBytes } from '../../src/media/source/media-source.ts'
import { ObjectNotFoundError, type Storage } from '../../src/storage/storage.ts'
import type { Dependencies } from '../dependencies.ts'
import { etagVersion, type SourceMedia } from './identity.ts'

/** How the job's media can be read, with the version of its bytes. */
export type SourceConnection =
  | { readonly ranges: RangedBytes; readonly version: string | null }
  /** Only as a whole: writes the file, and returns the version. */
  | { readonly save: (destination: string) => Promise<string | null> }

/** Ranges of some servers do not fit together: two machines with one name, say, each with its own ETag for the same file. */
const rangedAttempts = 2

/** Connects to media that is not on a disk of this machine. Throws `media_too_large` past the limit. */
export async function connectSource(
  deps: Dependencies,
  { mediaKey: key, mediaGeneration: generation, mediaUrl }: SourceMedia,
  signal: AbortSignal,
): Promise<SourceConnection> {
  const { maxMediaBytes: maxBytes, mediaAllowHosts: allowHosts } = deps
  if (key && generation) {
    const ranges = await objectRanges(deps.storage, { key, generation })
    return { ranges: assertNotTooLarge(ranges, maxBytes), version: generation }
  }
  if (!mediaUrl) throw new ServiceError('invalid_request', 'This job has no media_url.')
  const wantsRanges = activityInfo().attempt <= rangedAttempts
  const connection = await connectUrl(new URL(mediaUrl), { maxBytes, allowHosts }, signal, { wantsRanges })
  if ('ranges' in connection) return { ranges: connection.ranges, version: etagVersion(connection.ranges.etag) }
  return { save: async (destination) => etagVersion((await connection.save(destination)).etag) }
}

interface PinnedObject {
  readonly key: string
  readonly generation: string
}

/** The bytes of one generation of an object. Throws `not_found` where it is gone. */
async function objectRanges(storage: Storage, { key, generation }: PinnedObject): Promise<RangedBytes> {
  const object = await storage.stat(key)
  if (object?.generation !== generation) throw gone()
  let fetched = 0
  return {
    bytes: object.bytes,
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
