import type { Database } from '../store/database.ts'
import { type Failure, failureOf } from '../store/job-documents.ts'
import { announceEnd } from '../store/job-ends.ts'
import { lockRun } from '../store/locks.ts'
import { getRun } from '../store/runs.ts'

/** Ends a run, which gives its running place back: failed as its job did, or for a reason of its own. An ended run stays as it is. */
export async function endRun(db: Database, runId: string, failure?: Failure): Promise<boolean> {
  return db.$transaction(async (tx) => {
    await lockRun(tx, runId)
    if ((await getRun(tx, runId)).endedAt) return false
    const failed = await tx.job.findFirst({ where: { runId, status: 'failed' } })
    const error = (failed && failureOf(failed)) ?? failure
    await tx.workflowRun.update({ where: { id: runId }, data: { endedAt: new Date(), ...(error ? { error } : {}) } })
    await announceEnd(tx, runId)
    return true
  })
}
