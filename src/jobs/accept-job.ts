import { readSpending } from '../billing/spending.ts'
import { ServiceError } from '../core/errors.ts'
import { counted } from '../core/text.ts'
import { type SlotLimits, type SlotUse, slotsOf, slotUse } from '../store/admission.ts'
import { keyEndedSql } from '../store/credentials.ts'
import { type AccountStanding, type Database, lockAccount, type Transaction } from '../store/database.ts'
import { Prisma } from '../store/generated/client.ts'
import { findRepeatedRequest, type IdempotencyKey, recordRequest } from '../store/idempotency.ts'
import type { Job } from '../store/jobs.ts'
import { assertUnpaidFit, type UnpaidUse, unpaidUse } from '../store/unpaid-bytes.ts'
import { findDuplicate } from './dedupe-job.ts'
import { heldJobOf, insertJob, type NewJob } from './insert-job.ts'

/** Retry-After for a refused job; a slot may be free earlier or later. */
const fullRetrySeconds = 5

export interface AcceptJobInput extends NewJob {
  /** Jobs beyond them wait, not admitted. */
  readonly slotLimits: SlotLimits
  /** The maximum of waiting jobs of the account. */
  readonly maxWaitingJobs: number
  /** The bytes that the account's jobs without a charge may store a day. No limit if omitted. */
  readonly maxUnpaidBytes?: number | undefined
  readonly idempotency?: IdempotencyKey | undefined
  /** Without an idempotency key: returns the open job that this one duplicates. */
  readonly dedupeOpenJob?: boolean | undefined
}

/**
 * Accepts a job in one transaction: idempotency record, row with its price frozen, a slot if one is free, and hold.
 * Throws `rate_limited` if the account has no free slot and its maximum of waiting jobs, or if its jobs without a charge stored too much,
 * and `invalid_api_key` if the key was revoked or has expired meanwhile.
 */
export async function acceptJob(db: Database, input: AcceptJobInput): Promise<{ job: Job; isRepeat: boolean }> {
  const { jobId, accountId, idempotency } = input
  return db.$transaction(async (tx) => {
    const account = await lockAccount(tx, accountId)
    const earlier = await findEarlier(tx, input)
    if (earlier) return { job: await tx.job.findUniqueOrThrow({ where: { id: earlier } }), isRepeat: true }

    const job = await insertWithSlot(tx, account, input)
    if (idempotency) await recordRequest(tx, accountId, idempotency, jobId)
    return { job, isRepeat: false }
  })
}

async function findEarlier(tx: Transaction, input: AcceptJobInput): Promise<string | undefined> {
  if (input.idempotency) return findRepeatedRequest(tx, input.accountId, input.idempotency)
  return input.dedupeOpenJob ? findDuplicate(tx, input) : undefined
}

/** Creates the job, with a slot if one is free and no older job waits for it, and its hold. The caller holds the account's row lock. */
export async function insertWithSlot(tx: Transaction, account: AccountStanding, input: AcceptJobInput): Promise<Job> {
  const { accountId, apiKeyId, slotLimits, maxWaitingJobs, maxUnpaidBytes = Number.POSITIVE_INFINITY } = input
  const use = Prisma.sql`${slotUse(accountId, Math.max(1, maxWaitingJobs))}, ${unpaidUse(accountId)}, ${keyEndedSql(apiKeyId)} AS "isKeyEnded"`
  const read = await readSpending<SlotUse & UnpaidUse & { readonly isKeyEnded: boolean }>(tx, heldJobOf(input), use)
  const { running, waiting, unpaidBytes, unpaidSeconds, isKeyEnded, ...spending } = read
  if (isKeyEnded) throw new ServiceError('invalid_api_key')
  assertUnpaidFit({ unpaidBytes, unpaidSeconds }, maxUnpaidBytes)
  const isAdmitted = waiting === 0 && running < slotsOf(account, slotLimits)
  if (!isAdmitted && waiting >= maxWaitingJobs) throw tooManyWaiting(maxWaitingJobs)
  return insertJob(tx, { account, spending, input, admission: { admittedAt: isAdmitted ? new Date() : null } })
}

function tooManyWaiting(maxWaitingJobs: number): ServiceError {
  return new ServiceError(
    'rate_limited',
    `This account has ${counted(maxWaitingJobs, 'waiting job')}, which is its limit. Create more when some have started, or cancel some.`,
    { retryAfterSeconds: fullRetrySeconds },
  )
}
