import { markRunning } from '../src/store/job-changes.ts'
import type { Job } from '../src/store/jobs.ts'
import { measureStart } from '../src/telemetry/measure-jobs.ts'
import type { Dependencies } from './dependencies.ts'

/**
 * Marks the job as running, because a worker begins to download its media from another server, or to run its endpoint.
 * Inspection alone does not count: the job may wait for a task slot after it. Returns the row; repeating the call changes
 * nothing.
 */
export async function beginWork({ db, metrics }: Pick<Dependencies, 'db' | 'metrics'>, jobId: string): Promise<Job> {
  const job = await markRunning(db, jobId)
  measureStart(metrics, job)
  return job
}
