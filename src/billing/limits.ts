import { billingMonth, type MicroUsd, toUsd } from '../core/money.ts'
import { addNotice } from '../notices/add-notice.ts'
import { type Database, lockAccount, type Transaction } from '../store/database.ts'
import type { AccountModel } from '../store/generated/models.ts'
import { type MonthSpending, spentInMonth } from './months.ts'
import { notifySpendThresholds } from './spend-alerts.ts'

/** What an account can still spend, and what it has spent in the current UTC month. */
export interface AccountLimits extends MonthSpending {
  readonly month: string
  readonly account: AccountModel
}

export interface LimitsChange {
  readonly accountId: string
  /** Null removes the cap. */
  readonly monthlyCapMicroUsd: MicroUsd | null
  /** From 1 to 100; undefined leaves them unchanged. */
  readonly alertPercents?: readonly number[] | undefined
  /** The request that makes the change: each request sends at most one notice of a raised cap. */
  readonly requestId: string
}

export async function readLimits(db: Database | Transaction, accountId: string): Promise<AccountLimits> {
  const month = billingMonth(new Date())
  const account = await db.account.findUniqueOrThrow({ where: { id: accountId } })
  return { month, account, ...(await spentInMonth(db, accountId, month)) }
}

/** Sets cap and alerts. A lower cap refuses new holds; existing holds stay. */
export async function changeLimits(db: Database, change: LimitsChange): Promise<AccountLimits> {
  const { accountId, monthlyCapMicroUsd: cap, requestId } = change
  return db.$transaction(async (tx) => {
    await lockAccount(tx, accountId)
    const { monthlyCapMicroUsd: before } = await tx.account.findUniqueOrThrow({ where: { id: accountId } })
    const alertPercents = change.alertPercents && [...new Set(change.alertPercents)].toSorted((a, b) => a - b)
    await tx.account.update({
      where: { id: accountId },
      data: { monthlyCapMicroUsd: cap, ...(alertPercents ? { alertPercents } : {}) },
    })
    if (before !== null && (cap === null || cap > before)) {
      await addNotice(tx, {
        accountId,
        kind: 'cap_raised',
        key: requestId,
        data: { previous_cap_usd: toUsd(before), cap_usd: cap === null ? null : toUsd(cap) },
      })
    }
    const limits = await readLimits(tx, accountId)
    await notifySpendThresholds(tx, accountId, limits.month)
    return limits
  })
}
