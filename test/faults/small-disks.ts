import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { ProcessOptions } from '../../scripts/stack/processes.ts'

const ways = [
  ['unshare', '--user', '--map-root-user', '--mount'],
  ['unshare', '--mount'],
] as const

/** The command that gives a process private mounts; undefined if this machine does not allow it. */
export const mountNamespace = ways.find(
  ([program, ...options]) => spawnSync(program, [...options, 'mount', '-t', 'tmpfs', 'tmpfs', '/tmp']).status === 0,
)

export const smallDiskFolders = ['work', 'objects'] as const
export type SmallDiskFolder = (typeof smallDiskFolders)[number]

/** Starts the worker with a separate disk of 8 MiB for each folder of its data folder. */
export function onSmallDisks(options: ProcessOptions): ProcessOptions {
  if (!mountNamespace) throw new Error('no mounts for one process here')
  const dataDir = options.env?.['DATA_DIR'] ?? ''
  const folders = smallDiskFolders.map((name) => path.join(dataDir, name))
  for (const folder of folders) mkdirSync(folder, { recursive: true })
  const script =
    'for folder in "$0" "$1"; do mount -t tmpfs -o size=8m tmpfs "$folder" || exit 1; done; shift; exec "$@"'
  return { ...options, command: [...mountNamespace, 'sh', '-c', script, ...folders, ...options.command] }
}

/** Fills the disk except for `leaveBytes`; returns a function that frees it again. */
export function fillDisk(folder: string, leaveBytes = 0): () => void {
  const { bavail, bsize } = statfsSync(folder)
  const filler = path.join(folder, 'filler')
  writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - leaveBytes)))
  return () => rmSync(filler)
}
