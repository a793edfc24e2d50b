import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { activityInfo } from '@temporalio/activity'
import { randomText } from '../../src/core/ids.ts'
import { isStreamable } from '../../src/media/inspect/inspect.ts'
import { connectUrl } from '../../src/media/source/connect-url.ts'
import { assertNotTooLarge } from '../../src/media/source/fetch-source.ts'
import {
  fileSource,
  type MediaSource,
  type SourceConnection,
  type SourceVersion,
  type WholeBytes,
} from '../../src/media/source/media-source.ts'
import { SlowSourceError } from '../../src/media/source/source-errors.ts'
import { addFetchedBytes } from '../../src/store/job-parts.ts'
import { type MediaReference, type MediaRow, referenceOf } from '../../src/store/media-reference.ts'
import type { Dependencies } from '../dependencies.ts'
import { objectRanges } from './object-ranges.ts'

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
      source = await deps.rangedSources.open(row.id, connection, path.join(directory, `${randomText(8)}.sparse`))
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
