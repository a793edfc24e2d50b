import { createHash } from 'node:crypto'
import type { MediaInfo } from '../../src/core/media.ts'
import { envelopeVersion } from '../../src/media/sound/envelope-format.ts'
import { readEtag } from '../../src/media/source/read-etag.ts'
import { findMediaInfo, hasAnalyses, type MediaIdentity } from '../../src/store/analyses.ts'
import type { Job } from '../../src/store/jobs.ts'
import type { Dependencies } from '../dependencies.ts'
import type { SourceMedia } from './open.ts'

export interface KnownMedia {
  readonly info: MediaInfo
  readonly version: string
}

/** The description by an earlier job of the account of the same bytes. */
export async function findKnownMedia(
  deps: Dependencies,
  job: SourceMedia,
  signal: AbortSignal,
): Promise<KnownMedia | undefined> {
  const named = { accountId: job.accountId, source: sourceOf(job) }
  // Without any analysis, asking the server for its ETag has no use.
  if (!(await hasAnalyses(deps.db, named))) return undefined
  const version = job.mediaGeneration ?? (await currentVersion(deps, job, signal))
  if (version === undefined) return undefined
  const info = await findMediaInfo(deps.db, { ...named, version, format: envelopeVersion })
  return info && { info, version }
}

/** Undefined if the media has no version, so that its bytes may have changed. */
export function identityOf(job: Job): MediaIdentity | undefined {
  return job.mediaVersion === null
    ? undefined
    : { accountId: job.accountId, source: sourceOf(job), version: job.mediaVersion }
}

/** The version of bytes with a strong ETag. */
export function etagVersion(etag: string): string {
  return hash(etag)
}

function sourceOf({ mediaKey, mediaUrl }: Pick<Job, 'mediaKey' | 'mediaUrl'>): string {
  return hash(mediaKey ? `object ${mediaKey}` : `url ${mediaUrl}`)
}

async function currentVersion(
  { mediaAllowHosts }: Dependencies,
  { mediaUrl }: Pick<Job, 'mediaUrl'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!mediaUrl) return undefined
  const etag = await readEtag(new URL(mediaUrl), { allowHosts: mediaAllowHosts }, signal)
  return etag === undefined ? undefined : etagVersion(etag)
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
