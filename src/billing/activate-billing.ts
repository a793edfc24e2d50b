import { billingMonth, type MicroUsd, toUsd } from '../core/money.ts'
import { type Database, lockAccount, type Transaction } from '../db/database.ts'
import { addNotice } from '../mail/notices.ts'
import { spentInMonth } from './months.ts'
import { notifySpendThresholds } from './spending.ts'

/** The monthly cap of an account that activates billing without one: 100 USD. */
export const firstCapMicroUsd: MicroUsd = 100_000_000n

/** Lets the account hold more than its credits. Activating it again changes nothing. */
export async function activateBilling(db: Database, accountId: string): Promise<void> {
  await db.$transaction(async (tx) => {
    await lockAccount(tx, accountId)
    await activate(tx, accountId)
  })
}

/** Why an account cannot be billed. */
export type InactiveReason = 'payment_failed' | 'no_payment_method' | 'customer_deleted'

export interface BillingChange {
  readonly accountId: string
  /** Identifies the notice of a change. */
  readonly key: string
  /** Null if the account can be billed. */
  readonly inactiveReason: InactiveReason | null
}

/** Makes billing active or inactive, and notifies the owner of a change. The caller holds the account's row lock. */
export async function changeBilling(tx: Transaction, { accountId, key, inactiveReason }: BillingChange): Promise<void> {
  if (inactiveReason === null) {
    const cap = await activate(tx, accountId)
    if (cap === undefined) return
    const data = { cap_usd: cap === null ? null : toUsd(cap) }
    return addNotice(tx, { accountId, kind: 'billing_activated', key, data })
  }
  const { count } = await tx.account.updateMany({
    where: { id: accountId, billingStatus: 'active', deletedAt: null },
    data: { billingStatus: 'inactive' },
  })
  if (count === 0) return
  await addNotice(tx, { accountId, kind: 'billing_deactivated', key, data: { reason: inactiveReason } })
}

/** Returns the cap if this activates billing; null is no cap. A deleted account is never activated. */
async function activate(tx: Transaction, accountId: string): Promise<MicroUsd | null | undefined> {
  const account = await tx.account.findUniqueOrThrow({ where: { id: accountId } })
  if (account.billingStatus === 'active' || account.deletedAt) return undefined
  const monthlyCapMicroUsd = account.monthlyCapMicroUsd ?? firstCapMicroUsd
  const { alertPercents } = await tx.account.update({
    where: { id: accountId },
    data: { billingStatus: 'active', monthlyCapMicroUsd },
  })
  if (account.monthlyCapMicroUsd === null) {
    const month = billingMonth(new Date())
    const spent = { month, ...(await spentInMonth(tx, accountId, month)), capturedBefore: 0n }
    await notifySpendThresholds(tx, { accountId, account: { monthlyCapMicroUsd, alertPercents }, ...spent })
  }
  return monthlyCapMicroUsd
}
