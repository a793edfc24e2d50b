import { takenSql } from '../accounts/quotas.ts'
import type { Config } from '../config.ts'
import type { RowPage } from '../core/concurrency.ts'
import { ServiceError } from '../core/errors.ts'
import { describeBytes } from '../core/text.ts'
import { daySeconds } from '../core/time-code.ts'
import { type AccountStanding, type Database, lockAccount, type Transaction } from '../db/database.ts'
import { Prisma } from '../db/generated/client.ts'
import { timestamp } from '../db/rows.ts'
import { type Job, jobColumns } from './job-rows.ts'

// An account has a number of slots. An admitted job holds one until it ends. A run holds the slot of its first job until the run
// ends, and its later jobs use it.

/** How many jobs of an account run simultaneously. */
export type SlotLimits = Allowance

export function slotLimitsOf(
  config: Pick<Config, 'RUNNING_JOBS_PER_ACCOUNT' | 'RUNNING_JOBS_BEFORE_PAYMENT'>,
): SlotLimits {
  return { perAccount: config.RUNNING_JOBS_PER_ACCOUNT, beforePayment: config.RUNNING_JOBS_BEFORE_PAYMENT }
}

/** The number of the account's slots. A suspended account has none, so that its waiting jobs wait. */
export function slotsOf(account: PaymentStanding & Pick<AccountStanding, 'suspendedAt'>, limits: SlotLimits): number {
  return account.suspendedAt ? 0 : allowanceOf(account, limits)
}

/** `slotsOf` in SQL, for a row of `accounts`. */
function slotsSql(limits: SlotLimits): Prisma.Sql {
  return Prisma.sql`CASE WHEN suspended_at IS NOT NULL THEN 0 ELSE ${allowanceSql(limits)} END`
}

const isWaiting = Prisma.sql`ended_at IS NULL AND admitted_at IS NULL AND cancel_requested_at IS NULL`

export interface SlotUse {
  /** Jobs and runs that hold a slot. */
  readonly running: number
  /** Jobs that wait for one, counted up to a maximum. */
  readonly waiting: number
}

/** The columns of a `SlotUse`. The caller holds the account's row lock. */
export function slotUse(accountId: string, maxWaiting: number): Prisma.Sql {
  return Prisma.sql`${running(Prisma.sql`${accountId}`)} AS running, (
      SELECT count(*) FROM (SELECT FROM jobs WHERE account_id = ${accountId} AND ${isWaiting} LIMIT ${maxWaiting}) AS waiting
    )::int AS waiting`
}

/** The jobs and runs of an account, given as an expression, that hold a slot. */
function running(accountId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`((
      SELECT count(*) FROM jobs WHERE account_id = ${accountId} AND ended_at IS NULL AND admitted_at IS NOT NULL AND run_id IS NULL
    ) + (
      SELECT count(*) FROM workflow_runs WHERE account_id = ${accountId} AND ended_at IS NULL
        AND EXISTS (SELECT FROM jobs WHERE run_id = workflow_runs.id AND admitted_at IS NOT NULL)
    ))::int`
}

/** Whether jobs of the account wait, without one that ends in the same statement. */
export function othersWait(accountId: string, endedId: string): Prisma.Sql {
  return Prisma.sql`EXISTS (SELECT FROM jobs WHERE account_id = ${accountId} AND ${isWaiting} AND id <> ${endedId})`
}

/** Gives the account's free slots to its oldest waiting jobs, and returns these, to be started. */
export async function admitWaiting(db: Database, accountId: string, limits: SlotLimits): Promise<Job[]> {
  return db.$transaction(async (tx) => admitNext(tx, { accountId, ...(await lockAccount(tx, accountId)) }, limits))
}

type LockedAccount = Pick<Job, 'accountId'> & Parameters<typeof slotsOf>[0]

/** `admitWaiting` in a transaction that holds the account's row lock. */
export async function admitNext(tx: Transaction, account: LockedAccount, limits: SlotLimits): Promise<Job[]> {
  const { accountId } = account
  // Locks go from jobs to accounts, so this must not wait for a job's lock: the transaction that holds it cancels or deletes the job.
  return tx.$queryRaw<Job[]>`
    WITH next AS (
      SELECT id FROM jobs WHERE account_id = ${accountId} AND ${isWaiting}
      ORDER BY created_at LIMIT greatest(${slotsOf(account, limits)}::int - ${running(Prisma.sql`${accountId}`)}, 0)
      FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE jobs SET admitted_at = ${timestamp(new Date())} WHERE id IN (SELECT id FROM next) RETURNING ${jobColumns}`
}

/** Accounts with a waiting job and a free slot, the longest waiting first. */
export async function findAdmissibleAccounts(
  db: Database,
  limits: SlotLimits,
  { limit, except = [] }: RowPage,
): Promise<string[]> {
  const accounts = await db.$queryRaw<{ id: string }[]>`
    SELECT accounts.id FROM accounts JOIN (
      SELECT account_id, min(created_at) AS since FROM jobs WHERE status = 'queued' AND ${isWaiting} GROUP BY account_id
    ) AS waiting ON waiting.account_id = accounts.id
    WHERE accounts.id <> ALL(${[...except]}::text[]) AND ${running(Prisma.sql`accounts.id`)} < ${slotsSql(limits)}
    ORDER BY since LIMIT ${limit}`
  return accounts.map(({ id }) => id)
}

/** How much of something one account may have, such as running jobs. */
export interface Allowance {
  readonly perAccount: number
  /** The same for an unpaid account, if it is less. */
  readonly beforePayment: number
}

/** What decides whether an account is unpaid: its owner opened it, and its billing is not active. Anybody can open such accounts, at no cost. */
export type PaymentStanding = Pick<AccountStanding, 'ownerId' | 'billingStatus'>

export function isUnpaid({ ownerId, billingStatus }: PaymentStanding): boolean {
  return ownerId !== null && billingStatus === 'inactive'
}

/** `isUnpaid` of a row of `accounts`. */
const isUnpaidRow = Prisma.sql`owner_id IS NOT NULL AND billing_status = 'inactive'`

export function allowanceOf(account: PaymentStanding, allowance: Allowance): number {
  return isUnpaid(account) ? beforePaymentOf(allowance) : allowance.perAccount
}

/** `allowanceOf` in SQL, for a row of `accounts`. */
function allowanceSql(allowance: Allowance): Prisma.Sql {
  return Prisma.sql`CASE WHEN ${isUnpaidRow} THEN ${beforePaymentOf(allowance)}::bigint ELSE ${allowance.perAccount}::bigint END`
}

function beforePaymentOf({ perAccount, beforePayment }: Allowance): number {
  return Math.min(beforePayment, perAccount)
}

// Jobs without a charge, and items of batches that get no run, pass every gate of money. What they store in the database is therefore
// counted for each account and day.

/** What has been stored without a charge in the account's current window. Null without one. */
export interface UnpaidUse {
  readonly unpaidBytes: bigint | null
  /** Until the window ends. */
  readonly unpaidSeconds: number | null
}

function subjectOf(accountId: string): string {
  return `unpaid ${accountId}`
}

/** The columns of an `UnpaidUse`. */
export function unpaidUse(accountId: string): Prisma.Sql {
  const ofWindow = (column: Prisma.Sql) =>
    Prisma.sql`(SELECT ${column} FROM quota_windows WHERE subject = ${subjectOf(accountId)} AND ends_at > now())`
  const seconds = Prisma.sql`ceil(extract(epoch FROM ends_at - now()))::int`
  return Prisma.sql`${ofWindow(Prisma.sql`used`)} AS "unpaidBytes", ${ofWindow(seconds)} AS "unpaidSeconds"`
}

/** `assertUnpaidFit` of what the account has stored. The caller holds the account's row lock. */
export async function assertUnpaidLeft(tx: Transaction, accountId: string, maxBytes: number): Promise<void> {
  const [use] = await tx.$queryRaw<[UnpaidUse]>`SELECT ${unpaidUse(accountId)}`
  assertUnpaidFit(use, maxBytes)
}

/** Throws `rate_limited` once this many bytes were stored. Jobs and batches that are open already may still store theirs. */
export function assertUnpaidFit({ unpaidBytes, unpaidSeconds }: UnpaidUse, maxBytes: number): void {
  if (Number(unpaidBytes ?? 0) < maxBytes) return
  throw new ServiceError(
    'rate_limited',
    `Jobs and batches of this account that cost nothing may store ${describeBytes(maxBytes)} of settings and results a day, and have stored as much. Create further ones after the number of seconds in Retry-After.`,
    { retryAfterSeconds: Math.max(1, unpaidSeconds ?? 1) },
  )
}

/** The rows of a job with its event and its entries in the ledger, about, without the texts that its account chose. */
const rowBytesOfJob = 2_500

/** The bytes that a job without a charge stores, for the RETURNING of a statement on `jobs`. The settings of its run count with each of its steps. */
export const unpaidBytesOfJob = Prisma.sql`
  CASE WHEN final_micro_usd = 0 THEN
    ${rowBytesOfJob}::int + coalesce(octet_length(media_url), 0) + octet_length(settings::text)
      + coalesce(octet_length(result::text), 0) + 2 * coalesce(octet_length(metadata::text), 0)
      + coalesce((SELECT octet_length(workflow_runs.settings::text) FROM workflow_runs WHERE workflow_runs.id = jobs.run_id), 0)
  END AS "unpaidBytes"`

/** Counts `unpaidBytes` of the part `ended`, of one row, for the WITH of a statement. What is open already is never refused. */
export function countUnpaidSql(accountId: string): Prisma.Sql[] {
  const payer = Prisma.sql`
    payer AS (SELECT ${subjectOf(accountId)} AS subject, "unpaidBytes" FROM ended WHERE "unpaidBytes" IS NOT NULL)`
  const quota = { limit: Number.MAX_SAFE_INTEGER, windowSeconds: daySeconds }
  return [payer, takenSql(quota, Prisma.sql`"unpaidBytes"`)]
}
