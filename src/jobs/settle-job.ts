import { endHold, fitEntries, type HoldBasis } from '../billing/holds.ts'
import { entriesSql, type NewEntry } from '../billing/ledger.ts'
import { priceFor } from '../billing/price.ts'
import { notifySpendThresholds, readSpending, type Spending } from '../billing/spending.ts'
import { errorTable } from '../core/errors.ts'
import { type MicroUsd, toUsd } from '../core/money.ts'
import { announceSql } from '../db/announcements.ts'
import type { Database, Transaction } from '../db/database.ts'
import { Prisma } from '../db/generated/client.ts'
import { jsonText, timestamp } from '../db/rows.ts'
import { endedType, eventSql, type NewEvent, noticedSql } from '../webhooks/events.ts'
import { admitNext, countUnpaidSql, othersWait, type SlotLimits, unpaidBytesOfJob } from './admission.ts'
import { type Attempt, closing } from './attempts.ts'
import { type DescribedMedia, type Draft, describing, draftSchema, type NewDraft, outputsSql } from './job-changes.ts'
import { type Failure, hasEnded, type Job, jobColumns, type LockedJob, lockJobAndAccount } from './job-rows.ts'
import { indexPassages, unindexedSql } from './search-index.ts'

/** A job that has ended. */
export type SettledJob = Job & {
  /** Whether this call ended it, and so must measure it. */
  readonly endedNow: boolean
  /** The jobs that got its slot in the same transaction, to be started. */
  readonly admitted: readonly Job[]
  /** The webhook endpoints to which its event is due. */
  readonly endpointIds: readonly string[]
}

export const canceledJob: Failure = { code: 'canceled', message: errorTable.canceled.message }

/**
 * Publishes a job's draft and captures its price, or records its failure and releases the hold: one transaction, once. A job
 * whose cancellation or deletion was requested is canceled, even if its work is done: the answer said that it costs nothing.
 * With `slotLimits`, its slot passes to a job that waits.
 */
export async function settleJob(
  db: Database,
  jobId: string,
  failure?: Failure,
  slotLimits?: SlotLimits,
): Promise<SettledJob> {
  return inLockedJob(db, { jobId, slotLimits }, async (tx, job) => {
    const reason = failure && !isBeingDeleted(job) ? failure : cancellationOf(job)
    if (reason) return fail(tx, job, reason)
    if (!job.draft) throw new Error(`${jobId} has nothing to publish`)
    const change = Prisma.sql`result = draft -> 'result', draft = NULL`
    const draft = draftSchema.parse(job.draft)
    return complete(tx, job, { draft, change, money: await readHoldBasis(tx, job) })
  })
}

/** The outcome of a job's work, and what the steps before it would have recorded. */
export interface JobAnswer {
  readonly draft: NewDraft
  /** The media's description and the version of its bytes. Null if it reads no media. */
  readonly media: DescribedMedia | null
  readonly estimate: MicroUsd
  readonly startedAt: Date
  readonly attempt: Attempt
}

/**
 * Records in one transaction what inspection, hold, run and `settleJob` record one after the other. Throws if one of them would,
 * or if the job has a draft, and then changes nothing.
 */
export async function settleAnswered(
  db: Database,
  jobId: string,
  answer: JobAnswer,
  slotLimits?: SlotLimits,
): Promise<SettledJob> {
  const { media, estimate, startedAt, attempt } = answer
  const { result, passages = [], ...draft } = answer.draft
  await indexPassages(db, jobId, passages)
  const settled = await inLockedJob(db, { jobId, slotLimits }, async (tx, job) => {
    const reason = cancellationOf(job)
    if (reason) return fail(tx, job, reason)
    if (job.draft) throw new Error(`${jobId} has a draft`)
    const money = await readHoldBasis(tx, job)
    const ofMedia = media ? Prisma.sql`${describing(media)},` : Prisma.empty
    const change = Prisma.sql`
      ${ofMedia} started_at = coalesce(started_at, ${timestamp(startedAt)}), estimated_micro_usd = ${estimate}::bigint,
      ${closing(attempt)}, result = ${jsonText(result)}`
    const fitted = fitEntries(money, estimate)
    return complete(tx, job, { draft: draftSchema.parse(draft), change, money, fitted })
  })
  attempt.isClosed = settled.endedNow && settled.status === 'completed'
  return settled
}

async function inLockedJob(
  db: Database,
  { jobId, slotLimits }: { readonly jobId: string; readonly slotLimits: SlotLimits | undefined },
  end: (tx: Transaction, job: LockedJob) => Promise<EndedRow>,
): Promise<SettledJob> {
  return db.$transaction(async (tx) => {
    const locked = await lockJobAndAccount(tx, jobId)
    if (hasEnded(locked)) return { ...locked, endedNow: false, admitted: [], endpointIds: [] }
    const { othersWait, ...job } = await end(tx, locked)
    // A run keeps the slot until it ends itself.
    const passesSlotOn = othersWait && job.runId === null && slotLimits
    return { ...job, endedNow: true, admitted: passesSlotOn ? await admitNext(tx, locked, slotLimits) : [] }
  })
}

/** The job's row is locked, so a request to cancel it comes before this or after the job's end. */
function cancellationOf(job: LockedJob): Failure | undefined {
  return job.cancelRequestedAt || isBeingDeleted(job) ? canceledJob : undefined
}

/** Both rows are locked, so a deletion comes before this or after the job's end. */
function isBeingDeleted({ deletedAt, isAccountDeleted }: LockedJob): boolean {
  return deletedAt !== null || isAccountDeleted
}

interface Completion {
  readonly draft: Draft
  /** The columns that change besides those of every completed job. */
  readonly change: Prisma.Sql
  readonly money: HoldBasis
  readonly fitted?: readonly NewEntry[]
}

async function complete(tx: Transaction, job: LockedJob, { draft, change, money, fitted = [] }: Completion) {
  const { accountId } = job
  const { billedMilliseconds, warnings } = draft
  const price = priceFor(billedMilliseconds, job.rateMicroUsdPerMinute)
  const { capturedMicroUsd, entries } = endHold(money, price, fitted)
  const ended = await writeEnd(tx, job, {
    change: Prisma.sql`
      ${change}, status = 'completed', progress = 1, final_micro_usd = ${capturedMicroUsd}::bigint,
      billed_milliseconds = ${billedMilliseconds}::bigint, warnings = warnings || ${warnings ?? []}::text[]`,
    capturedMicroUsd,
    more: [...entriesSql([...fitted, ...entries]), ...outputsSql(job.id, draft.files)],
  })
  await notifySpendThresholds(tx, { accountId, account: job, ...spentAfter(money.spending, capturedMicroUsd) })
  return ended
}

function spentAfter({ month, captured }: Spending, capturedMicroUsd: MicroUsd) {
  return { month, captured: captured + capturedMicroUsd, capturedBefore: captured }
}

async function fail(tx: Transaction, job: LockedJob, failure: Failure) {
  const { entries } = endHold(await readHoldBasis(tx, job), null)
  return writeEnd(tx, job, {
    change: Prisma.sql`status = 'failed', error = ${jsonText(failure)}, draft = NULL, final_micro_usd = 0`,
    capturedMicroUsd: 0n,
    failure,
    more: [...entriesSql(entries), unindexedSql(job.id)],
  })
}

/** `othersWait`: whether jobs of the account wait for a slot. */
type EndedRow = Job & { readonly othersWait: boolean; readonly endpointIds: readonly string[] }

interface EndStatement {
  readonly change: Prisma.Sql
  readonly more: readonly Prisma.Sql[]
  readonly capturedMicroUsd: MicroUsd
  readonly failure?: Failure
}

/**
 * Ends the row, counts what it stores if it has no charge, writes its event and wakes the waits for it, in one statement with what its
 * end writes in other tables.
 */
async function writeEnd(
  tx: Transaction,
  job: LockedJob,
  { change, more, capturedMicroUsd, failure }: EndStatement,
): Promise<EndedRow> {
  const { id, accountId } = job
  const at = new Date()
  const event = eventOfEnd(job, { at, capturedMicroUsd, failure })
  const ended = Prisma.sql`
    ended AS (
      UPDATE jobs SET ${change}, ended_at = ${timestamp(at)} WHERE id = ${id}
      RETURNING ${jobColumns}, ${unpaidBytesOfJob}
    )`
  const [{ unpaidBytes: _counted, ...row }] = await tx.$queryRaw<[EndedRow & { readonly unpaidBytes: number | null }]>`
    WITH ${Prisma.join([ended, ...countUnpaidSql(accountId), ...more, ...eventSql(event)])}
    SELECT ended.*, ${othersWait(accountId, id)} AS "othersWait", ${announceSql(id)} AS notice, ${noticedSql(accountId)} FROM ended`
  return row
}

interface JobEnd extends Pick<EndStatement, 'capturedMicroUsd'> {
  readonly at: Date
  readonly failure: Failure | undefined
}

/** Undefined for a job that nobody may hear of any more, because it or its account was deleted. */
function eventOfEnd(job: LockedJob, { at, capturedMicroUsd, failure }: JobEnd): NewEvent | undefined {
  if (isBeingDeleted(job)) return undefined
  const { id, accountId, endpoint, runId, metadata } = job
  const data = {
    ...{
      id,
      object: 'job',
      endpoint,
      status: failure ? 'failed' : 'completed',
      run_id: runId,
      metadata: metadata ?? {},
    },
    ...{ final_price_usd: toUsd(capturedMicroUsd), error: failure ?? null, ended_at: at.toISOString() },
  }
  return { accountId, type: endedType('job', failure), subjectId: id, at, data }
}

/** Records the maximum price of a job as its estimate, and fits the hold to it. */
export async function holdEstimate(db: Database, jobId: string, estimateOf: (job: Job) => MicroUsd): Promise<void> {
  await db.$transaction(async (tx) => {
    const job = await lockJobAndAccount(tx, jobId)
    if (hasEnded(job)) return
    const estimate = estimateOf(job)
    const entries = fitEntries(await readHoldBasis(tx, job), estimate)
    const noted = Prisma.sql`noted AS (UPDATE jobs SET estimated_micro_usd = ${estimate}::bigint WHERE id = ${jobId})`
    await tx.$executeRaw`WITH ${Prisma.join([noted, ...entriesSql(entries)])} SELECT`
  })
}

/** What decides about the hold of a locked job. */
async function readHoldBasis(tx: Transaction, locked: LockedJob): Promise<HoldBasis> {
  const { id: jobId, accountId, apiKeyId: keyId, runId, limitMicroUsd } = locked
  const job = { jobId, accountId, keyId, runId, limitMicroUsd }
  return { job, account: locked, spending: await readSpending(tx, job) }
}
