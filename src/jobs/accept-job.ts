import { placeHold, provisionalHoldMicroUsd } from '../billing/holds.ts'
import { ServiceError } from '../core/errors.ts'
import type { MicroUsd } from '../core/money.ts'
import { countWaitingJobs, hasFreeSlot } from '../store/admission.ts'
import { type Database, lockAccount, type Transaction } from '../store/database.ts'
import type { Prisma } from '../store/generated/client.ts'
import { findReplay, type IdempotencyKey, recordReplay } from '../store/idempotency.ts'
import type { Job } from '../store/jobs.ts'

/** Where every place is taken: how soon one is free depends on the jobs. */
const fullRetrySeconds = 5

export interface AcceptJobInput {
  readonly jobId: string
  readonly accountId: string
  /** The key that makes it, where a key does. */
  readonly apiKeyId: string | null
  readonly requestId: string
  /** The run that it is a step of. */
  readonly runId?: string
  readonly endpoint: string
  readonly rateMicroUsdPerMinute: MicroUsd
  /** The most that it can cost; undefined while that depends on a media length that is not known. */
  readonly maxPriceMicroUsd: MicroUsd | undefined
  readonly window: { readonly startSeconds: number | null; readonly endSeconds: number | null }
  /** Parsed by the endpoint's schema. */
  readonly settings: Prisma.InputJsonObject
  readonly warnings: readonly string[]
  /** Null where the endpoint reads none. */
  readonly media: JobMedia | null
  /** How many jobs of the account run at once; those above wait, not admitted. */
  readonly maxRunningJobs: number
  /** How many jobs of the account wait at most. */
  readonly maxWaitingJobs: number
  readonly idempotency?: IdempotencyKey | undefined
  /** Without an idempotency key: the same job of the same key, where one was just made and has not ended, is taken for it. */
  readonly dedupeOpenJob?: boolean | undefined
  /** Trace context of the request, where tracing is on. */
  readonly traceParent?: string | undefined
}

/** A URL as given; with the key and generation of the object where it is one of our own. */
export interface JobMedia {
  readonly url: string
  readonly key: string | null
  readonly generation: string | null
  /** For operators: a file name, never a URL. */
  readonly name: string | null
}

const noMedia = { url: null, key: null, generation: null, name: null }

/**
 * Accepts a job in one transaction: idempotency record, row with its price frozen, running place if one is free, and hold.
 * `rate_limited` where neither a running nor a waiting place is free.
 */
export async function acceptJob(db: Database, input: AcceptJobInput): Promise<{ job: Job; replayed: boolean }> {
  const { jobId, accountId, idempotency } = input
  return db.$transaction(async (tx) => {
    await lockAccount(tx, accountId)
    const earlier = idempotency ? await findReplay(tx, accountId, idempotency) : await findDuplicate(tx, input)
    if (earlier) return { job: await tx.job.findUniqueOrThrow({ where: { id: earlier } }), replayed: true }

    const job = await placeJob(tx, input)
    if (idempotency) await recordReplay(tx, accountId, idempotency, jobId)
    return { job, replayed: false }
  })
}

/** Agents that hear no answer in time ask again, within these. */
const dedupeWindowMs = 120_000

async function findDuplicate(tx: Transaction, input: AcceptJobInput): Promise<string | undefined> {
  if (!input.dedupeOpenJob) return undefined
  const { accountId, apiKeyId, endpoint, window, settings } = input
  const media = input.media ?? noMedia
  const twin = await tx.job.findFirst({
    where: {
      accountId,
      apiKeyId,
      runId: null,
      endpoint,
      mediaUrl: media.url,
      mediaGeneration: media.generation,
      ...window,
      settings: { equals: settings },
      endedAt: null,
      cancelRequestedAt: null,
      createdAt: { gt: new Date(Date.now() - dedupeWindowMs) },
    },
    orderBy: { createdAt: 'desc' },
    select: { id: true },
  })
  return twin?.id
}

/** Makes the job with a running place if one is free, and its hold. The caller holds the account's row lock. */
export async function placeJob(tx: Transaction, input: AcceptJobInput): Promise<Job> {
  const isAdmitted = await hasFreeSlot(tx, input.accountId, input.maxRunningJobs)
  if (!isAdmitted) await assertMayWait(tx, input.accountId, input.maxWaitingJobs)
  return insertJob(tx, input, { admittedAt: isAdmitted ? new Date() : null })
}

interface Admission {
  readonly admittedAt: Date | null
  /** Where Temporal has what starts it. */
  readonly dispatchedAt?: Date
}

/** Makes the job and its hold. The caller holds the account's row lock. */
export async function insertJob(
  tx: Transaction,
  input: Omit<AcceptJobInput, 'maxRunningJobs' | 'maxWaitingJobs'>,
  admission: Admission,
): Promise<Job> {
  const { jobId, accountId, endpoint, rateMicroUsdPerMinute, maxPriceMicroUsd, window, settings } = input
  const media = input.media ?? noMedia
  const job = await tx.job.create({
    data: {
      id: jobId,
      accountId,
      apiKeyId: input.apiKeyId,
      requestId: input.requestId,
      runId: input.runId ?? null,
      endpoint,
      mediaUrl: media.url,
      mediaKey: media.key,
      mediaGeneration: media.generation,
      mediaName: media.name,
      startSeconds: window.startSeconds,
      endSeconds: window.endSeconds,
      settings,
      warnings: [...input.warnings],
      rateMicroUsdPerMinute,
      estimatedMicroUsd: maxPriceMicroUsd ?? null,
      traceParent: input.traceParent ?? null,
      ...admission,
    },
  })
  await placeHold(tx, { accountId, jobId, amountMicroUsd: maxPriceMicroUsd ?? provisionalHoldMicroUsd })
  return job
}

async function assertMayWait(tx: Transaction, accountId: string, places: number): Promise<void> {
  if ((await countWaitingJobs(tx, accountId)) < places) return
  throw new ServiceError(
    'rate_limited',
    `This account has ${places} jobs that wait, which is the most. Create more when some of them have started, or cancel some.`,
    { retryAfterSeconds: fullRetrySeconds },
  )
}
