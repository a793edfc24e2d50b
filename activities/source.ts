import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ServiceError } from '../src/core/errors.ts'
import { randomText } from '../src/core/ids.ts'
import { fetchSource } from '../src/media/source/fetch-source.ts'
import { ObjectNotFoundError } from '../src/storage/storage.ts'
import type { Job } from '../src/store/jobs.ts'
import type { Dependencies } from './dependencies.ts'
import { versionOf } from './media-identity.ts'

export interface Source {
  readonly path: string
  /** Which bytes they are: the object's generation, or a hash of the URL's strong ETag. */
  readonly version: string | null
}

/** Media by what names it, with the id under which a worker keeps a copy. */
export type SourceMedia = Pick<Job, 'id' | 'accountId' | 'mediaUrl' | 'mediaKey' | 'mediaGeneration'>

/** A copy's version follows in its name. */
const copyPrefix = 'source-'

export function jobDirectory({ workDir }: Pick<Dependencies, 'workDir'>, jobId: string): string {
  return path.join(workDir, jobId)
}

/** The job's media as a file: our own object where it lies, else a copy that later steps on this worker find again. */
export async function openSource(deps: Dependencies, job: SourceMedia, signal: AbortSignal): Promise<Source> {
  const local = await localObject(deps, job)
  if (local) return { path: local, version: job.mediaGeneration }

  const directory = jobDirectory(deps, job.id)
  const copied = await findCopy(directory)
  if (copied) return copied
  await mkdir(directory, { recursive: true })
  // An attempt that was given up may still be writing its own.
  const partial = path.join(directory, `${randomText(8)}.partial`)
  try {
    const version = await copyTo(partial, deps, job, signal)
    const copy = path.join(directory, `${copyPrefix}${version ?? ''}`)
    await rename(partial, copy)
    return { path: copy, version }
  } finally {
    await rm(partial, { force: true })
  }
}

/** Deletes what this worker keeps for the job. */
export async function closeSource(deps: Pick<Dependencies, 'workDir'>, jobId: string): Promise<void> {
  await rm(jobDirectory(deps, jobId), { recursive: true, force: true })
}

async function localObject({ storage }: Dependencies, job: SourceMedia): Promise<string | undefined> {
  if (!job.mediaKey || !job.mediaGeneration) return undefined
  return storage.localPath(job.mediaKey, job.mediaGeneration)
}

/** Returns the version of the bytes. */
async function copyTo(
  destination: string,
  deps: Dependencies,
  job: SourceMedia,
  signal: AbortSignal,
): Promise<string | null> {
  if (job.mediaKey && job.mediaGeneration) {
    const { mediaKey: key, mediaGeneration: generation } = job
    const stream = await deps.storage.read(key, { generation, signal }).catch((error: unknown) => {
      if (!(error instanceof ObjectNotFoundError)) throw error
      throw new ServiceError('not_found', 'The uploaded media is gone. Upload it again.', { cause: error })
    })
    await pipeline(stream, createWriteStream(destination), { signal })
    return generation
  }
  if (!job.mediaUrl) throw new ServiceError('invalid_request', 'This job has no media_url.')
  const { etag } = await fetchSource({
    url: new URL(job.mediaUrl),
    destination,
    maxBytes: deps.maxMediaBytes,
    allowHosts: deps.mediaAllowHosts,
    signal,
  })
  return etag === undefined ? null : versionOf(etag)
}

async function findCopy(directory: string): Promise<Source | undefined> {
  const names = await readdir(directory).catch(() => [])
  const name = names.find((candidate) => candidate.startsWith(copyPrefix))
  return name === undefined
    ? undefined
    : { path: path.join(directory, name), version: name.slice(copyPrefix.length) || null }
}
