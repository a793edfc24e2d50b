import { type AskAgainLimits, askAgain, succeeds } from '../../src/core/ask-again.ts'
import { createCounts } from '../../src/core/counts.ts'
import { type Deferral, isDeferral } from '../../src/core/deferral.ts'
import { hasDiskSpace } from '../../src/core/disk-space.ts'
import type { Dependencies } from '../dependencies.ts'
import { closeSource } from '../source/open.ts'
import { whileBeating } from './heartbeat.ts'

export type DiskCheck = AskAgainLimits & { readonly hasRoom: (folder: string) => Promise<boolean> }

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
