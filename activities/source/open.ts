import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { randomText } from '../../src/core/ids.ts'
import { isStreamable } from '../../src/media/inspect/inspect.ts'
import { fetchSource } from '../../src/media/source/fetch-source.ts'
import { fileSource, type MediaSource } from '../../src/media/source/media-source.ts'
import { saveBytes } from '../../src/media/source/save-bytes.ts'
import type { Job } from '../../src/store/jobs.ts'
import type { Dependencies } from '../dependencies.ts'
import { connectSource } from './connect.ts'
import { etagVersion } from './identity.ts'

export interface Source {
  readonly media: MediaSource
  /** The version of the bytes: the object's generation, or a hash of the URL's strong ETag. */
  readonly version: string | null
}

/** Identifies a job's media, with the id under which a worker stores a copy. */
export type SourceMedia = Pick<Job, 'id' | 'accountId' | 'mediaUrl' | 'mediaKey' | 'mediaGeneration'>

/** The version of a copy follows in its file name. */
const copyPrefix = 'source-'

export function jobDirectory({ workDir }: Pick<Dependencies, 'workDir'>, jobId: string): string {
  return path.join(workDir, jobId)
}

/**
 * Opens the job's media: a local object in place, other media by ranges while it is read, or as a copy if ranges are not
 * possible. Later steps on this worker reuse it.
 */
export async function openJobMedia(deps: Dependencies, job: SourceMedia, signal: AbortSignal): Promise<Source> {
  const found = (await findOnDisk(deps, job)) ?? deps.fetchedSources.find(job.id)
  if (found) return found
  const directory = jobDirectory(deps, job.id)
  await mkdir(directory, { recursive: true })
  const origin = await connectSource(deps, job, signal)
  if (!('ranges' in origin)) {
    return saveCopy(directory, async (destination) => {
      const { url, answer: first } = origin
      const access = { maxBytes: deps.maxMediaBytes, allowHosts: deps.mediaAllowHosts, signal }
      const { etag } = await fetchSource({ url, destination, ...(first ? { first } : {}), ...access })
      return etag === undefined ? null : etagVersion(etag)
    })
  }
  const source = await deps.fetchedSources.open(job.id, origin, path.join(directory, `${randomText(8)}.sparse`))
  let isRead = false
  try {
    isRead = await isStreamable(source.media, signal)
    if (isRead) return source
    return await saveCopy(directory, async (destination) => {
      await saveBytes(destination, source.media.read(0, signal))
      return source.version
    })
  } finally {
    if (!isRead) await deps.fetchedSources.close(job.id)
  }
}

/** The job's media, if all of it is on a disk of this machine. */
export async function findOnDisk(deps: Dependencies, job: SourceMedia): Promise<Source | undefined> {
  const local = await localObject(deps, job)
  if (local) return { media: await fileSource(local), version: job.mediaGeneration }
  return findCopy(jobDirectory(deps, job.id))
}

/** Closes the job's source and deletes its files on this worker. */
export async function closeSource(
  deps: Pick<Dependencies, 'workDir' | 'fetchedSources'>,
  jobId: string,
): Promise<void> {
  await deps.fetchedSources.close(jobId)
  await rm(jobDirectory(deps, jobId), { recursive: true, force: true })
}

/** The path of the job's media, if it is an object on a disk of this machine. */
async function localObject({ storage }: Dependencies, job: SourceMedia): Promise<string | undefined> {
  if (!job.mediaKey || !job.mediaGeneration) return undefined
  return storage.localPath(job.mediaKey, job.mediaGeneration)
}

/** `save` writes the file and returns the version of its bytes. */
async function saveCopy(directory: string, save: (destination: string) => Promise<string | null>): Promise<Source> {
  // A unique name, because an abandoned attempt may still be writing.
  const partial = path.join(directory, `${randomText(8)}.partial`)
  try {
    const version = await save(partial)
    const copy = path.join(directory, `${copyPrefix}${version ?? ''}`)
    await rename(partial, copy)
    return { media: await copySource(copy), version }
  } finally {
    await rm(partial, { force: true })
  }
}

async function findCopy(directory: string): Promise<Source | undefined> {
  const names = await readdir(directory).catch(() => [])
  const name = names.find((candidate) => candidate.startsWith(copyPrefix))
  if (name === undefined) return undefined
  return { media: await copySource(path.join(directory, name)), version: name.slice(copyPrefix.length) || null }
}

async function copySource(path: string): Promise<MediaSource> {
  const file = await fileSource(path)
  return { ...file, fetchedBytes: () => file.bytes }
}
