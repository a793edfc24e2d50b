import { constants } from 'node:fs'
import { type FileHandle, lstat, open } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { hasCode } from '../../core/disk-errors.ts'
import { assertObjectKey, type ObjectInfo } from '../storage.ts'

/**
 * An object is a folder `<key>~` with its bytes in a file named by their generation, and `object.json`, which names the
 * current generation. Replacing that one file makes a write atomic. No key contains `~`.
 */
const record = z.object({ generation: z.string(), bytes: z.int(), contentType: z.string(), sha256: z.string() })
export type ObjectRecord = z.output<typeof record>

const { O_RDONLY, O_NOFOLLOW } = constants

/** The folder of a key. Throws for an invalid key, and for a symbolic link that leads out of the storage. */
export async function objectFolder(root: string, key: string): Promise<string> {
  return checkedFolder(root, key, `${key}~`)
}

/** The folder of every object under `prefix/`. */
export async function prefixFolder(root: string, prefix: string): Promise<string> {
  return checkedFolder(root, prefix, prefix)
}

export function recordFile(folder: string): string {
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
