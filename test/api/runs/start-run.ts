import { expect } from 'vitest'
import { stepJobId } from '../../../src/chains/step-request.ts'
import type { Database } from '../../../src/db/database.ts'
import { acceptStep } from '../../../src/jobs/accept.ts'
import { markRunning, recordDraft } from '../../../src/jobs/job-changes.ts'
import { settleJob } from '../../../src/jobs/settle-job.ts'
import { mediaUrl, type TestAccount } from '../api.ts'

/** Runs of three steps: remove-dead-space. */
export const runsUrl = '/v1/workflows/remove-dead-space/runs'
export const runFields = { mode: 'run_all', media_url: mediaUrl, media_seconds: 60 }

export async function startRun(from: TestAccount, fields: object = {}): Promise<string> {
  const answer = await from.post(runsUrl, { ...runFields, ...fields })
  expect(answer.status, answer.text).toBe(202)
  return answer.body.run.id
}

/** Completes the first job like a worker. */
export async function completeFirst(db: Database, runId: string): Promise<void> {
  const jobId = stepJobId(runId, 0)
  await markRunning(db, jobId)
  await recordDraft(db, jobId, { result: { media_seconds: 60, segments: [] }, files: [], billedMilliseconds: 60_000 })
  await settleJob(db, jobId)
}

/** Creates the job of the last step like a worker. */
export function acceptClipStep(db: Database, runId: string, maxPriceMicroUsd = 10_000n) {
  return acceptStep(db, runId, {
    ...{ jobId: stepJobId(runId, 2), endpoint: 'video/clip-window', rateMicroUsdPerMinute: 10_000n, settings: {} },
    ...{ window: { startSeconds: null, endSeconds: null }, maxPriceMicroUsd, warnings: [] },
    reference: { url: mediaUrl, object: null, name: null },
  })
}
