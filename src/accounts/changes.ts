import { ServiceError } from '../core/errors.ts'
import { daySeconds } from '../core/time-code.ts'
import type { Transaction } from '../db/database.ts'
import { type ApiKey, findKey, isEndedKey } from './keys.ts'
import { takeOrRefuse } from './quotas.ts'

/** Who makes a change: a key, or an owner by a session. Operators have neither. */
export interface Changer {
  readonly keyId?: string | null | undefined
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
  if (!keyId) return null
  const key = await findKey(tx, accountId, keyId)
  if (!key || isEndedKey(key)) throw new ServiceError('invalid_api_key')
  return key
}

const changesInADay = 1_000

/**
 * Throws `rate_limited` after as many changes of an account in a day as have a notice each. Its keys have a number of their own: whoever
 * took one cannot keep the owner from changing back what it changed.
 */
export async function assertFewChanges(tx: Transaction, accountId: string, changer: ApiKey | null): Promise<void> {
  const subject = changer ? `changes/${accountId}/keys` : `changes/${accountId}`
  await takeOrRefuse(
    tx,
    { subject, limit: changesInADay, windowSeconds: daySeconds },
    `${changer ? 'The keys of this account have' : 'The owner of this account has'} changed its webhook endpoints and its cap ${changesInADay} times in a day. Change them after the number of seconds in Retry-After.`,
  )
}
