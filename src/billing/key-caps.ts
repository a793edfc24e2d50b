import { ServiceError } from '../core/errors.ts'
import type { MicroUsd } from '../core/money.ts'
import { type Database, lockAccount, type Transaction } from '../store/database.ts'
import { type ApiKey, findKey } from '../store/keys.ts'

/** Whether a cap lets more be spent than before. Null is no cap. */
export function isRaised(before: MicroUsd | null, after: MicroUsd | null): boolean {
  return before !== null && (after === null || after > before)
}

/** Who makes a change: a key, or an owner by a session. Operators have neither. */
export interface Changer {
  readonly keyId?: string | undefined
  readonly sessionId?: string | undefined
}

/**
 * The key that makes a change; null for owners and operators. Throws `invalid_api_key` or `sign_in_required` if key or session
 * ended since the request was admitted. The caller holds the account's row lock, which every revocation of keys takes too: a
 * password reset ends the sessions before its last one.
 */
export async function findChanger(
  tx: Transaction,
  accountId: string,
  { keyId, sessionId }: Changer,
): Promise<ApiKey | null> {
  if (sessionId !== undefined && (await tx.session.count({ where: { id: sessionId } })) === 0)
    throw new ServiceError('sign_in_required')
  if (keyId === undefined) return null
  const key = await findKey(tx, accountId, keyId)
  const isEnded = !key || key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= new Date())
  if (isEnded) throw new ServiceError('invalid_api_key')
  return key
}

/** Throws `connector_scope_denied` for a key that was created without the right. Owners and operators have it. */
export function assertMayRaise(changer: ApiKey | null): void {
  if (changer === null || changer.mayRaiseLimits) return
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
