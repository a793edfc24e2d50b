import { existsSync, type StatsFs } from 'node:fs'
import { statfs } from 'node:fs/promises'
import path from 'node:path'
import { ServiceError } from './errors.ts'

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

/** Runs a step on the disk. A full, read-only or failing disk becomes a retryable `server_error`. */
export async function onDisk<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) {
      throw new ServiceError('server_error', undefined, { cause: error, retryable: true })
    }
    throw error
  }
}

/** The part of a disk that stays free for what must be written, such as rows of a database on the same disk. */
const reservedFraction = 1 / 20
const maxReservedBytes = 1024 ** 3
const maxReservedFiles = 50_000

/** Whether a folder's disk has room for this many bytes and the reserve. */
export async function hasDiskSpace(folder: string, bytes = 0): Promise<boolean> {
  return isRoomy(await statfs(folder), bytes)
}

/** Whether a disk has room for bytes and files: small files use up its inodes first. A disk that counts no files reports 0 of them. */
export function isRoomy(
  { blocks, bsize, bavail, files, ffree }: Pick<StatsFs, 'blocks' | 'bsize' | 'bavail' | 'files' | 'ffree'>,
  bytes = 0,
): boolean {
  const hasBytes = bavail * bsize - bytes >= Math.min(blocks * bsize * reservedFraction, maxReservedBytes)
  return hasBytes && ffree >= Math.min(files * reservedFraction, maxReservedFiles)
}

/** The path of a file of the installation, searched from this file upwards: sources and builds lie at different depths. */
export function installedFile(file: string): string {
  for (let folder = import.meta.dirname; ; folder = path.dirname(folder)) {
    const found = path.join(folder, file)
    if (existsSync(found)) return found
    if (folder === path.dirname(folder)) throw new Error(`${file} is not part of this installation`)
  }
}
