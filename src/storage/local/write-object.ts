import { createHash } from 'node:crypto'
import { link, mkdir, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { hasCode, onDisk } from '../../core/disk-errors.ts'
import { randomText } from '../../core/ids.ts'
import { ObjectExistsError } from '../storage.ts'
import { dataFile, type ObjectRecord, readRecord, recordFile } from './object-folder.ts'
import type { TempPath } from './temp-files.ts'

export interface WriteInput {
  readonly folder: string
  readonly source: Readable
  readonly contentType: string
  readonly replace: boolean
}

/** Writes bytes and record under temporary names, then commits them. A failure leaves nothing. */
export async function writeToFolder(tempPath: TempPath, input: WriteInput): Promise<ObjectRecord> {
  const { folder, source, contentType, replace } = input
  const data = tempPath()
  const pointer = tempPath()
  try {
    const written = await writeWhole(data, source)
    const object = { generation: randomText(24), contentType, ...written }
    await onDisk(async () => {
      await writeText(pointer, JSON.stringify(object))
      await commit({ folder, data, pointer, generation: object.generation, replace })
    })
    return object
  } finally {
    await Promise.all([data, pointer].map((file) => rm(file, { force: true })))
  }
}

/** Separates failures of source and disk: errors of the source are rethrown unchanged. */
async function writeWhole(file: string, source: Readable): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  let bytes = 0
  const handle = await onDisk(() => open(file, 'wx', 0o600))
  try {
    for await (const chunk of source) {
      const data = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk)
      hash.update(data)
      bytes += data.length
      await onDisk(() => handle.writeFile(data))
    }
    await onDisk(() => handle.sync())
  } finally {
    await handle.close()
  }
  return { bytes, sha256: hash.digest('hex') }
}

async function writeText(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
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
  const previous = replace ? await readRecord(folder) : undefined
  const target = dataFile(folder, generation)
  await rename(data, target)
  try {
    await (replace ? rename(pointer, recordFile(folder)) : link(pointer, recordFile(folder)))
  } catch (error) {
    await rm(target, { force: true })
    if (!replace && hasCode(error, 'EEXIST')) throw new ObjectExistsError('the key is taken', { cause: error })
    throw error
  }
  await syncFolders(folder, made ? path.dirname(made) : folder)
  if (previous) await rm(dataFile(folder, previous.generation), { force: true })
}

/** Makes new names survive a power cut, from the folder up to its topmost changed parent. */
async function syncFolders(folder: string, last: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
  if (folder !== last) await syncFolders(path.dirname(folder), last)
}
