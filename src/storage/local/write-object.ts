import { createHash } from 'node:crypto'
import { type FileHandle, link, mkdir, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { hasCode, onDisk } from '../../core/disk-errors.ts'
import { randomText } from '../../core/ids.ts'
import type { ObjectSource } from '../object-source.ts'
import { ObjectExistsError } from '../storage.ts'
import { dataFile, type ObjectRecord, readRecord, recordFile } from './object-folder.ts'
import type { TempPath } from './temp-files.ts'

export interface WriteInput {
  readonly folder: string
  readonly source: ObjectSource
  readonly contentType: string
  readonly replace: boolean
}

/** Writes bytes and record under temporary names, then commits them. A failure leaves nothing. */
export async function writeToFolder(tempPath: TempPath, input: WriteInput): Promise<ObjectRecord> {
  const { folder, source, contentType, replace } = input
  const data = tempPath()
  const pointer = tempPath()
  try {
    const object = await onNewFile(data, async (bytes) => {
      const written = await writeWhole(bytes, source)
      const record = { generation: randomText(24), contentType, ...written }
      await onNewFile(pointer, (text) =>
        onDisk(async () => {
          await text.writeFile(JSON.stringify(record))
          // Simultaneously, because the file system can write both in one commit of its journal.
          await Promise.all([bytes.sync(), text.sync()])
        }),
      )
      return record
    })
    await onDisk(() => commit({ folder, data, pointer, generation: object.generation, replace }))
    return object
  } catch (error) {
    await Promise.all([data, pointer].map((file) => rm(file, { force: true })))
    throw error
  }
}

async function onNewFile<T>(file: string, work: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await onDisk(() => open(file, 'wx', 0o600))
  try {
    return await work(handle)
  } finally {
    await handle.close()
  }
}

/** Separates failures of source and disk: errors of the source are rethrown unchanged. */
async function writeWhole(handle: FileHandle, source: ObjectSource): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of source) {
    const data = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk)
    hash.update(data)
    bytes += data.length
    await onDisk(() => handle.writeFile(data))
  }
  return { bytes, sha256: hash.digest('hex') }
}

interface Commit {
  readonly folder: string
  readonly data: string
  readonly pointer: string
  readonly generation: string
  readonly replace: boolean
}

async function commit({ folder, data, pointer, generation, replace }: Commit): Promise<void> {
  const made = await mkdir(folder, { recursive: true })
  const previous = replace && !made ? await readRecord(folder) : undefined
  const target = dataFile(folder, generation)
  await rename(data, target)
  try {
    await (replace ? rename(pointer, recordFile(folder)) : link(pointer, recordFile(folder)))
  } catch (error) {
    await rm(target, { force: true })
    if (!replace && hasCode(error, 'EEXIST')) throw new ObjectExistsError('the key is taken', { cause: error })
    throw error
  }
  await Promise.all(foldersUpTo(folder, made ? path.dirname(made) : folder).map(syncFolder))
  if (!replace) await rm(pointer)
  if (previous) await rm(dataFile(folder, previous.generation), { force: true })
}

/** The folder and those above it, up to the last one. */
function foldersUpTo(folder: string, last: string): string[] {
  return folder === last ? [folder] : [folder, ...foldersUpTo(path.dirname(folder), last)]
}

/** Makes new names in the folder survive a power cut. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
