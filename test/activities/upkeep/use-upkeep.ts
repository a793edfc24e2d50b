import { afterEach } from 'vitest'
import type { Dependencies } from '../../../activities/dependencies.ts'
import { upkeepRuns } from '../../../activities/upkeep/index.ts'
import { createAccount } from '../../../src/accounts/own-account.ts'
import type { Job } from '../../../src/jobs/job-rows.ts'
import { settleJob } from '../../../src/jobs/settle-job.ts'
import { acceptClip } from '../../billing/jobs.ts'
import { useDependencies } from '../use-dependencies.ts'

export const long = () => new Date(Date.now() - 60_000)

/** The rules of upkeep on a database of their own. They check every row, so that each test leaves only ended jobs. */
export async function useUpkeep() {
  const deps = await useDependencies()
  afterEach(async () => {
    for (const { id } of await deps.db.job.findMany({ where: { endedAt: null } })) {
      await settleJob(deps.db, id, { code: 'canceled', message: 'Canceled.' })
    }
  })
  return {
    deps,
    /** Runs one rule like the worker, and returns the number of repairs. */
    async repair(rule: string, changed: Partial<Dependencies> = {}): Promise<number> {
      const run = upkeepRuns({ ...deps, ...changed })[rule]
      if (!run) throw new Error(`no rule ${rule}`)
      return run(new AbortController().signal)
    },
    /** A job that was accepted a minute ago and is in the given state. */
    async oldJob(state: Partial<Pick<Job, 'admittedAt' | 'dispatchedAt' | 'startedAt' | 'status'>> = {}) {
      const { job } = await acceptClip(deps.db, await createAccount(deps.db, 'upkeep'), { seconds: 6 })
      return deps.db.job.update({
        where: { id: job.id },
        data: { createdAt: long(), admittedAt: long(), ...state },
      })
    },
    async ledgerOf(jobId: string) {
      const entries = await deps.db.ledgerEntry.findMany({ where: { jobId }, orderBy: { createdAt: 'asc' } })
      return entries.map(({ kind }) => kind)
    },
  }
}
