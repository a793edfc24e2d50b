import { provisionalHoldMicroUsd } from '../../src/billing/holds.ts'
import { toUsd } from '../../src/core/money.ts'
import { accountRoute } from '../http/route.ts'
import { accountBodyErrors, accountErrors, accountSecurity, errorEnvelope } from '../http/schemas.ts'
import { changeKnownKey, keysOf, makeKeyAsAsked, revokeKnownKey } from './keys.ts'
import { keyChange, keyEnvelope, keyList, keyParams, keyRequest, newKeyEnvelope } from './keys-schema.ts'

/** `POST /v1/keys` */
export const createKeyRoute = accountRoute({
  method: 'POST',
  url: '/v1/keys',
  schema: {
    operationId: 'createKey',
    tags: ['keys'],
    summary: 'Create an API key',
    description: `Only this response shows the secret. The owner of the account gets a mail. A key that another key creates has at most its rights: it is revoked and expires with it, and what it spends counts against the caps of both. A monthly_cap_usd below ${toUsd(provisionalHoldMicroUsd)} USD, which a job holds until the length of its media is known, refuses most jobs.`,
    security: accountSecurity,
    body: keyRequest,
    response: { ...accountBodyErrors, 201: newKeyEnvelope, 409: errorEnvelope },
  },
  handler: async (request, { context: { db }, account, reply }) => {
    const made = await makeKeyAsAsked(db, account, request.body)
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
    security: accountSecurity,
    response: { ...accountErrors, 200: keyList },
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
    security: accountSecurity,
    params: keyParams,
    body: keyChange,
    response: { ...accountBodyErrors, 200: keyEnvelope, 404: errorEnvelope },
  },
  handler: async (request, { context: { db }, account }) => {
    const { params, body } = request
    return { request_id: request.id, key: await changeKnownKey(db, account, params.key_id, body) }
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
    security: accountSecurity,
    params: keyParams,
    response: { ...accountBodyErrors, 200: keyEnvelope, 404: errorEnvelope },
  },
  handler: async (request, { context: { db }, account }) => {
    return { request_id: request.id, key: await revokeKnownKey(db, account.accountId, request.params.key_id) }
  },
})
