import { withTimeout } from '../core/abortable.ts'
import type { Database } from '../store/database.ts'
import { countOpenJobs, type JobCount } from '../store/open-jobs.ts'
import type { Metrics } from './metrics.ts'

const cachedMilliseconds = 5_000
const boundMilliseconds = 1_000

/**
 * Fills the gauges of open jobs from the database. Queries at most once in five seconds. A scrape waits a second for the
 * answer, then leaves the gauges out.
 */
export function openJobsReader(
  db: Database,
  { openJobs, oldestOpenJobSeconds }: Pick<Metrics, 'openJobs' | 'oldestOpenJobSeconds'>,
): () => Promise<void> {
  let reading: Promise<void> | undefined
  let readAt = Number.NEGATIVE_INFINITY

  const show = (counts: readonly JobCount[]) => {
    openJobs.reset()
    oldestOpenJobSeconds.reset()
    for (const { endpoint, status, jobs, oldestSeconds } of counts) {
      openJobs.set({ endpoint, status }, jobs)
      oldestOpenJobSeconds.set({ endpoint, status }, oldestSeconds)
    }
  }
  const read = async () => {
    show(await countOpenJobs(db).catch(() => []))
    readAt = performance.now()
    reading = undefined
  }
  return async () => {
    if (performance.now() - readAt < cachedMilliseconds) return
    reading ??= read()
    await withTimeout(reading, boundMilliseconds, () => new Error('no answer in time')).catch(() => show([]))
  }
}
