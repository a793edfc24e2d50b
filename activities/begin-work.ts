import { markRunning } from '../src/store/job-changes.ts'
import type { Job } from '../src/store/jobs.ts'
import { measureStart } from '../src/telemetry/measure-jobs.ts'
import type { Dependencies } from './dependencies.ts'

/**
 * A job is queued until a worker downloads its media from another server, or runs its endpoint. Inspecting media is no work yet: the
 * job may then wait for a task slot. Returns the row; repeating it changes nothing.
 */
export async function beginWork({ db, metrics }: Pick<Dependencies, 'db' | 'metrics'>, jobId: string): Promise<Job> {
  const job = await markRunning(db, jobId)
  measureStart(metrics, job)
  return job
}
