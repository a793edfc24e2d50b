import { createHash } from 'node:crypto'
import { constants, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { type FileHandle, link, lstat, mkdir, open, rename, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { hasCode, onDisk } from '../../core/disk.ts'
import { randomText } from '../../core/ids.ts'
import { dayMs } from '../../core/time-code.ts'
import { assertObjectKey, fileChunks, ObjectExistsError, type ObjectInfo, type ObjectSource } from '../storage.ts'

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

interface CommitFileInput extends Pick<WriteInput, 'folder' | 'contentType'> {
  /** Holds the bytes, which are on the disk already. */
  readonly file: string
  /** Runs again and again while the file is read. */
  readonly onRead: () => Promise<void>
}

/** Makes a file of the same file system an object. The file stays. */
export async function commitFile(tempPath: TempPath, input: CommitFileInput): Promise<ObjectRecord> {
  const { folder, file, contentType, onRead } = input
  const data = tempPath()
  const pointer = tempPath()
  try {
    const hash = createHash('sha256')
    let bytes = 0
    for await (const chunk of fileChunks(file)) {
      hash.update(chunk)
      bytes += chunk.length
      await onRead()
    }
    const object = { generation: randomText(24), contentType, bytes, sha256: hash.digest('hex') }
    await onNewFile(pointer, (text) =>
      onDisk(async () => {
        await text.writeFile(JSON.stringify(object))
        await text.sync()
      }),
    )
    await onDisk(async () => {
      await link(file, data)
      await commit({ folder, data, pointer, generation: object.generation, replace: false })
    })
    return object
  } catch (error) {
    await Promise.all([data, pointer].map((temp) => rm(temp, { force: true })))
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

/**
 * An object is a folder `<key>~` with its bytes in a file named by their generation, and `object.json`, which names the
 * current generation. Replacing that one file makes a write atomic. No key contains `~`.
 */
const record = z.object({ generation: z.string(), bytes: z.int(), contentType: z.string(), sha256: z.string() })
type ObjectRecord = z.output<typeof record>

const { O_RDONLY, O_NOFOLLOW } = constants

/** The folder of a key. Throws for an invalid key, and for a symbolic link that leads out of the storage. */
export async function objectFolder(root: string, key: string): Promise<string> {
  return checkedFolder(root, key, `${key}~`)
}

/** The folder of every object under `prefix/`. */
export async function prefixFolder(root: string, prefix: string): Promise<string> {
  return checkedFolder(root, prefix, prefix)
}

function recordFile(folder: string): string {
  return path.join(folder, 'object.json')
}

export function dataFile(folder: string, generation: string): string {
  return path.join(folder, generation)
}

export async function readRecord(folder: string): Promise<ObjectRecord | undefined> {
  const handle = await openIfThere(recordFile(folder))
  if (!handle) return undefined
  try {
    return record.parse(JSON.parse(await handle.readFile('utf8')))
  } finally {
    await handle.close()
  }
}

export async function openIfThere(file: string): Promise<FileHandle | undefined> {
  return open(file, O_RDONLY | O_NOFOLLOW).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  })
}

export function infoOfRecord(key: string, { generation, bytes, contentType, sha256 }: ObjectRecord): ObjectInfo {
  return { key, generation, bytes, contentType, etag: sha256 }
}

async function checkedFolder(root: string, key: string, relative: string): Promise<string> {
  assertObjectKey(key)
  let folder = root
  for (const part of relative.split('/')) {
    folder = path.join(folder, part)
    const kind = await lstat(folder).catch((error: unknown) => {
      if (hasCode(error, 'ENOENT')) return undefined
      throw error
    })
    if (!kind) break
    if (!kind.isDirectory()) throw new Error('the storage holds something that is not its own')
  }
  return path.join(root, relative)
}

/** Returns a new temporary path; creates nothing. */
export type TempPath = () => string

const namePattern = /^(?<host>.*)\.(?<pid>\d+)\.[a-zA-Z0-9]+$/
const abandonedAfterMs = dayMs

/** A folder for temporary files. Their names contain host and process, so that a start can remove files of dead processes. */
export function openTempFiles(directory: string): TempPath {
  mkdirSync(directory, { recursive: true })
  for (const name of readdirSync(directory)) {
    const file = path.join(directory, name)
    if (isAbandoned(file)) rmSync(file, { recursive: true, force: true })
  }
  return () => path.join(directory, `${hostname()}.${process.pid}.${randomText(24)}`)
}

function isAbandoned(file: string): boolean {
  const changedAt = lstatSync(file, { throwIfNoEntry: false })?.mtimeMs
  if (changedAt === undefined) return false
  const owner = namePattern.exec(path.basename(file))?.groups
  if (owner?.host !== hostname()) return changedAt < Date.now() - abandonedAfterMs
  const pid = Number(owner.pid)
  // In a container, every start can have the same process id.
  if (pid === process.pid) return changedAt < Date.now() - process.uptime() * 1000
  return !isProcessRunning(pid) || changedAt < Date.now() - abandonedAfterMs
}

function isProcessRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
