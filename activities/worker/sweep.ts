import { readdir } from 'node:fs/promises'
import { isId } from '../../src/core/ids.ts'
import { findEnded } from '../../src/store/open-jobs.ts'
import type { Dependencies } from '../dependencies.ts'
import { closeSource } from '../source/open.ts'

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
