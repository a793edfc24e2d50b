import { readdir } from 'node:fs/promises'
import { isId } from '../../src/core/ids.ts'
import { findEnded } from '../../src/store/open-jobs.ts'
import type { Dependencies } from '../dependencies.ts'
import { closeSource } from '../source/open.ts'

const everyMilliseconds = 15_000

type SweepDependencies = Pick<Dependencies, 'db' | 'workDir' | 'rangedSources' | 'logger'>

/** Deletes this worker's files of jobs that ended elsewhere: on another worker, or by an operator. */
export async function sweepWorkDirectory(deps: SweepDependencies): Promise<number> {
  const jobIds = (await readdir(deps.workDir)).filter((name) => isId('job', name))
  const ended = await findEnded(deps.db, jobIds)
  for (const jobId of ended) await closeSource(deps, jobId)
  return ended.length
}

/** Sweeps every 15 seconds until `stop`, which waits for a running sweep. */
export function startSweeping(deps: SweepDependencies): { stop(): Promise<void> } {
  let sweeping: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    sweeping = sweeping
      .then(() => sweepWorkDirectory(deps))
      .then(
        (swept) => void (swept > 0 && deps.logger.info({ swept }, 'deleted files of ended jobs')),
        (error: unknown) => deps.logger.warn({ err: error }, 'work folder not swept'),
      )
  }, everyMilliseconds)
  return {
    stop: () => {
      clearInterval(timer)
      return sweeping
    },
  }
}
