import { billingMonth, type MicroUsd, toUsd } from '../core/money.ts'
import type { Database, Transaction } from '../db/database.ts'
import { Prisma } from '../db/generated/client.ts'
import type { AccountModel } from '../db/generated/models.ts'
import { addNotice } from '../mail/notices.ts'
import type { Amount } from './ledger.ts'
import type { MonthSpending } from './months.ts'

/** Who pays for a job. */
export interface Payer {
  readonly accountId: string
  /** The key that created the job; null if none did. */
  readonly keyId: string | null
}

export interface HeldJob extends Payer {
  readonly jobId: string
  /** The run that it is a step of. */
  readonly runId: string | null
  /** The most that the job may cost, besides the limit of its run. */
  readonly limitMicroUsd?: MicroUsd | null
}

/** What a job holds, and what its payer has spent in the month of the hold, or in the current month without a hold. */
export interface Spending extends MonthSpending {
  readonly month: string
  readonly hold: Amount
  /** Whether the hold was fitted to the estimate. */
  readonly isFitted: boolean
  /** What the limit of the run, and the cap of the key, still allow. Null without one. */
  readonly leftOfRun: MicroUsd | null
  readonly leftOfKey: MicroUsd | null
  /** The least that is left of the keys above it. */
  readonly leftOfParentKeys: MicroUsd | null
  /** The lowest cap of the key and of those above it. */
  readonly leastKeyCap: MicroUsd | null
}

type Row = Omit<Spending, 'hold'> & Amount

/** What a payer has spent, and `others`, in one statement. To hold or capture money, lock the account's row first. */
export async function readSpending<Others = unknown>(
  db: Database | Transaction,
  { accountId, keyId, jobId, runId }: Payer & Partial<HeldJob>,
  others?: Prisma.Sql,
): Promise<Spending & Others> {
  const signed = (amount: string) =>
    Prisma.raw(`coalesce(sum(CASE kind WHEN 'hold' THEN ${amount} ELSE -(${amount}) END), 0)::bigint`)
  const [row] = await db.$queryRaw<[Row & Others]>`
    WITH job_hold AS (
      SELECT coalesce(min(month), ${billingMonth(new Date())}) AS month, ${signed('credit_micro_usd')} AS credit,
        ${signed('billable_micro_usd')} AS billable, coalesce(bool_or(step = 'estimate'), false) AS "isFitted"
      FROM ledger_entries WHERE job_id = ${jobId ?? null}
    ), run AS (
      ${leftOfRunSql(runId ?? null)}
    ), keys AS (
      SELECT min(left_of_cap) FILTER (WHERE id = ${keyId}) AS "leftOfKey", min(left_of_cap) FILTER (WHERE id <> ${keyId}) AS "leftOfParentKeys",
        min(cap) AS "leastKeyCap"
      FROM (
        SELECT id, monthly_cap_micro_usd AS cap, monthly_cap_micro_usd - coalesce((
          SELECT sum(held_micro_usd + captured_micro_usd)::bigint FROM key_months
          WHERE key_months.key_id = api_keys.id AND (caps_all_months OR key_months.month = job_hold.month)
        ), 0) AS left_of_cap
        FROM job_hold CROSS JOIN key_and_makers(${keyId}) AS line JOIN api_keys ON api_keys.id = line.key_id
      ) AS caps
    )
    SELECT job_hold.*, "leftOfRun", "leftOfKey", "leftOfParentKeys", "leastKeyCap",
      coalesce(captured_credit_micro_usd + captured_billable_micro_usd, 0) AS captured,
      coalesce(held_credit_micro_usd + held_billable_micro_usd, 0) AS held
      ${others ? Prisma.sql`, ${others}` : Prisma.empty}
    FROM job_hold CROSS JOIN keys LEFT JOIN run ON true
      LEFT JOIN account_months ON account_id = ${accountId} AND account_months.month = job_hold.month`
  return { ...row, hold: { credit: row.credit, billable: row.billable } }
}

/** PostgreSQL would plan a statement with a null run each time, because the plan for null reads no run and costs less than the general one. */
function leftOfRunSql(runId: string | null): Prisma.Sql {
  if (runId === null) return Prisma.sql`SELECT NULL::bigint AS "leftOfRun"`
  return Prisma.sql`
    SELECT limit_micro_usd - (
      SELECT coalesce(sum(CASE kind WHEN 'hold' THEN 1 WHEN 'release' THEN -1 ELSE 0 END * (credit_micro_usd + billable_micro_usd)), 0)
      FROM jobs JOIN ledger_entries ON job_id = jobs.id WHERE jobs.run_id = workflow_runs.id
    )::bigint AS "leftOfRun"
    FROM workflow_runs WHERE id = ${runId}`
}

interface SpentInput {
  readonly accountId: string
  readonly account: Pick<AccountModel, 'monthlyCapMicroUsd' | 'alertPercents'>
  readonly month: string
  /** Only captured money counts: a hold may still be released, and the alert would be false. */
  readonly captured: MicroUsd
  /** What was captured when the percentages were compared before. Zero if the cap or the percentages are new. */
  readonly capturedBefore: MicroUsd
}

/** Sends the owner an alert for each percentage of the cap that was not spent before, once a month. The caller holds the account's row lock. */
export async function notifySpendThresholds(tx: Transaction, input: SpentInput): Promise<void> {
  const { accountId, account, month, captured, capturedBefore } = input
  const { monthlyCapMicroUsd: cap, alertPercents } = account
  if (cap === null) return
  const isReached = (amount: MicroUsd, percent: number) => amount > 0n && amount * 100n >= cap * BigInt(percent)
  for (const percent of alertPercents) {
    if (isReached(capturedBefore, percent) || !isReached(captured, percent)) continue
    await addNotice(tx, {
      accountId,
      kind: 'spend_alert',
      key: `${month}/${percent}`,
      data: { month, percent, spent_usd: toUsd(captured), cap_usd: toUsd(cap) },
    })
  }
}
