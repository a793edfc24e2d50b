import { assertMayRaise } from '../billing/limits.ts'
import { ServiceError } from '../core/errors.ts'
import type { MicroUsd } from '../core/money.ts'
import { type Database, lockAccount, type Transaction } from '../db/database.ts'
import { addNotice } from '../mail/notices.ts'
import { findChanger } from './changes.ts'
import { countKeys, createKey, type KeyKind, type MadeKey, type NewKey, nounsOfKeys } from './keys.ts'
import { assertMayCreate } from './suspension.ts'

/** The maximum number of an account's keys that are neither revoked nor expired, and of such connectors. */
export const maxKeys = 100

/**
 * Creates a key or a connector, and sends a notice. A key with a `makerId` has at most the rights of its maker: it is revoked and
 * expires with it, and its cap is not above the maker's, which it counts for too. Throws `conflict` if the account has `maxKeys`,
 * `invalid_api_key` or `sign_in_required` if maker or session ended meanwhile, `invalid_request` for an expiry that has passed or bounds above the
 * maker's, `rate_limited` like `createKey`, `connector_scope_denied` for a right that the maker does not have.
 */
export async function makeKey(db: Database, key: NewKey): Promise<MadeKey> {
  return db.$transaction((tx) => makeKeyIn(tx, key))
}

/** The same in a transaction of the caller, which holds the account's row lock from then on. */
export async function makeKeyIn(tx: Transaction, key: NewKey): Promise<MadeKey> {
  const { kind = 'key', accountId, makerId, sessionId } = key
  assertMayCreate(await lockAccount(tx, accountId))
  const maker = await findChanger(tx, accountId, { keyId: makerId, sessionId })
  if ((await countKeys(tx, accountId, kind)) >= maxKeys) {
    throw new ServiceError('conflict', `An account has at most ${maxKeys} ${nounsOfKeys[kind]}. Revoke one first.`)
  }
  const expiresAt = key.expiresAt ?? maker?.expiresAt ?? undefined
  assertEnd(expiresAt, maker?.expiresAt ?? undefined)
  const monthlyCapMicroUsd = capUnder(maker?.monthlyCapMicroUsd ?? null, key.monthlyCapMicroUsd ?? null)
  if (key.mayRaiseLimits) assertMayRaise(maker)
  const made = await createKey(tx, { ...key, expiresAt, monthlyCapMicroUsd })
  await announceKey(tx, kind, made)
  return made
}

async function announceKey(tx: Transaction, kind: KeyKind, { keyId, key }: MadeKey): Promise<void> {
  const { accountId, name, scope } = key
  if (kind === 'con') {
    const data = { connector_id: keyId, name, scope }
    return addNotice(tx, { accountId, kind: 'connector_created', key: keyId, data })
  }
  return addNotice(tx, { accountId, kind: 'key_created', key: keyId, data: { key_id: keyId, name, scope } })
}

/** The cap of a new key: its maker's if none is requested. */
function capUnder(limit: MicroUsd | null, requested: MicroUsd | null): MicroUsd | null {
  if (limit === null || requested === null) return requested ?? limit
  if (requested <= limit) return requested
  throw new ServiceError(
    'invalid_request',
    'monthly_cap_usd: must not be above the monthly_cap_usd of the key that you send.',
  )
}

function assertEnd(expiresAt: Date | undefined, latest: Date | undefined): void {
  if (!expiresAt) return
  if (expiresAt <= new Date()) throw new ServiceError('invalid_request', 'expires_at: must be in the future.')
  if (latest && expiresAt > latest) {
    throw new ServiceError(
      'invalid_request',
      'expires_at: must not be later than the expires_at of the key that you send.',
    )
  }
}
