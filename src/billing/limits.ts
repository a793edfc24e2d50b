import { billingMonth, type MicroUsd, toUsd } from '../core/money.ts'
import { addNotice } from '../notices/add-notice.ts'
import { type Database, lockAccount, type Transaction } from '../store/database.ts'
import type { AccountModel } from '../store/generated/models.ts'
import { type ApiKey, findKey } from '../store/keys.ts'
import { assertMayRaise, findChanger, isRaised } from './key-caps.ts'
import { type MonthSpending, spentByKey, spentInMonth } from './months.ts'
import { notifySpendThresholds } from './spend-alerts.ts'

/** What an account can still spend, and what it has spent in the current UTC month. */
export interface AccountLimits extends MonthSpending {
  readonly month: string
  readonly account: AccountModel
  /** The key of the request, if there is one, with its part of the spending. */
  readonly key?: ApiKey & MonthSpending
}

export interface LimitsChange {
  readonly accountId: string
  /** Null removes the cap. */
  readonly monthlyCapMicroUsd: MicroUsd | null
  /** From 1 to 100; undefined leaves them unchanged. */
  readonly alertPercents?: readonly number[] | undefined
  /** The request that makes the change: each request sends at most one notice of a raised cap. */
  readonly requestId: string
  /** The key that makes the change; undefined for owner and operator. */
  readonly keyId?: string | undefined
  /** The owner's session. */
  readonly sessionId?: string | undefined
}

/** With `keyId`, also what that key can spend. */
export async function readLimits(
  db: Database | Transaction,
  accountId: string,
  keyId?: string,
): Promise<AccountLimits> {
  const month = billingMonth(new Date())
  const account = await db.account.findUniqueOrThrow({ where: { id: accountId } })
  const key = keyId === undefined ? null : await findKey(db, accountId, keyId)
  const ofKey = key ? { key: { ...key, ...(await spentByKey(db, key.id, month)) } } : {}
  return { month, account, ...ofKey, ...(await spentInMonth(db, accountId, month)) }
}

/**
 * Sets cap and alerts. A lower cap refuses new holds; existing holds stay. Throws `connector_scope_denied` if a key without
 * the right raises the cap, and what `findChanger` throws.
 */
export async function changeLimits(db: Database, change: LimitsChange): Promise<AccountLimits> {
  const { accountId, monthlyCapMicroUsd: cap, requestId, keyId, sessionId } = change
  return db.$transaction(async (tx) => {
    await lockAccount(tx, accountId)
    const changer = await findChanger(tx, accountId, { keyId, sessionId })
    const { monthlyCapMicroUsd: before } = await tx.account.findUniqueOrThrow({ where: { id: accountId } })
    const raised = isRaised(before, cap)
    if (raised) assertMayRaise(changer)
    const alertPercents = change.alertPercents && [...new Set(change.alertPercents)].toSorted((a, b) => a - b)
    await tx.account.update({
      where: { id: accountId },
      data: { monthlyCapMicroUsd: cap, ...(alertPercents ? { alertPercents } : {}) },
    })
    if (raised && before !== null) {
      await addNotice(tx, {
        accountId,
        kind: 'cap_raised',
        key: requestId,
        data: { previous_cap_usd: toUsd(before), cap_usd: cap === null ? null : toUsd(cap) },
      })
    }
    const limits = await readLimits(tx, accountId, keyId)
    await notifySpendThresholds(tx, { accountId, ...limits, capturedBefore: 0n })
    return limits
  })
}
