import { placeHold, provisionalHoldMicroUsd } from '../billing/holds.ts'
import type { MicroUsd } from '../core/money.ts'
import type { Transaction } from '../store/database.ts'
import { assertAccountNotDeleted } from '../store/deletions.ts'
import type { Prisma } from '../store/generated/client.ts'
import type { Metadata } from '../store/job-documents.ts'
import type { Job } from '../store/jobs.ts'
import { columnsOf, type MediaReference } from '../store/media-reference.ts'
import { assertNotSuspended } from '../store/suspension.ts'

export interface NewJob {
  readonly jobId: string
  readonly accountId: string
  /** The key that created it, if a key did. */
  readonly apiKeyId: string | null
  readonly requestId: string
  /** The run that it is a step of. */
  readonly runId?: string
  readonly endpoint: string
  readonly rateMicroUsdPerMinute: MicroUsd
  /** The maximum price; undefined while it depends on an unknown media length. */
  readonly maxPriceMicroUsd: MicroUsd | undefined
  readonly window: { readonly startSeconds: number | null; readonly endSeconds: number | null }
  /** Parsed by the endpoint's schema. */
  readonly settings: Prisma.InputJsonObject
  /** The names of the settings that the caller sent. */
  readonly givenSettings?: readonly string[]
  readonly metadata?: Metadata | undefined
  readonly warnings: readonly string[]
  /** Null if the endpoint reads no media. */
  readonly reference: MediaReference | null
  /** Trace context of the request, if tracing is on. */
  readonly traceParent?: string | undefined
}

interface Admission {
  readonly admittedAt: Date | null
  /** Set if the run that starts it is already in Temporal. */
  readonly dispatchedAt?: Date
}

/** Creates the job's row and its hold. Throws `account_suspended`, or `invalid_api_key` if the account was deleted. The caller holds the account's row lock. */
export async function insertJob(tx: Transaction, input: NewJob, admission: Admission): Promise<Job> {
  const { jobId, accountId, endpoint, rateMicroUsdPerMinute, maxPriceMicroUsd, window, settings } = input
  await assertNotSuspended(tx, accountId)
  await assertAccountNotDeleted(tx, accountId)
  const job = await tx.job.create({
    data: {
      id: jobId,
      accountId,
      apiKeyId: input.apiKeyId,
      requestId: input.requestId,
      runId: input.runId ?? null,
      endpoint,
      ...(input.reference ? columnsOf(input.reference) : {}),
      startSeconds: window.startSeconds,
      endSeconds: window.endSeconds,
      settings,
      givenSettings: [...(input.givenSettings ?? [])],
      ...(input.metadata ? { metadata: input.metadata } : {}),
      warnings: [...input.warnings],
      rateMicroUsdPerMinute,
      estimatedMicroUsd: maxPriceMicroUsd ?? null,
      traceParent: input.traceParent ?? null,
      ...admission,
    },
  })
  await placeHold(tx, { accountId, jobId, keyId: input.apiKeyId }, maxPriceMicroUsd ?? provisionalHoldMicroUsd)
  return job
}
