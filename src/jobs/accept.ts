import { keyEndedSql } from '../accounts/credentials.ts'
import { isEndedKey } from '../accounts/keys.ts'
import { assertMayCreate } from '../accounts/suspension.ts'
import { holdEntry } from '../billing/holds.ts'
import { entriesSql } from '../billing/ledger.ts'
import { maxPriceOf, type PricedEndpoint } from '../billing/price.ts'
import { type HeldJob, readSpending, type Spending } from '../billing/spending.ts'
import { ServiceError } from '../core/errors.ts'
import type { MicroUsd } from '../core/money.ts'
import { coversEndpoint } from '../core/scopes.ts'
import type { JobWindow } from '../core/segments.ts'
import { counted } from '../core/text.ts'
import { type AccountStanding, type Database, lockAccount, lockRun, type Transaction } from '../db/database.ts'
import { Prisma } from '../db/generated/client.ts'
import { insertRows } from '../db/rows.ts'
import { createCallback, type NewCallback } from '../webhooks/callbacks.ts'
import {
  assertUnpaidFit,
  type SlotLimits,
  type SlotUse,
  slotsOf,
  slotUse,
  type UnpaidUse,
  unpaidUse,
} from './admission.ts'
import { findRepeatedRequest, type IdempotencyKey, recordRequest } from './idempotency.ts'
import { columnsOf, type Job, jobColumns, type MediaReference, type Metadata, metadataOf } from './job-rows.ts'
import { awaitsConsent, getRun, type Run } from './run-rows.ts'
import { canceledRun } from './start-and-end.ts'

/** Retry-After for a refused job; a slot may be free earlier or later. */
const fullRetrySeconds = 5

interface AcceptJobInput extends NewJob {
  /** Jobs beyond them wait, not admitted. */
  readonly slotLimits: SlotLimits
  /** The maximum of waiting jobs of the account. */
  readonly maxWaitingJobs: number
  /** The bytes that the account's jobs without a charge may store a day. No limit if omitted. */
  readonly maxUnpaidBytes?: number | undefined
  readonly idempotency?: IdempotencyKey | undefined
  readonly callback?: NewCallback | undefined
  /** Without an idempotency key: returns the open job that this one duplicates. */
  readonly dedupeOpenJob?: boolean | undefined
}

/**
 * Accepts a job in one transaction: idempotency record, row with its price frozen, a slot if one is free, and hold.
 * Throws `rate_limited` if the account has no free slot and its maximum of waiting jobs, or if its jobs without a charge stored too much,
 * and `invalid_api_key` if the key was revoked or has expired meanwhile.
 */
export async function acceptJob(db: Database, input: AcceptJobInput): Promise<{ job: Job; isRepeat: boolean }> {
  const { jobId, accountId, idempotency, callback } = input
  return db.$transaction(async (tx) => {
    const account = await lockAccount(tx, accountId)
    const earlier = await findEarlier(tx, input)
    if (earlier) return { job: await tx.job.findUniqueOrThrow({ where: { id: earlier } }), isRepeat: true }

    const job = await insertWithSlot(tx, account, input)
    await createCallback(tx, { accountId, subjectId: jobId, callback })
    if (idempotency) await recordRequest(tx, accountId, idempotency, jobId)
    return { job, isRepeat: false }
  })
}

async function findEarlier(tx: Transaction, input: AcceptJobInput): Promise<string | undefined> {
  if (input.idempotency) return findRepeatedRequest(tx, input.accountId, input.idempotency)
  return input.dedupeOpenJob ? findDuplicate(tx, input) : undefined
}

/** Creates the job, with a slot if one is free and no older job waits for it, and its hold. The caller holds the account's row lock. */
async function insertWithSlot(tx: Transaction, account: AccountStanding, input: AcceptJobInput): Promise<Job> {
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
  // Its owner started it in a session, which covers every endpoint.
  if (apiKeyId === null) return
  const key = await tx.apiKey.findUnique({ where: { id: apiKeyId } })
  if (!key || isEndedKey(key)) throw new ServiceError('invalid_api_key')
  if (!coversEndpoint(key.scope, endpoint)) throw new ServiceError('connector_scope_denied')
}

interface AcceptRunInput {
  readonly run: Omit<Prisma.WorkflowRunUncheckedCreateInput, 'createdAt' | 'endedAt'>
  readonly firstJob: AcceptJobInput
  readonly idempotency?: IdempotencyKey | undefined
  readonly callback?: NewCallback | undefined
  /** The run gets its first job once its price was agreed to (`acceptAgreed`). */
  readonly awaitsConsent?: boolean | undefined
  /** Whether the run is still to be created, in the transaction that does it. */
  readonly claim?: ((tx: Transaction) => Promise<boolean>) | undefined
}

interface AcceptedRun {
  readonly runId: string
  /** The run's first job; undefined if it awaits consent, an earlier request created it, or `claim` returned false. */
  readonly job: Job | undefined
}

/** Accepts a run with its first job in one transaction. Refuses like `acceptJob`. */
export async function acceptRun(
  db: Database,
  { run, firstJob, idempotency, callback, claim, awaitsConsent: isAwaiting = false }: AcceptRunInput,
): Promise<AcceptedRun> {
  const { accountId } = run
  return db.$transaction(async (tx) => {
    const account = await lockAccount(tx, accountId)
    const earlier = idempotency && (await findRepeatedRequest(tx, accountId, idempotency))
    if (earlier) return { runId: earlier, job: undefined }
    if (claim && !(await claim(tx))) return { runId: run.id, job: undefined }
    if (isAwaiting) await assertMayAwait(tx, account, firstJob)
    await tx.workflowRun.create({ data: { ...run, consentAskedAt: isAwaiting ? new Date() : null } })
    const job = isAwaiting ? undefined : await insertWithSlot(tx, account, { ...firstJob, runId: run.id })
    await createCallback(tx, { accountId, subjectId: run.id, callback })
    if (idempotency) await recordRequest(tx, accountId, idempotency, run.id)
    return { runId: run.id, job }
  })
}

/** Runs that await consent count like waiting jobs: they hold no money, and must not become too many. */
async function assertMayAwait(tx: Transaction, account: AccountStanding, job: AcceptJobInput): Promise<void> {
  const { accountId, apiKeyId, maxWaitingJobs } = job
  assertMayCreate(account)
  const where = { accountId, endedAt: null, consentAskedAt: { not: null } }
  if ((await tx.workflowRun.count({ where, take: maxWaitingJobs })) >= maxWaitingJobs)
    throw tooManyWaiting(maxWaitingJobs)
  if (apiKeyId === null) return
  // Nobody may ever answer those of one assistant, with the keys that it made.
  const maxOfKey = Math.ceil(maxWaitingJobs / 2)
  const top = Prisma.sql`(SELECT id FROM api_keys JOIN key_and_makers(${apiKeyId}) ON id = key_id WHERE maker_id IS NULL)`
  const [{ ofKey }] = await tx.$queryRaw<[{ ofKey: number }]>`
    SELECT coalesce(sum(count), 0)::int AS "ofKey" FROM (
      SELECT api_key_id, count(*) FROM workflow_runs
      WHERE account_id = ${accountId} AND ended_at IS NULL AND consent_asked_at IS NOT NULL AND api_key_id IS NOT NULL
      GROUP BY api_key_id
    ) AS asking WHERE EXISTS (SELECT FROM key_and_makers(api_key_id) WHERE key_id = ${top})`
  if (ofKey < maxOfKey) return
  throw new ServiceError(
    'rate_limited',
    `This key has ${counted(maxOfKey, 'run')} that await consent, with those of keys that it made or that made it, which is its limit. Create more when some are agreed to, or cancel some.`,
    { retryAfterSeconds: fullRetrySeconds },
  )
}

/** Accepts the first job of a run whose price was agreed to. Undefined if the run does not await that any more. Refuses like `acceptJob`. */
export async function acceptAgreed(db: Database, runId: string, firstJob: AcceptJobInput): Promise<Job | undefined> {
  return db.$transaction(async (tx) => {
    await lockRun(tx, runId)
    const run = await getRun(tx, runId)
    if (!awaitsConsent(run)) return undefined
    const account = await lockAccount(tx, run.accountId)
    await tx.workflowRun.update({ where: { id: runId }, data: { consentAskedAt: null } })
    return insertWithSlot(tx, account, { ...firstJob, runId })
  })
}

interface NewJob {
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

function heldJobOf({ jobId, accountId, apiKeyId: keyId, runId, limitMicroUsd }: NewJob): HeldJob {
  return { jobId, accountId, keyId, runId: runId ?? null, limitMicroUsd: limitMicroUsd ?? null }
}

/** Creates the job's row and its hold. Throws `account_suspended`, or `invalid_api_key` if the account was deleted. The caller holds the account's row lock. */
async function insertJob(tx: Transaction, { account, spending, input, admission }: InsertJobInput): Promise<Job> {
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

/** Agents that time out repeat their request within this time. */
const dedupeWindowMs = 120_000

/** The open job that the same key created within `dedupeWindowMs`, with the same endpoint, media, settings and metadata. */
async function findDuplicate(tx: Transaction, input: NewJob): Promise<string | undefined> {
  const { accountId, apiKeyId, endpoint, reference, window, settings, metadata } = input
  const duplicate = await tx.job.findFirst({
    where: {
      accountId,
      apiKeyId,
      runId: null,
      endpoint,
      mediaUrl: reference?.url ?? null,
      mediaGeneration: reference?.object?.generation ?? null,
      ...window,
      settings: { equals: settings },
      metadata: { equals: metadata ?? Prisma.DbNull },
      endedAt: null,
      cancelRequestedAt: null,
      createdAt: { gt: new Date(Date.now() - dedupeWindowMs) },
    },
    orderBy: { createdAt: 'desc' },
    select: { id: true },
  })
  return duplicate?.id
}

type JobWork = Pick<NewJob, 'jobId' | 'window' | 'settings' | 'warnings' | 'reference'>

interface JobToAccept extends JobWork {
  readonly endpoint: PricedEndpoint & { readonly id: string }
  /** Undefined while the media has not been read. */
  readonly mediaSeconds: number | undefined
  readonly isFree?: boolean | undefined
}

/** What a job does, with the price that it keeps and holds. */
export type PricedJob = JobWork & Pick<NewJob, 'endpoint' | 'rateMicroUsdPerMinute' | 'maxPriceMicroUsd'>

/** Prices a job at its endpoint's current rate, or at nothing. */
export function pricedJob({ endpoint, mediaSeconds, isFree = false, ...job }: JobToAccept): PricedJob {
  const { window, settings } = job
  if (isFree) return { ...job, endpoint: endpoint.id, rateMicroUsdPerMinute: 0n, maxPriceMicroUsd: 0n }
  return {
    ...job,
    endpoint: endpoint.id,
    rateMicroUsdPerMinute: endpoint.price.rateMicroUsdPerMinute,
    maxPriceMicroUsd: maxPriceOf(endpoint, { window, settings, mediaSeconds })?.microUsd,
  }
}
