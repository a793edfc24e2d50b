import type { Database } from '../store/database.ts'
import type { Failure } from '../store/job-documents.ts'
import { countLedgerErrors, measureEnd } from '../telemetry/measure-jobs.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { type SettledJob, settleJob } from './settle-job.ts'

/** Settles a job and measures its end: the way for everybody who ends one. */
export async function endJob(
  { db, metrics }: { readonly db: Database; readonly metrics: Metrics },
  jobId: string,
  failure?: Failure,
): Promise<SettledJob> {
  const job = await countLedgerErrors(metrics, 'settle', () => settleJob(db, jobId, failure))
  measureEnd(metrics, job)
  return job
}
