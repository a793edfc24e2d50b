import type { MediaInfo } from '../../src/core/media.ts'
import { foundFramesKind } from '../../src/media/frames/found-frame.ts'
import { screenTextKind } from '../../src/media/frames/screen-text.ts'
import { envelopeVersion } from '../../src/media/sound/envelope-format.ts'
import { etagVersion, readEtag } from '../../src/media/source/read-etag.ts'
import { soundTagsKind, transcriptKind } from '../../src/media/speech/track-analysis-kinds.ts'
import { analysisSource, findMediaInfo, hasAnalyses, type MediaIdentity } from '../../src/store/analyses.ts'
import type { Job } from '../../src/store/jobs.ts'
import { type MediaReference, type MediaRow, referenceOf } from '../../src/store/media-reference.ts'
import type { Dependencies } from '../dependencies.ts'

/** What an earlier job of the account learned about the same bytes. */
export interface KnownMedia {
  readonly info: MediaInfo
  readonly version: string
}

/** The formats of analyses that describe media as this version does. */
const analysisFormats = [
  envelopeVersion,
  transcriptKind.format,
  soundTagsKind.format,
  screenTextKind.format,
  foundFramesKind.format,
]

/** What is known of the media. Undefined if no earlier job read the bytes that the media has now. */
export async function findKnownMedia(
  deps: Dependencies,
  row: MediaRow,
  signal: AbortSignal,
): Promise<KnownMedia | undefined> {
  const reference = referenceOf(row)
  const named = { accountId: row.accountId, source: analysisSource(reference) }
  // Saves a request to the server.
  if (!reference.object && !(await hasAnalyses(deps.db, named))) return undefined
  const version = reference.object?.generation ?? (await currentVersion(deps, reference, signal))
  if (version === null) return undefined
  const info = await findMediaInfo(deps.db, { ...named, version }, analysisFormats)
  return info && { info, version }
}

/** The identity of the job's bytes. Undefined if they have no version, because a change could not be noticed. */
export function identityOf(job: Job): MediaIdentity | undefined {
  return job.mediaVersion === null
    ? undefined
    : { accountId: job.accountId, source: analysisSource(referenceOf(job)), version: job.mediaVersion }
}

async function currentVersion(
  { mediaAllowHosts }: Dependencies,
  { url }: MediaReference,
  signal: AbortSignal,
): Promise<string | null> {
  return etagVersion(await readEtag(new URL(url), { allowHosts: mediaAllowHosts }, signal))
}
