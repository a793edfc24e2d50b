import { z } from 'zod'
import type { Credential } from '../../src/accounts/credentials.ts'
import { idPattern } from '../../src/core/ids.ts'
import { strictFields } from '../../src/core/input-problems.ts'
import { startDueWork } from '../../src/webhooks/deliveries.ts'
import {
  changeWebhookEndpoint,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  type EndpointWithSecret,
  getWebhookEndpoint,
  listWebhookEndpoints,
  maxWebhookEndpoints,
  previousSecretHours,
  rotateWebhookSecret,
  type WebhookEndpoint,
} from '../../src/webhooks/endpoints.ts'
import { eventTypes } from '../../src/webhooks/events.ts'
import { parseWebhookUrl } from '../../src/webhooks/send-webhook.ts'
import type { ApiContext } from '../http/context.ts'
import { deletion } from '../http/deletion.ts'
import { accountRoute, bodyErrors, errorEnvelope, keyErrors, response } from '../http/route.ts'

const url = z.string().max(2048).describe('An https URL that answers 2xx within 15 seconds. Redirects are failures.')
const description = z
  .string()
  .trim()
  .max(200)
  .regex(/^\P{C}*$/u, 'must not contain control characters')
  .describe('For you, such as the name of the service behind it.')
const eventType = z.enum(eventTypes)
const types = z
  .array(eventType)
  .max(eventTypes.length)
  .describe('The types of events that it receives. []: every type, also those that are added later.')

const webhookRequest = strictFields({
  url,
  description: description.default(''),
  event_types: types.default([]),
}).meta({
  id: 'WebhookEndpointRequest',
  examples: [{ url: 'https://app.example.com/hooks/media', event_types: ['job.completed', 'job.failed'] }],
})

const webhookChange = strictFields({
  url: url.optional(),
  description: description.optional(),
  event_types: types.optional(),
  status: z
    .enum(['active', 'paused'])
    .optional()
    .describe(
      'paused: its events wait, up to 30 days. active: sends what waits, and enables a disabled one, whose missed events you replay.',
    ),
}).meta({ id: 'WebhookEndpointChange', examples: [{ status: 'paused' }] })

export const webhookSchema = z
  .object({
    id: z.string().regex(idPattern('whe')),
    url: z.string(),
    description: z.string(),
    event_types: z.array(eventType),
    status: z.enum(['active', 'paused', 'disabled']),
    disabled_reason: z
      .enum(['failing', 'gone'])
      .optional()
      .describe('failing: it accepted nothing for five days. gone: it answered 410.'),
    failing_since: z.iso.datetime().optional().describe('Its first failure since it last accepted an event.'),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'WebhookEndpoint' })

const webhookEnvelope = response('WebhookEndpointEnvelope', { webhook_endpoint: webhookSchema })

const webhookWithSecret = response('NewWebhookEndpointEnvelope', {
  webhook_endpoint: webhookSchema,
  secret: z.string().describe('whsec_…, which verifies the signatures. Store it now: it is shown only once.'),
})

const webhookList = response('WebhookEndpointList', {
  webhook_endpoints: z.array(webhookSchema).describe('Newest first.'),
})

export const webhookParams = z.object({
  webhook_endpoint_id: z.string().meta({ pattern: idPattern('whe').source }),
})

export const ofWebhooks = { tags: ['webhooks'] }

/** `POST /v1/webhook-endpoints` */
export const createWebhookRoute = accountRoute({
  method: 'POST',
  url: '/v1/webhook-endpoints',
  schema: {
    ...ofWebhooks,
    operationId: 'createWebhookEndpoint',
    summary: 'Create a webhook endpoint',
    description: `From then on, events are sent to its URL, signed as Standard Webhooks states. Only this response shows the secret. An account has at most ${maxWebhookEndpoints}.`,
    body: webhookRequest,
    response: { ...bodyErrors, 201: webhookWithSecret, 409: errorEnvelope },
  },
  handler: async (request, { context, account, reply }) => {
    const made = await makeAsAsked(context, account, request.body)
    return reply.code(201).send({ request_id: request.id, ...made })
  },
})

/** `GET /v1/webhook-endpoints` */
export const listWebhooksRoute = accountRoute({
  method: 'GET',
  url: '/v1/webhook-endpoints',
  schema: {
    ...ofWebhooks,
    operationId: 'listWebhookEndpoints',
    summary: 'List webhook endpoints, without their secrets',
    response: { ...keyErrors, 200: webhookList },
  },
  handler: async (request, { context: { db }, account: { accountId } }) => {
    const endpoints = await listWebhookEndpoints(db, accountId)
    return { request_id: request.id, webhook_endpoints: endpoints.map(presentWebhook) }
  },
})

/** `GET /v1/webhook-endpoints/{webhook_endpoint_id}` */
export const getWebhookRoute = accountRoute({
  method: 'GET',
  url: '/v1/webhook-endpoints/:webhook_endpoint_id',
  schema: {
    ...ofWebhooks,
    operationId: 'getWebhookEndpoint',
    summary: 'Get a webhook endpoint',
    params: webhookParams,
    response: { ...keyErrors, 200: webhookEnvelope, 404: errorEnvelope },
  },
  handler: async (request, { context: { db }, account: { accountId } }) => {
    const endpoint = await getWebhookEndpoint(db, accountId, request.params.webhook_endpoint_id)
    return { request_id: request.id, webhook_endpoint: presentWebhook(endpoint) }
  },
})

/** `PATCH /v1/webhook-endpoints/{webhook_endpoint_id}` */
export const changeWebhookRoute = accountRoute({
  method: 'PATCH',
  url: '/v1/webhook-endpoints/:webhook_endpoint_id',
  schema: {
    ...ofWebhooks,
    operationId: 'changeWebhookEndpoint',
    summary: 'Change, pause or enable a webhook endpoint',
    params: webhookParams,
    body: webhookChange,
    response: { ...bodyErrors, 200: webhookEnvelope, 404: errorEnvelope },
  },
  handler: async (request, { context, account }) => {
    const { webhook_endpoint_id: id } = request.params
    return { request_id: request.id, webhook_endpoint: await changeAsAsked(context, account, id, request.body) }
  },
})

/** `DELETE /v1/webhook-endpoints/{webhook_endpoint_id}` */
export const deleteWebhookRoute = accountRoute({
  method: 'DELETE',
  url: '/v1/webhook-endpoints/:webhook_endpoint_id',
  schema: {
    ...ofWebhooks,
    operationId: 'deleteWebhookEndpoint',
    summary: 'Delete a webhook endpoint',
    description: 'Nothing more is sent to it, and its deliveries are deleted. The events stay.',
    params: webhookParams,
    response: { ...keyErrors, 200: deletion, 404: errorEnvelope },
  },
  handler: async (request, { context: { db }, account: { accountId } }) => {
    const { webhook_endpoint_id: id } = request.params
    await deleteWebhookEndpoint(db, accountId, id)
    return { request_id: request.id, id, status: 'deleted' as const }
  },
})

/** `POST /v1/webhook-endpoints/{webhook_endpoint_id}/rotate-secret` */
export const rotateSecretRoute = accountRoute({
  method: 'POST',
  url: '/v1/webhook-endpoints/:webhook_endpoint_id/rotate-secret',
  schema: {
    ...ofWebhooks,
    operationId: 'rotateWebhookSecret',
    summary: 'Replace the secret of a webhook endpoint',
    description: `Only this response shows the new secret. For ${previousSecretHours} hours, the one before signs too: receivers accept either.`,
    params: webhookParams,
    response: { ...bodyErrors, 200: webhookWithSecret, 404: errorEnvelope },
  },
  handler: async (request, { context: { db, config, createsByAccount }, account }) => {
    const rotate = () => rotateWebhookSecret(db, config, account, request.params.webhook_endpoint_id)
    const made = await createsByAccount(account.accountId, rotate)
    return { request_id: request.id, ...presentWithSecret(made) }
  },
})

/** What tools and routes do alike. */
export async function makeAsAsked(
  context: ApiContext,
  { accountId, keyId, sessionId }: Credential,
  { url, description, event_types: eventTypes }: z.output<typeof webhookRequest>,
) {
  const wanted = { accountId, keyId, sessionId, url: urlOf(context, url), description, eventTypes }
  const make = () => createWebhookEndpoint(context.db, context.config, wanted)
  return presentWithSecret(await context.createsByAccount(accountId, make))
}

export async function changeAsAsked(
  context: ApiContext,
  owner: Credential,
  id: string,
  { url, description, event_types: eventTypes, status }: z.output<typeof webhookChange>,
) {
  const { accountId } = owner
  const change = { url: url === undefined ? undefined : urlOf(context, url), description, eventTypes, status }
  const endpoint = await context.createsByAccount(accountId, () => changeWebhookEndpoint(context.db, owner, id, change))
  if (endpoint.status === 'active' && (status ?? url) !== undefined)
    await startDueWork(context, { accountId, endpointIds: [id] })
  return presentWebhook(endpoint)
}

function urlOf({ config }: Pick<ApiContext, 'config'>, text: string): string {
  return parseWebhookUrl(text, config.WEBHOOK_ALLOW_HOSTS, 'url').href
}

function presentWithSecret({ endpoint, secret }: EndpointWithSecret) {
  return { webhook_endpoint: presentWebhook(endpoint), secret }
}

const knownReason = webhookSchema.shape.disabled_reason

export function presentWebhook(endpoint: WebhookEndpoint): z.output<typeof webhookSchema> {
  const { id, url, description, status, disabledReason, failingSince, createdAt } = endpoint
  return {
    ...{ id, url, description, event_types: z.array(eventType).parse(endpoint.eventTypes), status },
    ...(disabledReason === null ? {} : { disabled_reason: knownReason.parse(disabledReason) }),
    ...(failingSince ? { failing_since: failingSince.toISOString() } : {}),
    created_at: createdAt.toISOString(),
  }
}
