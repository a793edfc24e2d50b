import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { activityInfo } from '@temporalio/activity'
import { getUsableBrand } from '../src/brands/brands.ts'
import type { OpenBrand, UploadedFile } from '../src/core/brand.ts'
import { ServiceError } from '../src/core/errors.ts'
import { randomText } from '../src/core/ids.ts'
import type { MediaInfo } from '../src/core/media.ts'
import { analysisSource, findMediaInfo, hasAnalyses } from '../src/jobs/analysis-rows.ts'
import { addFetchedBytes } from '../src/jobs/attempts.ts'
import { type Job, type MediaReference, type MediaRow, type PinnedObject, referenceOf } from '../src/jobs/job-rows.ts'
import { foundFramesKind } from '../src/media/frames/choose-frames.ts'
import { screenTextKind } from '../src/media/frames/text-reader.ts'
import { isStreamable } from '../src/media/inspect/inspect.ts'
import { envelopeVersion } from '../src/media/sound/envelope.ts'
import { connectUrl, etagVersion, readEtag } from '../src/media/source/connect-url.ts'
import { assertNotTooLarge } from '../src/media/source/fetch-source.ts'
import {
  fileSource,
  type MediaSource,
  type RangedBytes,
  type SourceConnection,
  type SourceVersion,
  type WholeBytes,
} from '../src/media/source/media-source.ts'
import { soundTagsKind, transcriptKind } from '../src/media/speech/track-analysis-kinds.ts'
import { SlowSourceError } from '../src/net/source-errors.ts'
import { ObjectNotFoundError, type Storage } from '../src/storage/storage.ts'
import { findUpload, type Upload } from '../src/uploads/uploads.ts'
import type { Dependencies } from './dependencies.ts'
import { claimsOf } from './slots.ts'

/** The start of a copy's file name; the version of its bytes follows. */
const copyPrefix = 'source-'

/**
 * Attempts that read ranges; later ones download the whole file. The ranges of some servers do not fit together, for example if
 * two machines have one name, and each has its own ETag for the same file.
 */
const rangedAttempts = 2

export function jobDirectory({ workDir }: Pick<Dependencies, 'workDir'>, jobId: string): string {
  return path.join(workDir, jobId)
}

/**
 * Opens the media of a job or an estimate: a file on this machine, ranges that are fetched while they are read, or, if neither
 * works, a copy. Later activities on this worker reuse what an earlier one opened. Calls `onCopy` before it downloads a copy.
 */
export function openSource(
  deps: Dependencies,
  row: MediaRow,
  signal: AbortSignal,
  onCopy: () => Promise<unknown> = async () => {},
): Promise<MediaSource> {
  return deps.rangedSources.inTurn(row.id, async () => {
    const onDisk = await findOnDisk(deps, row)
    if (onDisk) return onDisk
    const directory = jobDirectory(deps, row.id)
    let source = deps.rangedSources.find(row.id)
    if (!source) {
      await mkdir(directory, { recursive: true })
      const connection = await connectSource(deps, referenceOf(row), signal)
      if ('save' in connection) {
        await onCopy()
        return saveCopy(directory, connection)
      }
      source = await deps.rangedSources.open(row.id, connection, {
        path: path.join(directory, `${randomText(8)}.sparse`),
        claimKeys: claimKeysOf(row),
      })
    }
    try {
      if (await isStreamable(source, signal)) return source
      await onCopy()
      await source.complete(signal)
    } catch (error) {
      // What arrived from a slow server stays for its next turn.
      if (!(error instanceof SlowSourceError)) await deps.rangedSources.close(row.id)
      throw error
    }
    const copy = copyPath(directory, source.version)
    await rename(source.path, copy)
    await deps.rangedSources.close(row.id)
    return copySource(copy, source.version)
  })
}

/** Who decides how long readers of the media wait: nobody for our storage, which sends as fast as it is read. */
function claimKeysOf(row: MediaRow): string[] {
  return row.mediaKey ? [] : claimsOf(row).map(({ key }) => key)
}

/** Connects to media that is not on a disk of this machine. Throws `media_too_large` past the limit. */
async function connectSource(
  deps: Dependencies,
  { url, object }: MediaReference,
  signal: AbortSignal,
): Promise<SourceConnection> {
  const { maxMediaBytes: maxBytes, mediaAllowHosts: allowHosts } = deps
  if (object) return assertNotTooLarge(await objectRanges(deps.storage, object), maxBytes)
  const wantsRanges = activityInfo().attempt <= rangedAttempts
  return connectUrl(new URL(url), { maxBytes, allowHosts }, signal, { wantsRanges })
}

/** The whole of the media, if it is on a disk of this machine. */
export async function findOnDisk(deps: Dependencies, row: MediaRow): Promise<MediaSource | undefined> {
  const { object } = referenceOf(row)
  const file = object && (await deps.storage.localPath(object.key, object.generation))
  if (file) return fileSource(file, object.generation)
  return findCopy(jobDirectory(deps, row.id))
}

/** Adds what this worker fetched for a job in parts to the job's row: a clip's receipt states the bytes of all workers. */
export async function recordFetchedBytes(
  { db, rangedSources }: Pick<Dependencies, 'db' | 'rangedSources'>,
  jobId: string,
): Promise<void> {
  const bytes = rangedSources.find(jobId)?.takeFetchedBytes() ?? 0
  const add = () => addFetchedBytes(db, jobId, bytes)
  if (bytes > 0) await add().catch(add)
}

/**
 * Closes the job's media and deletes its folder on this worker. Returns whether that is done; if not, it is logged, because no job
 * should wait for its folder. The sweep tries again.
 */
export async function closeSource(
  deps: Pick<Dependencies, 'workDir' | 'rangedSources' | 'logger'>,
  jobId: string,
): Promise<boolean> {
  try {
    await deps.rangedSources.close(jobId)
    await rm(jobDirectory(deps, jobId), { recursive: true, force: true })
    return true
  } catch (error) {
    deps.logger.warn({ err: error, jobId }, 'the folder of a job is not deleted yet')
    return false
  }
}

async function saveCopy(directory: string, bytes: WholeBytes): Promise<MediaSource> {
  // Under a name of its own: an abandoned attempt may still be writing.
  const partial = path.join(directory, `${randomText(8)}.partial`)
  try {
    const version = await bytes.save(partial)
    const copy = copyPath(directory, version)
    await rename(partial, copy)
    return await copySource(copy, version)
  } finally {
    await rm(partial, { force: true })
  }
}

function copyPath(directory: string, version: SourceVersion): string {
  return path.join(directory, `${copyPrefix}${version ?? ''}`)
}

async function findCopy(directory: string): Promise<MediaSource | undefined> {
  const names = await readdir(directory).catch(() => [])
  const name = names.find((candidate) => candidate.startsWith(copyPrefix))
  if (name === undefined) return undefined
  return copySource(path.join(directory, name), name.slice(copyPrefix.length) || null)
}

async function copySource(path: string, version: SourceVersion): Promise<MediaSource> {
  const file = await fileSource(path, version)
  return { ...file, fetchedBytes: () => file.bytes }
}

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

async function currentVersion(
  { mediaAllowHosts }: Dependencies,
  { url }: MediaReference,
  signal: AbortSignal,
): Promise<string | null> {
  return etagVersion(await readEtag(new URL(url), { allowHosts: mediaAllowHosts }, signal))
}

/** The bytes of one generation of an object. Throws `not_found` if it is gone. */
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

/** Where a file is copied to. */
interface CopyTarget {
  /** It exists. */
  readonly folder: string
  readonly signal: AbortSignal
}

interface UploadToRead extends CopyTarget {
  readonly job: Pick<Job, 'accountId'>
  readonly uploadId: string
}

/** The path of a copy of an uploaded picture. Throws `not_found` if the account has deleted it, or never had it. */
export async function openUpload(
  deps: Pick<Dependencies, 'db' | 'storage'>,
  { job, uploadId, ...target }: UploadToRead,
): Promise<string> {
  const upload = await findUpload(deps.db, job.accountId, uploadId)
  if (!upload) throw deletedUpload(uploadId)
  return copyUpload(deps, upload, target)
}

/**
 * The path of a copy of an upload, whose bytes were counted when the request was checked. A clip reads its font again for each of its pieces, and
 * the account can delete the upload meanwhile. Throws `not_found` if it was deleted already.
 */
async function copyUpload(
  { storage }: Pick<Dependencies, 'storage'>,
  { id, objectKey, bytes }: Upload,
  { folder, signal }: CopyTarget,
): Promise<string> {
  const object = await storage.stat(objectKey)
  // An empty object takes the place of a deleted one.
  if (!object || object.bytes !== Number(bytes)) throw deletedUpload(id)
  const copy = path.join(folder, `${id}-${randomText(8)}`)
  const { generation } = object
  const file = await storage.read(objectKey, { generation, signal }).catch((error: unknown) => {
    throw error instanceof ObjectNotFoundError ? deletedUpload(id, error) : error
  })
  await pipeline(file, createWriteStream(copy), { signal })
  return copy
}

interface BrandToOpen extends CopyTarget {
  readonly job: Pick<Job, 'accountId'>
  readonly brandId: string
}

/** The brand of a job, as it is now. Throws `not_found` if it, or one of its uploads, was deleted. */
export async function openBrand(
  deps: Pick<Dependencies, 'db' | 'storage'>,
  { job, brandId, ...target }: BrandToOpen,
): Promise<OpenBrand> {
  const { name, look, font, logo } = await getUsableBrand(deps.db, job.accountId, brandId, 'settings.brand')
  const open = async (upload: Upload | null): Promise<UploadedFile | null> =>
    upload && { uploadId: upload.id, path: await copyUpload(deps, upload, target) }
  return { id: brandId, name, look, font: await open(font), logo: await open(logo) }
}

function deletedUpload(id: string, cause?: unknown): ServiceError {
  return new ServiceError('not_found', `The upload ${id} was deleted before the job read it.`, { cause })
}
