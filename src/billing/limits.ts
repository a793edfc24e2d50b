import { assertFewChanges, findChanger } from '../accounts/changes.ts'
import { type ApiKey, findKey } from '../accounts/keys.ts'
import { ServiceError } from '../core/errors.ts'
import { billingMonth, type MicroUsd, toUsd } from '../core/money.ts'
import { type Database, lockAccount, type Transaction } from '../db/database.ts'
import type { AccountModel } from '../db/generated/models.ts'
import { addNotice } from '../mail/notices.ts'
import { type MonthSpending, spentByKey, spentInMonth } from './months.ts'
import { notifySpendThresholds } from './spending.ts'

/** What an account can still spend, and what it has spent in the current UTC month. */
export interface AccountLimits extends MonthSpending {
  readonly month: string
  readonly account: AccountModel
  /** The key of the request, if there is one, with its part of the spending. */
  readonly key?: ApiKey & MonthSpending
}

interface LimitsChange {
  readonly accountId: string
  /** Null removes the cap. */
  readonly monthlyCapMicroUsd: MicroUsd | null
  /** From 1 to 100; undefined leaves them unchanged. */
  readonly alertPercents?: readonly number[] | undefined
  /** The request that makes the change: each request sends at most one notice of a raised cap. */
  readonly requestId: string
  /** The key that makes the change; undefined for owner and operator. */
  readonly keyId?: string | null | undefined
  /** The owner's session. */
  readonly sessionId?: string | undefined
}

/** With `keyId`, also what that key can spend. */
export async function readLimits(
  db: Database | Transaction,
  accountId: string,
  keyId?: string | null,
): Promise<AccountLimits> {
  const month = billingMonth(new Date())
  const account = await db.account.findUniqueOrThrow({ where: { id: accountId } })
  const key = keyId ? await findKey(db, accountId, keyId) : null
  const ofKey = key ? { key: { ...key, ...(await spentByKey(db, key.id, month)) } } : {}
  return { month, account, ...ofKey, ...(await spentInMonth(db, accountId, month)) }
}

/**
 * Sets cap and alerts. A lower cap refuses new holds; existing holds stay. Throws `connector_scope_denied` if a key without
 * the right raises the cap or removes an alert, which would tell the owner what the key spends, and what `findChanger` throws.
 */
export async function changeLimits(db: Database, change: LimitsChange): Promise<AccountLimits> {
  const { accountId, monthlyCapMicroUsd: cap, requestId, keyId, sessionId } = change
  return db.$transaction(async (tx) => {
    await lockAccount(tx, accountId)
    const changer = await findChanger(tx, accountId, { keyId, sessionId })
    const { monthlyCapMicroUsd: before, ...account } = await tx.account.findUniqueOrThrow({ where: { id: accountId } })
    const raised = isRaised(before, cap)
    if (raised) assertMayRaise(changer)
    const alertPercents = change.alertPercents && [...new Set(change.alertPercents)].toSorted((a, b) => a - b)
    if (alertPercents && account.alertPercents.some((percent) => !alertPercents.includes(percent)))
      assertMayRaise(changer, silencesNothing)
    await tx.account.update({
      where: { id: accountId },
      data: { monthlyCapMicroUsd: cap, ...(alertPercents ? { alertPercents } : {}) },
    })
    if (raised && before !== null) {
      await assertFewChanges(tx, accountId, changer)
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

/** Whether a cap lets more be spent than before. Null is no cap. */
function isRaised(before: MicroUsd | null, after: MicroUsd | null): boolean {
  return before !== null && (after === null || after > before)
}

const raisesNothing =
  'This credential can lower caps, but not raise them. Ask the owner of the account to raise the cap, or to create a key with may_raise_limits.'

const silencesNothing =
  'This credential can add alerts, but not remove them: name those that there are, too. Ask the owner of the account to remove them, or to create a key with may_raise_limits.'

/** Throws `connector_scope_denied` for a key that was created without the right. Owners and operators have it. */
export function assertMayRaise(changer: ApiKey | null, why = raisesNothing): void {
  if (changer !== null && !changer.mayRaiseLimits) throw new ServiceError('connector_scope_denied', why)
}

interface KeyChange {
  readonly accountId: string
  readonly keyId: string
  readonly name?: string | undefined
  /** Null removes the cap. */
  readonly monthlyCapMicroUsd?: MicroUsd | null | undefined
  /** The key that makes the change; undefined for the owner. */
  readonly changerId: string | null
  /** The owner's session. */
  readonly sessionId?: string | undefined
}

/** Renames a key, or changes its cap: a lower one refuses new holds, and existing holds stay. Null if the account has no such key. */
export async function changeKey(db: Database, change: KeyChange): Promise<ApiKey | null> {
  const { accountId, keyId, name, monthlyCapMicroUsd: cap, changerId, sessionId } = change
  return db.$transaction(async (tx) => {
    await lockAccount(tx, accountId)
    const before = await findKey(tx, accountId, keyId)
    if (!before) return null
    const changer = await findChanger(tx, accountId, { keyId: changerId, sessionId })
    if (cap !== undefined && isRaised(before.monthlyCapMicroUsd, cap)) assertMayRaise(changer)
    return tx.apiKey.update({
      where: { id: keyId },
      data: { ...(name === undefined ? {} : { name }), ...(cap === undefined ? {} : { monthlyCapMicroUsd: cap }) },
      omit: { secretHash: true },
    })
  })
}
