import { activityInfo } from '@temporalio/activity'
import { ServiceError } from '../../src/core/errors.ts'
import { tooLarge } from '../../src/media/source/fetch-source.ts'
import { httpRanges } from '../../src/media/source/http-ranges.ts'
import type { RangedBytes } from '../../src/media/source/media-source.ts'
import { openUrl } from '../../src/media/source/open-url.ts'
import type { SourceResponse } from '../../src/media/source/request-source.ts'
import { ObjectNotFoundError, type Storage } from '../../src/storage/storage.ts'
import type { Dependencies } from '../dependencies.ts'
import { etagVersion } from './identity.ts'
import type { SourceMedia } from './open.ts'

/** The origin of media, after its first response. */
export type Origin =
  | { readonly ranges: RangedBytes; readonly version: string | null }
  /** A server that sends only whole files. With `answer`, the download has begun. */
  | { readonly url: URL; readonly answer: SourceResponse | undefined }

/** Some servers send inconsistent ranges, for example two machines of one name with different ETags for the same file. */
const rangedAttempts = 2

/** Connects to the job's media, which is not on this machine's disk. Throws `media_too_large` above the limit. */
export async function connectSource(deps: Dependencies, job: SourceMedia, signal: AbortSignal): Promise<Origin> {
  const { mediaKey: key, mediaGeneration: generation, mediaUrl } = job
  if (key && generation) {
    return { ranges: fitting(await objectRanges(deps.storage, { key, generation }), deps), version: generation }
  }
  if (!mediaUrl) throw new ServiceError('invalid_request', 'This job has no media_url.')
  const url = new URL(mediaUrl)
  if (activityInfo().attempt > rangedAttempts) return { url, answer: undefined }
  const access = { allowHosts: deps.mediaAllowHosts }
  const answer = await openUrl(url, access, { range: 'bytes=0-' }, signal)
  const ranges = httpRanges(url, access, answer)
  if (ranges)
    return { ranges: fitting(ranges, deps), version: ranges.etag === undefined ? null : etagVersion(ranges.etag) }
  if (answer.status === 200) return { url, answer }
  // An empty file has no ranges, and servers answer such requests in different ways.
  answer.close()
  return { url, answer: undefined }
}

function fitting(ranges: RangedBytes, { maxMediaBytes }: Dependencies): RangedBytes {
  if (ranges.bytes <= maxMediaBytes) return ranges
  ranges.close()
  throw tooLarge(maxMediaBytes)
}

export interface PinnedObject {
  readonly key: string
  readonly generation: string
}

/** The bytes of one generation of an object. Throws `not_found` if it was deleted. */
async function objectRanges(storage: Storage, { key, generation }: PinnedObject): Promise<RangedBytes> {
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
