import { z } from 'zod'
import type { Credential } from '../../src/accounts/credentials.ts'
import {
  type ApiKey,
  type Connector,
  findConnector,
  listConnectors,
  listKeys,
  publicPart,
  revokeKey,
} from '../../src/accounts/keys.ts'
import { makeKey, maxKeys } from '../../src/accounts/make-key.ts'
import { provisionalHoldMicroUsd } from '../../src/billing/holds.ts'
import { changeKey } from '../../src/billing/limits.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { idPattern, isId } from '../../src/core/ids.ts'
import { strictFields } from '../../src/core/input-problems.ts'
import { fromUsd, toUsd } from '../../src/core/money.ts'
import { keyScopes } from '../../src/core/scopes.ts'
import type { Database } from '../../src/db/database.ts'
import type { ApiContext } from '../http/context.ts'
import { accountRoute, amountUsd, bodyErrors, errorEnvelope, keyErrors, name, response } from '../http/route.ts'

export const keySchema = z
  .object({
    id: z.string().regex(idPattern('key')),
    name: z.string(),
    scope: z.string().describe('all, or one group of endpoints, such as video/*.'),
    prefix: z.string().describe('The first characters of the secret. The whole secret is never shown again.'),
    last_four: z.string().describe('The last four characters of the secret.'),
    monthly_cap_usd: z
      .number()
      .nullable()
      .describe(
        'The maximum that a month can cost for its jobs, and for those of the keys that it creates. null: no cap of its own.',
      ),
    may_raise_limits: z.boolean().describe('Whether it may raise caps. Every key with the scope all may lower them.'),
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime().optional().describe('To the minute.'),
    expires_at: z.iso.datetime().optional(),
    revoked_at: z.iso.datetime().optional(),
  })
  .meta({ id: 'Key' })

const keyEnvelope = response('KeyEnvelope', { key: keySchema })

const newKeyEnvelope = response('NewKeyEnvelope', {
  key: keySchema,
  secret: z.string().describe('The whole API key. Store it now: it is shown only once.'),
})

const keyList = response('KeyList', { keys: z.array(keySchema).describe('Revoked keys come last.') })

const keyParams = z.object({ key_id: z.string().meta({ pattern: idPattern('key').source }) })

export const keyRequest = strictFields({
  name: name.describe('A name to recognize the key by.'),
  scope: z
    .enum(keyScopes)
    .default('all')
    .describe('The endpoints that the key can call. Only the scope all gives access to the account itself.'),
  expires_at: z.iso
    .datetime({ offset: true })
    .refine((text) => new Date(text).getUTCFullYear() < 10_000, 'must be before the year 10000')
    .optional()
    .describe('The key never expires when left out.'),
  monthly_cap_usd: amountUsd
    .nullable()
    .default(null)
    .describe(
      `The maximum that a month can cost for its jobs, and for those of the keys that it creates. When left out, the cap of the key that creates it. A job holds ${toUsd(provisionalHoldMicroUsd)} USD of the cap until the length of its media is known: with less left, only jobs run whose price is known when they are created, such as clips with start and end; others are refused with spend_cap_reached.`,
    ),
  may_raise_limits: z
    .boolean()
    .default(false)
    .describe('Whether the key may raise caps, of keys and of the account. A key without this right cannot give it.'),
}).meta({ id: 'KeyRequest', examples: [{ name: 'render farm', scope: 'video/*', monthly_cap_usd: 20 }] })

const keyChange = strictFields({
  name: name.optional(),
  monthly_cap_usd: amountUsd.nullable().optional().describe('null removes the cap. Left out: unchanged.'),
})
  .refine((change) => Object.keys(change).length > 0, 'send name or monthly_cap_usd')
  .meta({ id: 'KeyChange', minProperties: 1, examples: [{ name: 'render farm' }] })

function presentKey(key: ApiKey) {
  const { createdAt, lastUsedAt, expiresAt, revokedAt } = key
  return {
    id: key.id,
    name: key.name,
    scope: key.scope,
    prefix: publicPart(key),
    last_four: key.lastFour,
    monthly_cap_usd: key.monthlyCapMicroUsd === null ? null : toUsd(key.monthlyCapMicroUsd),
    may_raise_limits: key.mayRaiseLimits,
    created_at: createdAt.toISOString(),
    last_used_at: lastUsedAt?.toISOString(),
    expires_at: expiresAt?.toISOString(),
    revoked_at: revokedAt?.toISOString(),
  }
}

/** `POST /v1/keys` */
export const createKeyRoute = accountRoute({
  method: 'POST',
  url: '/v1/keys',
  schema: {
    operationId: 'createKey',
    tags: ['keys'],
    summary: 'Create an API key',
    description: `Only this response shows the secret. The owner of the account gets a mail. A key that another key creates has at most its rights: it is revoked and expires with it, and what it spends counts against the caps of both. A monthly_cap_usd below ${toUsd(provisionalHoldMicroUsd)} USD, which a job holds until the length of its media is known, refuses most jobs.`,
    body: keyRequest,
    response: { ...bodyErrors, 201: newKeyEnvelope, 409: errorEnvelope },
  },
  handler: async (request, { context, account, reply }) => {
    const made = await makeKeyAsAsked(context, account, request.body)
    return reply.code(201).send({ request_id: request.id, ...made })
  },
})

/** `GET /v1/keys` */
export const listKeysRoute = accountRoute({
  method: 'GET',
  url: '/v1/keys',
  schema: {
    operationId: 'listKeys',
    tags: ['keys'],
    summary: 'List API keys, without their secrets',
    description: 'Keys that are not revoked, newest first, then revoked keys, most recently revoked first.',
    response: { ...keyErrors, 200: keyList },
  },
  handler: async (request, { context: { db }, account }) => {
    return { request_id: request.id, keys: await keysOf(db, account.accountId) }
  },
})

/** `PATCH /v1/keys/{key_id}` */
export const changeKeyRoute = accountRoute({
  method: 'PATCH',
  url: '/v1/keys/:key_id',
  schema: {
    operationId: 'renameKey',
    tags: ['keys'],
    summary: 'Rename an API key, or change its monthly cap',
    description:
      'Owners and keys with may_raise_limits can raise a cap. Other keys with the scope all can only lower it. A lower cap stops new jobs, not running ones.',
    params: keyParams,
    body: keyChange,
    response: { ...bodyErrors, 200: keyEnvelope, 404: errorEnvelope },
  },
  handler: async (request, { context, account }) => {
    const { params, body } = request
    return { request_id: request.id, key: await changeKnownKey(context, account, params.key_id, body) }
  },
})

/** `POST /v1/keys/{key_id}/revoke` */
export const revokeKeyRoute = accountRoute({
  method: 'POST',
  url: '/v1/keys/:key_id/revoke',
  schema: {
    operationId: 'revokeKey',
    tags: ['keys'],
    summary: 'Revoke an API key',
    description:
      'Also revokes every key that was created with it. After the response, every request with them is refused, and their open waits end. A revoked key stays revoked.',
    params: keyParams,
    response: { ...bodyErrors, 200: keyEnvelope, 404: errorEnvelope },
  },
  handler: async (request, { context: { db }, account }) => {
    return { request_id: request.id, key: await revokeKnownKey(db, account.accountId, request.params.key_id) }
  },
})

// Keys and connectors as in responses.

type KeyContext = Pick<ApiContext, 'db' | 'createsByAccount'>

/** Creates a key. It has at most the rights of the key that creates it; a key that the owner's session creates depends on no other. */
export async function makeKeyAsAsked(
  { db, createsByAccount }: KeyContext,
  { accountId, keyId: makerId, sessionId }: Pick<Credential, 'accountId' | 'keyId' | 'sessionId'>,
  { name, scope, expires_at, monthly_cap_usd, may_raise_limits: mayRaiseLimits }: z.output<typeof keyRequest>,
) {
  const expiresAt = expires_at === undefined ? undefined : new Date(expires_at)
  const monthlyCapMicroUsd = capOf(monthly_cap_usd)
  const wanted = { accountId, name, scope, expiresAt, makerId, sessionId, monthlyCapMicroUsd, mayRaiseLimits }
  const { key, token } = await createsByAccount(accountId, () => makeKey(db, wanted))
  return { key: presentKey(key), secret: token }
}

/** Creates a connector. It never raises limits. */
export async function makeConnectorAsAsked(
  { db, createsByAccount }: KeyContext,
  { accountId, sessionId }: Pick<Credential, 'accountId' | 'keyId' | 'sessionId'>,
  { name, scope, expires_at, monthly_cap_usd }: Omit<z.output<typeof keyRequest>, 'may_raise_limits'>,
) {
  const expiresAt = expires_at === undefined ? undefined : new Date(expires_at)
  const wanted = { accountId, sessionId, name, scope, expiresAt, monthlyCapMicroUsd: capOf(monthly_cap_usd) }
  const { key, token } = await createsByAccount(accountId, () => makeKey(db, { kind: 'con', ...wanted }))
  return { connector: presentConnector({ ...key, oauthGrant: null }), secret: token }
}

export async function keysOf(db: Database, accountId: string) {
  return (await listKeys(db, accountId, 2 * maxKeys)).map(presentKey)
}

/** Renames a key or changes its cap, which only owners and keys with the right may raise. */
export async function changeKnownKey(
  { db, createsByAccount }: KeyContext,
  { accountId, keyId: changerId, sessionId }: Pick<Credential, 'accountId' | 'keyId' | 'sessionId'>,
  keyId: string,
  { name, monthly_cap_usd: cap }: z.output<typeof keyChange>,
) {
  const monthlyCapMicroUsd = cap === undefined ? undefined : capOf(cap)
  const change = { accountId, keyId: assertKeyId(keyId), name, monthlyCapMicroUsd, changerId, sessionId }
  return presentKey(known(await createsByAccount(accountId, () => changeKey(db, change))))
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
