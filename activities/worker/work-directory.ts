import { mkdir, readdir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import path from 'node:path'
import type { Logger } from 'pino'
import { type AskAgainLimits, askAgain, succeeds } from '../../src/core/concurrency.ts'
import { createCounts } from '../../src/core/counts.ts'
import { hasDiskSpace } from '../../src/core/disk.ts'
import { isId } from '../../src/core/ids.ts'
import { findEnded } from '../../src/jobs/open-jobs.ts'
import { endOrphans, isRunning, processIdentity } from '../../src/media/tools/orphans.ts'
import { type Deferral, isDeferral } from '../../src/temporal/names.ts'
import type { Dependencies } from '../dependencies.ts'
import { closeSource } from '../source.ts'
import { whileBeating } from './run-activity.ts'

interface WorkDirectory {
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

const everyMilliseconds = 15_000

type SweepDependencies = Pick<Dependencies, 'db' | 'workDir' | 'rangedSources' | 'logger'>

/** Deletes this worker's files of jobs that ended elsewhere: on another worker, or by an operator. Returns of how many jobs. */
export async function sweepWorkDirectory(deps: SweepDependencies): Promise<number> {
  const jobIds = (await readdir(deps.workDir)).filter((name) => isId('job', name))
  const ended = await findEnded(deps.db, jobIds)
  let swept = 0
  for (const jobId of ended) if (await closeSource(deps, jobId)) swept += 1
  return swept
}

/** Sweeps every 15 seconds, unless a sweep still runs, until `stop`, which waits for a running sweep. */
export function startSweeping(deps: SweepDependencies): { stop(): Promise<void> } {
  const sweep = async () => {
    try {
      const swept = await sweepWorkDirectory(deps)
      if (swept > 0) deps.logger.info({ swept }, 'deleted files of ended jobs')
    } catch (error) {
      deps.logger.warn({ err: error }, 'work folder not swept')
    }
    sweeping = undefined
  }
  let sweeping: Promise<void> | undefined
  const timer = setInterval(() => {
    sweeping ??= sweep()
  }, everyMilliseconds)
  return {
    stop: async () => {
      clearInterval(timer)
      await sweeping
    },
  }
}

type DiskCheck = AskAgainLimits & { readonly hasRoom: (folder: string) => Promise<boolean> }

const diskCheck: DiskCheck = {
  // Without this wait, a worker with a full disk would always be idle, and take the tasks that other workers could do.
  ...{ pauseMilliseconds: 2_000, maxMilliseconds: 30_000 },
  hasRoom: (folder) => hasDiskSpace(folder).catch(() => true),
}

/**
 * Runs an activity that writes to this worker's disk. While that is nearly full, the activity waits, because a database may be on the
 * same disk, and is then deferred.
 */
export async function onFreeDisk<T>(
  { workDir, logger }: Pick<Dependencies, 'workDir' | 'logger'>,
  work: () => Promise<T>,
  { hasRoom, ...limits }: DiskCheck = diskCheck,
): Promise<T | Deferral> {
  if (await hasRoom(workDir)) return work()
  logger.warn('the disk of the work folder is nearly full; activities wait')
  const assertRoom = async () => {
    if (!(await hasRoom(workDir))) throw new Error('still full')
  }
  const wait = whileBeating((signal) => askAgain(assertRoom, () => true, { ...limits, signal }))
  return (await succeeds(wait)) ? work() : { deferred: 'no_disk' }
}

/**
 * Like `onFreeDisk`. If the activity is deferred and no other of its job runs here, what the job fetched is deleted, and fetched
 * again later: it may be what fills the disk, and all jobs would wait for each other.
 */
export function createDiskTurns(deps: Pick<Dependencies, 'workDir' | 'rangedSources' | 'logger'>) {
  const running = createCounts()
  return async <T>(
    { jobId }: { readonly jobId: string },
    work: () => Promise<T>,
    check?: DiskCheck,
  ): Promise<T | Deferral> => {
    const counted = async () => {
      running.add(jobId)
      try {
        return await work()
      } finally {
        running.remove(jobId)
      }
    }
    const done = await onFreeDisk(deps, counted, check)
    if (isDeferral(done) && done.deferred === 'no_disk' && running.of(jobId) === 0) await closeSource(deps, jobId)
    return done
  }
}
