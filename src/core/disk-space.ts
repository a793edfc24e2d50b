import type { StatsFs } from 'node:fs'
import { statfs } from 'node:fs/promises'

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
