import { makeKey, mostKeys } from '../../src/accounts/make-key.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { isId } from '../../src/core/ids.ts'
import { type ApiKey, listKeys, renameKey, revokeKey } from '../../src/store/keys.ts'
import type { AccountOf, ApiContext, App } from '../context.ts'
import { accountBodyErrors, accountErrors, accountSecurity, errorEnvelope } from '../schemas/errors.ts'
import { keyChange, keyEnvelope, keyList, keyParams, keyRequest, newKeyEnvelope, presentKey } from '../schemas/key.ts'

/** `POST /v1/keys` */
export function createKeyRoute(app: App, { db }: ApiContext, accountOf: AccountOf): void {
  app.route({
    method: 'POST',
    url: '/v1/keys',
    schema: {
      operationId: 'createKey',
      tags: ['keys'],
      summary: 'Make an API key',
      description: 'The answer is the only one that shows the secret. The owner of the account is told by mail.',
      security: accountSecurity,
      body: keyRequest,
      response: { ...accountBodyErrors, 201: newKeyEnvelope, 409: errorEnvelope },
    },
    handler: async (request, reply) => {
      const { accountId, keyId: makerId } = accountOf(request)
      const { name, scope, expires_at } = request.body
      const expiresAt = expires_at === undefined ? undefined : new Date(expires_at)
      const { key, token } = await makeKey(db, { accountId, name, scope, expiresAt, makerId })
      return reply.code(201).send({ request_id: request.id, key: presentKey(key), secret: token })
    },
  })
}

/** `GET /v1/keys` */
export function listKeysRoute(app: App, { db }: ApiContext, accountOf: AccountOf): void {
  app.route({
    method: 'GET',
    url: '/v1/keys',
    schema: {
      operationId: 'listKeys',
      tags: ['keys'],
      summary: 'List API keys, without their secrets',
      description: 'Every key that is not revoked, newest first, then those revoked last.',
      security: accountSecurity,
      response: { ...accountErrors, 200: keyList },
    },
    handler: async (request) => {
      const keys = await listKeys(db, accountOf(request).accountId, 2 * mostKeys)
      return { request_id: request.id, keys: keys.map(presentKey) }
    },
  })
}

/** `PATCH /v1/keys/{key_id}` */
export function renameKeyRoute(app: App, { db }: ApiContext, accountOf: AccountOf): void {
  app.route({
    method: 'PATCH',
    url: '/v1/keys/:key_id',
    schema: {
      operationId: 'renameKey',
      tags: ['keys'],
      summary: 'Rename an API key',
      security: accountSecurity,
      params: keyParams,
      body: keyChange,
      response: { ...accountBodyErrors, 200: keyEnvelope, 404: errorEnvelope },
    },
    handler: async (request) => {
      const { accountId } = accountOf(request)
      const key = await renameKey(db, accountId, knownForm(request.params.key_id), request.body.name)
      return { request_id: request.id, key: presentKey(known(key)) }
    },
  })
}

/** `POST /v1/keys/{key_id}/revoke` */
export function revokeKeyRoute(app: App, { db }: ApiContext, accountOf: AccountOf): void {
  app.route({
    method: 'POST',
    url: '/v1/keys/:key_id/revoke',
    schema: {
      operationId: 'revokeKey',
      tags: ['keys'],
      summary: 'Revoke an API key',
      description: 'From the answer on, every request with it is refused. A revoked key stays revoked.',
      security: accountSecurity,
      params: keyParams,
      response: { ...accountBodyErrors, 200: keyEnvelope, 404: errorEnvelope },
    },
    handler: async (request) => {
      const { accountId } = accountOf(request)
      const key = await revokeKey(db, accountId, knownForm(request.params.key_id))
      return { request_id: request.id, key: presentKey(known(key)) }
    },
  })
}

/** A malformed id is as unknown as any other. */
function knownForm(keyId: string): string {
  return isId('key', keyId) ? keyId : known<string>(null)
}

function known<Value = ApiKey>(value: Value | null): Value {
  if (value === null) throw new ServiceError('not_found', 'There is no such API key in this account. Check its id.')
  return value
}
