import { holdEntry } from '../billing/holds.ts'
import { entriesSql } from '../billing/ledger.ts'
import type { HeldJob, Spending } from '../billing/spending.ts'
import type { MicroUsd } from '../core/money.ts'
import type { JobWindow } from '../core/segments.ts'
import type { AccountStanding, Transaction } from '../store/database.ts'
import { Prisma } from '../store/generated/client.ts'
import type { Metadata } from '../store/job-documents.ts'
import { type Job, jobColumns } from '../store/jobs.ts'
import { columnsOf, type MediaReference } from '../store/media-reference.ts'
import { insertRows } from '../store/rows.ts'
import { assertMayCreate } from '../store/suspension.ts'

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
  /** The most that it may cost, if its caller set a limit. */
  readonly limitMicroUsd?: MicroUsd | undefined
  readonly window: JobWindow
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

interface InsertJobInput {
  readonly account: AccountStanding
  /** What `readSpending` returns for the job. */
  readonly spending: Spending
  readonly input: NewJob
  readonly admission: Admission
}

export function heldJobOf({ jobId, accountId, apiKeyId: keyId, runId }: NewJob): HeldJob {
  return { jobId, accountId, keyId, runId: runId ?? null }
}

/** Creates the job's row and its hold. Throws `account_suspended`, or `invalid_api_key` if the account was deleted. The caller holds the account's row lock. */
export async function insertJob(
  tx: Transaction,
  { account, spending, input, admission }: InsertJobInput,
): Promise<Job> {
  const { jobId, accountId, apiKeyId, maxPriceMicroUsd, window } = input
  assertMayCreate(account)
  const job = heldJobOf(input)
  const hold = holdEntry({ job, account, spending }, maxPriceMicroUsd)
  const row = {
    id: jobId,
    accountId,
    apiKeyId,
    requestId: input.requestId,
    runId: job.runId,
    endpoint: input.endpoint,
    ...(input.reference ? columnsOf(input.reference) : {}),
    startSeconds: window.startSeconds,
    endSeconds: window.endSeconds,
    settings: input.settings,
    givenSettings: input.givenSettings ?? [],
    metadata: input.metadata ?? null,
    warnings: input.warnings,
    rateMicroUsdPerMinute: input.rateMicroUsdPerMinute,
    estimatedMicroUsd: maxPriceMicroUsd ?? null,
    limitMicroUsd: input.limitMicroUsd ?? null,
    traceParent: input.traceParent ?? null,
    createdAt: new Date(),
    ...admission,
  }
  const [inserted] = await tx.$queryRaw<[Job]>`
    WITH job AS (${insertRows('jobs', [row])} RETURNING ${jobColumns}), ${Prisma.join(entriesSql([hold]))} SELECT * FROM job`
  return inserted
}
