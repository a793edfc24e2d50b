import { markRunning, type NewDraft, recordDraft } from '../../../src/jobs/job-changes.ts'
import { settleJob } from '../../../src/jobs/settle-job.ts'
import type { Api } from '../api.ts'

/** Completes a job with this result, like a worker. It bills nothing, unless the draft says otherwise. */
export async function completeJob(
  { db }: Pick<Api, 'db'>,
  jobId: string,
  result: NewDraft['result'],
  more: Partial<NewDraft> = {},
): Promise<void> {
  await markRunning(db, jobId)
  await recordDraft(db, jobId, { result, files: [], billedMilliseconds: 0, ...more })
  await settleJob(db, jobId)
}
