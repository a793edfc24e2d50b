import { mkdir, readdir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import path from 'node:path'
import type { Logger } from 'pino'
import { endOrphans, isRunning, processIdentity } from '../../src/media/tools/orphans.ts'

export interface WorkDirectory {
  readonly directory: string
  /** Deletes the folder. */
  release(): Promise<void>
}

/** This process's folder below `work/`. First ends processes and deletes files of dead workers of this machine. */
export async function claimWorkDirectory(dataDir: string, logger: Logger): Promise<WorkDirectory> {
  const root = path.join(dataDir, 'work')
  // Process ids are unique only on one machine, and several machines can share a data folder.
  const prefix = `${hostname().replaceAll(/[^a-zA-Z0-9-]/g, '-')}.`
  await mkdir(root, { recursive: true })
  for (const name of await readdir(root)) {
    if (!name.startsWith(prefix) || (await isRunning(name.slice(prefix.length)))) continue
    const left = path.join(root, name)
    const ended = await endOrphans(processesIn(left))
    await rm(left, { recursive: true, force: true })
    logger.warn({ left: name, ended }, 'cleaned up after a dead worker')
  }
  const directory = path.join(root, `${prefix}${await processIdentity(process.pid)}`)
  await mkdir(processesIn(directory), { recursive: true })
  return { directory, release: () => rm(directory, { recursive: true, force: true }) }
}

/** The folder in which a worker records its running media processes. */
export function processesIn(workDirectory: string): string {
  return path.join(workDirectory, 'processes')
}
