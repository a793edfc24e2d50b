import type { Database } from '../store/database.ts'
import { countOpenJobs } from '../store/open-jobs.ts'
import { recentWorkerEnds } from '../store/worker-ends.ts'
import type { Metrics } from './metrics.ts'
import { gaugeRefresher } from './refresh-gauges.ts'

const cachedMilliseconds = 5_000

/** Fills the gauges of open jobs from the database before a scrape. */
export function openJobsReader(
  db: Database,
  { openJobs, oldestOpenJobSeconds }: Pick<Metrics, 'openJobs' | 'oldestOpenJobSeconds'>,
): () => Promise<void> {
  return gaugeRefresher(
    () => countOpenJobs(db),
    (counts) => {
      openJobs.reset()
      oldestOpenJobSeconds.reset()
      for (const { endpoint, status, jobs, oldestSeconds } of counts) {
        openJobs.set({ endpoint, status }, jobs)
        oldestOpenJobSeconds.set({ endpoint, status }, oldestSeconds)
      }
    },
    cachedMilliseconds,
  )
}

/** Fills the gauge of workers that ended themselves. */
export function workerEndsReader(db: Database, { workerEnds }: Pick<Metrics, 'workerEnds'>): () => Promise<void> {
  return gaugeRefresher(
    async () => [await recentWorkerEnds(db)],
    (recent) => {
      for (const { count } of recent) workerEnds.set(count)
    },
    cachedMilliseconds,
  )
}
