import { readSpending } from '../billing/spending.ts'
import { ServiceError } from '../core/errors.ts'
import { coversEndpoint } from '../core/scopes.ts'
import { type Database, lockAccount, lockRun, type Transaction } from '../store/database.ts'
import { metadataOf } from '../store/job-documents.ts'
import type { Job } from '../store/jobs.ts'
import { getRun, type Run } from '../store/runs.ts'
import { canceledRun } from './end-run.ts'
import { heldJobOf, insertJob } from './insert-job.ts'
import type { PricedJob } from './priced-job.ts'

/**
 * Accepts the next job of a run in one transaction, in the run's slot. Returns the existing job if there is one. Throws
 * `canceled` if the run was closed, `invalid_api_key` or `connector_scope_denied` if its key can no longer create the job.
 */
export async function acceptStep(
  db: Database,
  runId: string,
  input: PricedJob,
): Promise<{ job: Job; isRepeat: boolean }> {
  return db.$transaction(async (tx) => {
    await lockRun(tx, runId)
    const run = await getRun(tx, runId)
    const accepted = await tx.job.findUnique({ where: { id: input.jobId } })
    if (accepted) return { job: accepted, isRepeat: true }
    if (run.closedAt || run.endedAt) throw new ServiceError('canceled', canceledRun.message)
    const account = await lockAccount(tx, run.accountId)
    await assertKeyCovers(tx, run, input.endpoint)
    const { accountId, apiKeyId, requestId, traceParent } = run
    const now = new Date()
    const ofRun = {
      runId,
      accountId,
      apiKeyId,
      requestId,
      metadata: metadataOf(run),
      traceParent: traceParent ?? undefined,
    }
    const job = { ...input, ...ofRun }
    // The run's workflow starts it, so it counts as dispatched.
    const admission = { admittedAt: now, dispatchedAt: now }
    const spending = await readSpending(tx, heldJobOf(job))
    return { job: await insertJob(tx, { account, spending, input: job, admission }), isRepeat: false }
  })
}

async function assertKeyCovers(tx: Transaction, { apiKeyId }: Run, endpoint: string): Promise<void> {
  const key = apiKeyId === null ? null : await tx.apiKey.findUnique({ where: { id: apiKeyId } })
  if (!key || key.revokedAt || (key.expiresAt && key.expiresAt <= new Date())) throw new ServiceError('invalid_api_key')
  if (!coversEndpoint(key.scope, endpoint)) throw new ServiceError('connector_scope_denied')
}
