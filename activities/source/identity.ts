import { createHash } from 'node:crypto'
import type { MediaInfo } from '../../src/core/media.ts'
import { envelopeVersion } from '../../src/media/sound/envelope-format.ts'
import { readEtag } from '../../src/media/source/read-etag.ts'
import { findMediaInfo, hasAnalyses, type MediaIdentity } from '../../src/store/analyses.ts'
import type { Job } from '../../src/store/jobs.ts'
import type { Dependencies } from '../dependencies.ts'

/** The media of a job or an estimate, and the id under which a worker keeps it open. */
export type SourceMedia = Pick<Job, 'id' | 'accountId' | 'mediaUrl' | 'mediaKey' | 'mediaGeneration'>

/** What an earlier job of the account learned about the same bytes. */
export interface KnownMedia {
  readonly info: MediaInfo
  readonly version: string
}

/** Undefined where no earlier job read the bytes that the media has now. */
export async function findKnownMedia(
  deps: Dependencies,
  job: SourceMedia,
  signal: AbortSignal,
): Promise<KnownMedia | undefined> {
  const named = { accountId: job.accountId, source: sourceOf(job) }
  // Saves a request to the server.
  if (!(await hasAnalyses(deps.db, named))) return undefined
  const version = job.mediaGeneration ?? (await currentVersion(deps, job, signal))
  if (version === null) return undefined
  const info = await findMediaInfo(deps.db, { ...named, version, format: envelopeVersion })
  return info && { info, version }
}

/** Undefined where the bytes have no version, so that a change cannot be noticed. */
export function identityOf(job: Job): MediaIdentity | undefined {
  return job.mediaVersion === null
    ? undefined
    : { accountId: job.accountId, source: sourceOf(job), version: job.mediaVersion }
}

/** The version of bytes with a strong ETag; null without one. */
export function etagVersion(etag: string | undefined): string | null {
  return etag === undefined ? null : hash(etag)
}

function sourceOf({ mediaKey, mediaUrl }: Pick<Job, 'mediaKey' | 'mediaUrl'>): string {
  return hash(mediaKey ? `object ${mediaKey}` : `url ${mediaUrl}`)
}

async function currentVersion(
  { mediaAllowHosts }: Dependencies,
  { mediaUrl }: Pick<Job, 'mediaUrl'>,
  signal: AbortSignal,
): Promise<string | null> {
  if (!mediaUrl) return null
  return etagVersion(await readEtag(new URL(mediaUrl), { allowHosts: mediaAllowHosts }, signal))
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
