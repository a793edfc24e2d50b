import type { z } from 'zod'
import { makeKey, maxKeys } from '../../src/accounts/make-key.ts'
import { changeKey } from '../../src/billing/key-caps.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { isId } from '../../src/core/ids.ts'
import { fromUsd } from '../../src/core/money.ts'
import type { Database } from '../../src/store/database.ts'
import { type ApiKey, type Connector, findConnector, listConnectors, listKeys } from '../../src/store/keys.ts'
import { revokeKey } from '../../src/store/revoke-keys.ts'
import type { AccountCredential } from '../http/context.ts'
import { type keyChange, type keyRequest, presentKey } from './keys-schema.ts'

// Keys and connectors as in responses.

/** Creates a key. It has at most the rights of the key that creates it; a key that the owner's session creates depends on no other. */
export async function makeKeyAsAsked(
  db: Database,
  { accountId, keyId: makerId, sessionId }: AccountCredential,
  { name, scope, expires_at, monthly_cap_usd, may_raise_limits: mayRaiseLimits }: z.output<typeof keyRequest>,
) {
  const expiresAt = expires_at === undefined ? undefined : new Date(expires_at)
  const monthlyCapMicroUsd = capOf(monthly_cap_usd)
  const wanted = { accountId, name, scope, expiresAt, makerId, sessionId, monthlyCapMicroUsd, mayRaiseLimits }
  const { key, token } = await makeKey(db, wanted)
  return { key: presentKey(key), secret: token }
}

/** Creates a connector. It never raises limits. */
export async function makeConnectorAsAsked(
  db: Database,
  { accountId, sessionId }: AccountCredential,
  { name, scope, expires_at, monthly_cap_usd }: Omit<z.output<typeof keyRequest>, 'may_raise_limits'>,
) {
  const expiresAt = expires_at === undefined ? undefined : new Date(expires_at)
  const wanted = { accountId, sessionId, name, scope, expiresAt, monthlyCapMicroUsd: capOf(monthly_cap_usd) }
  const { key, token } = await makeKey(db, { kind: 'con', ...wanted })
  return { connector: presentConnector({ ...key, oauthGrant: null }), secret: token }
}

export async function keysOf(db: Database, accountId: string) {
  return (await listKeys(db, accountId, 2 * maxKeys)).map(presentKey)
}

/** Renames a key or changes its cap, which only owners and keys with the right may raise. */
export async function changeKnownKey(
  db: Database,
  { accountId, keyId: changerId, sessionId }: AccountCredential,
  keyId: string,
  { name, monthly_cap_usd: cap }: z.output<typeof keyChange>,
) {
  const monthlyCapMicroUsd = cap === undefined ? undefined : capOf(cap)
  const change = { accountId, keyId: assertKeyId(keyId), name, monthlyCapMicroUsd, changerId, sessionId }
  return presentKey(known(await changeKey(db, change)))
}

function capOf(usd: number | null) {
  return usd === null ? null : fromUsd(usd)
}

export async function revokeKnownKey(db: Database, accountId: string, keyId: string) {
  return presentKey(known(await revokeKey(db, accountId, assertKeyId(keyId))))
}

export async function revokeKnownConnector(db: Database, accountId: string, connectorId: string) {
  const isKnown = isId('con', connectorId) && (await revokeKey(db, accountId, connectorId)) !== null
  const revoked = isKnown ? await findConnector(db, accountId, connectorId) : null
  if (revoked) return presentConnector(revoked)
  throw new ServiceError('not_found', 'This account has no connector with this id. Check the id.')
}

export async function connectorsOf(db: Database, accountId: string) {
  return (await listConnectors(db, accountId, 2 * maxKeys)).map(presentConnector)
}

/** A connector as in responses, without may_raise_limits. One made by OAuth has no last_four, because its tokens change. */
function presentConnector({ oauthGrant, ...connector }: Connector) {
  const { may_raise_limits: _, last_four, ...presented } = presentKey(connector)
  return { ...presented, ...(oauthGrant ? { client_id: oauthGrant.clientId } : { last_four }) }
}

/** Throws `not_found` for a malformed id, as for an unknown one. */
function assertKeyId(keyId: string): string {
  return isId('key', keyId) ? keyId : known<string>(null)
}

function known<Value = ApiKey>(value: Value | null): Value {
  if (value === null) throw new ServiceError('not_found', 'This account has no API key with this id. Check the id.')
  return value
}
