import { ServiceError } from '../core/errors.ts'
import { type MicroUsd, maxMicroUsd, microUsd, toUsd } from '../core/money.ts'
import { type Database, lockAccount, type Transaction } from '../store/database.ts'
import { type ApiKey, findKey } from '../store/keys.ts'
import type { Spending } from './spending.ts'

export interface CappedDemand {
  readonly amountMicroUsd: MicroUsd
  /** With what the job holds already. */
  readonly totalMicroUsd: MicroUsd
  /** What is demanded. */
  readonly text: string
}

/**
 * Throws `spend_cap_reached`, with the text of the demand, if the amount would exceed the cap of the key, or of a key above it: what a key spends counts
 * for the keys that created it, so that no cap is escaped by creating keys.
 */
export function assertWithinKeyCaps(
  { leftOfKey, leftOfParentKeys, leastKeyCap }: Pick<Spending, 'leftOfKey' | 'leftOfParentKeys' | 'leastKeyCap'>,
  { amountMicroUsd, totalMicroUsd, text }: CappedDemand,
): void {
  const isReached = (left: MicroUsd | null) => left !== null && amountMicroUsd > left
  if (!isReached(leftOfKey) && !isReached(leftOfParentKeys)) return
  const own = leftOfKey !== null && isReached(leftOfKey)
  const left = own
    ? `${toUsd(maxMicroUsd(leftOfKey, microUsd(0)))} USD of the monthly cap of this credential is left`
    : 'less of the monthly cap of the credential that created this one is left'
  const mayWait = leastKeyCap !== null && totalMicroUsd <= leastKeyCap
  const advice = `Ask the owner of the account to raise it${mayWait ? ', or wait for the next month' : ''}.`
  throw new ServiceError('spend_cap_reached', `${text}, and ${left}. ${advice}`)
}

/** Whether a cap lets more be spent than before. Null is no cap. */
export function isRaised(before: MicroUsd | null, after: MicroUsd | null): boolean {
  return before !== null && (after === null || after > before)
}

/** Throws `connector_scope_denied` for a key that was created without the right. Owners and operators, who send no key, have it. */
export async function assertMayRaise(tx: Transaction, accountId: string, keyId: string | undefined): Promise<void> {
  if (keyId === undefined || (await findKey(tx, accountId, keyId))?.mayRaiseLimits) return
  throw new ServiceError(
    'connector_scope_denied',
    'This credential can lower caps, but not raise them. Ask the owner of the account to raise the cap, or to create a key with may_raise_limits.',
  )
}

export interface KeyChange {
  readonly accountId: string
  readonly keyId: string
  readonly name?: string | undefined
  /** Null removes the cap. */
  readonly monthlyCapMicroUsd?: MicroUsd | null | undefined
  /** The key that makes the change; undefined for the owner. */
  readonly changerId: string | undefined
}

/** Renames a key, or changes its cap: a lower one refuses new holds, and existing holds stay. Null if the account has no such key. */
export async function changeKey(db: Database, change: KeyChange): Promise<ApiKey | null> {
  const { accountId, keyId, name, monthlyCapMicroUsd: cap, changerId } = change
  return db.$transaction(async (tx) => {
    await lockAccount(tx, accountId)
    const before = await findKey(tx, accountId, keyId)
    if (!before) return null
    if (cap !== undefined && isRaised(before.monthlyCapMicroUsd, cap)) await assertMayRaise(tx, accountId, changerId)
    return tx.apiKey.update({
      where: { id: keyId },
      data: { ...(name === undefined ? {} : { name }), ...(cap === undefined ? {} : { monthlyCapMicroUsd: cap }) },
      omit: { secretHash: true },
    })
  })
}
