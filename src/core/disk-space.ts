import { statfs } from 'node:fs/promises'

/** The part of a disk that stays free for what must be written, such as rows of a database on the same disk. */
const reservedFraction = 1 / 20
const maxReservedBytes = 1024 ** 3

/** Whether a folder's disk has room for this many bytes and the reserve. */
export async function hasDiskSpace(folder: string, bytes = 0): Promise<boolean> {
  const disk = await statfs(folder)
  const reserved = Math.min(disk.blocks * disk.bsize * reservedFraction, maxReservedBytes)
  return disk.bavail * disk.bsize - bytes >= reserved
}
