import { type Database, lockAccount } from '../store/database.ts'
import type { Prisma } from '../store/generated/client.ts'
import { findRepeatedRequest, type IdempotencyKey, recordRequest } from '../store/idempotency.ts'
import type { Job } from '../store/jobs.ts'
import { type AcceptJobInput, insertWithSlot } from './accept-job.ts'

export interface AcceptRunInput {
  readonly run: Omit<Prisma.WorkflowRunUncheckedCreateInput, 'createdAt' | 'endedAt'>
  readonly firstJob: AcceptJobInput
  readonly idempotency?: IdempotencyKey | undefined
}

export interface AcceptedRun {
  readonly runId: string
  /** The run's first job; undefined if an earlier request created the run. */
  readonly job: Job | undefined
}

/** Accepts a run with its first job in one transaction. Refuses like `acceptJob`. */
export async function acceptRun(db: Database, { run, firstJob, idempotency }: AcceptRunInput): Promise<AcceptedRun> {
  const { accountId } = run
  return db.$transaction(async (tx) => {
    const account = await lockAccount(tx, accountId)
    const earlier = idempotency && (await findRepeatedRequest(tx, accountId, idempotency))
    if (earlier) return { runId: earlier, job: undefined }
    await tx.workflowRun.create({ data: run })
    const job = await insertWithSlot(tx, account, { ...firstJob, runId: run.id })
    if (idempotency) await recordRequest(tx, accountId, idempotency, run.id)
    return { runId: run.id, job }
  })
}
