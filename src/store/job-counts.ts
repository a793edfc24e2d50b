import type { Database } from './database.ts'
import type { JobStatus } from './jobs.ts'

export interface JobCount {
  readonly endpoint: string
  readonly status: JobStatus
  readonly jobs: number
  readonly oldestSeconds: number
}

/** More open jobs than this are counted as so many: a scrape must stay cheap. */
const maxCounted = 100_000

/** The jobs that have not ended, by endpoint and status. */
export async function countOpenJobs(db: Database): Promise<JobCount[]> {
  return db.$queryRaw<JobCount[]>`
    SELECT endpoint, status, count(*)::int AS jobs, extract(epoch FROM now() - min(created_at))::float8 AS "oldestSeconds"
    FROM (
      SELECT endpoint, status, created_at FROM jobs
      WHERE status IN ('queued', 'running') ORDER BY status, created_at LIMIT ${maxCounted}
    ) AS open
    GROUP BY endpoint, status`
}
