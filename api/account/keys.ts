import type { z } from 'zod'
import { makeKey, maxKeys } from '../../src/accounts/make-key.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { isId } from '../../src/core/ids.ts'
import type { Database } from '../../src/store/database.ts'
import { type ApiKey, listKeys, renameKey, revokeKey } from '../../src/store/keys.ts'
import type { AccountCredential } from '../http/context.ts'
import { type keyRequest, presentKey } from './keys-schema.ts'

// Keys as in responses.

/** Creates a key. It is revoked with the key that creates it; the owner's session creates one that stands by itself. */
export async function makeKeyAsAsked(
  db: Database,
  { accountId, keyId: makerId }: AccountCredential,
  { name, scope, expires_at }: z.output<typeof keyRequest>,
) {
  const expiresAt = expires_at === undefined ? undefined : new Date(expires_at)
  const { key, token } = await makeKey(db, { accountId, name, scope, expiresAt, makerId })
  return { key: presentKey(key), secret: token }
}

export async function keysOf(db: Database, accountId: string) {
  return (await listKeys(db, accountId, 2 * maxKeys)).map(presentKey)
}

export async function renameKnownKey(db: Database, accountId: string, keyId: string, name: string) {
  return presentKey(known(await renameKey(db, accountId, assertKeyId(keyId), name)))
}

export async function revokeKnownKey(db: Database, accountId: string, keyId: string) {
  return presentKey(known(await revokeKey(db, accountId, assertKeyId(keyId))))
}

/** Throws `not_found` for a malformed id, as for an unknown one. */
function assertKeyId(keyId: string): string {
  return isId('key', keyId) ? keyId : known<string>(null)
}

function known<Value = ApiKey>(value: Value | null): Value {
  if (value === null) throw new ServiceError('not_found', 'This account has no API key with this id. Check the id.')
  return value
}
