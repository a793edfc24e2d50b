import { z } from 'zod'
import { idPattern } from '../../src/core/ids.ts'
import { strictFields } from '../../src/core/input-problems.ts'
import { dayMs } from '../../src/core/time-code.ts'
import { type Delivery, listDeliveries, startDueWork } from '../../src/webhooks/deliveries.ts'
import { getWebhookEndpoint } from '../../src/webhooks/endpoints.ts'
import { eventDays, eventTypes, maxPending } from '../../src/webhooks/events.ts'
import { deliveredReplays, maxDeliveredAgain, replayDeliveries, writeTestEvent } from '../../src/webhooks/replay.ts'
import { decodePosition, nextCursor, pageCursor, pageLimit, pageOf } from '../http/pages.ts'
import { accountRoute, bodyErrors, errorEnvelope, keyErrors, response } from '../http/route.ts'
import { ofWebhooks, webhookParams } from './endpoints.ts'
import { sentEventId, startOf } from './events.ts'

const statuses = ['pending', 'delivered', 'failed', 'canceled'] as const

const deliverySchema = z
  .object({
    event_id: z.string().regex(idPattern('evt')).describe('The webhook-id of every attempt.'),
    type: z.enum(eventTypes),
    status: z
      .enum(statuses)
      .describe(
        'pending: it is attempted again. failed: its last attempt failed. canceled: the webhook endpoint was disabled, or what it is about was deleted.',
      ),
    attempts: z.int(),
    next_attempt_at: z.iso
      .datetime()
      .optional()
      .describe('Of pending ones. While the endpoint fails, it can be later.'),
    last_attempt_at: z.iso.datetime().optional(),
    last_status: z
      .int()
      .optional()
      .describe('The HTTP status of the last answer. The rest of an answer is not stored.'),
    last_error: z
      .string()
      .optional()
      .describe(
        'Why the last attempt failed: status, redirect, timeout, blocked (not a public https address), unknown_host, tls, unreachable, or secret_lost (rotate the secret).',
      ),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'WebhookDelivery' })

const deliveryPage = response('WebhookDeliveryPage', {
  deliveries: z.array(deliverySchema).describe('Newest first.'),
  next_cursor: nextCursor,
})

/** `POST /v1/webhook-endpoints/{webhook_endpoint_id}/test` */
export const testWebhookRoute = accountRoute({
  method: 'POST',
  url: '/v1/webhook-endpoints/:webhook_endpoint_id/test',
  schema: {
    ...ofWebhooks,
    operationId: 'testWebhookEndpoint',
    summary: 'Send a webhook endpoint the event webhook.test',
    params: webhookParams,
    response: {
      ...bodyErrors,
      202: response('WebhookTestEnvelope', { event_id: z.string().regex(idPattern('evt')) }),
      404: errorEnvelope,
      409: errorEnvelope,
    },
  },
  handler: async (request, { context, account: { accountId }, reply }) => {
    const { webhook_endpoint_id: id } = request.params
    const eventId = await writeTestEvent(context.db, accountId, id)
    await startDueWork(context, { accountId, endpointIds: [id] })
    return reply.code(202).send({ request_id: request.id, event_id: eventId })
  },
})

/** `GET /v1/webhook-endpoints/{webhook_endpoint_id}/deliveries` */
export const listDeliveriesRoute = accountRoute({
  method: 'GET',
  url: '/v1/webhook-endpoints/:webhook_endpoint_id/deliveries',
  schema: {
    ...ofWebhooks,
    operationId: 'listWebhookDeliveries',
    summary: 'List the deliveries to a webhook endpoint',
    description: `Those of the last ${eventDays} days, with the HTTP status of the last answer.`,
    params: webhookParams,
    querystring: z.object({
      status: z.enum(statuses).optional().describe('Only deliveries with this status. All when left out.'),
      limit: pageLimit,
      cursor: pageCursor,
    }),
    response: { ...keyErrors, 200: deliveryPage, 404: errorEnvelope },
  },
  handler: async (request, { context: { db, searches }, account: { accountId } }) => {
    const { status, limit, cursor } = request.query
    const { id } = await getWebhookEndpoint(db, accountId, request.params.webhook_endpoint_id)
    const after = decodePosition(cursor)
    const giveBack = searches.take(accountId)
    const found = await listDeliveries(db, id, { status, limit: limit + 1, after }).finally(giveBack)
    const [rows, next] = pageOf(found, limit)
    return { request_id: request.id, deliveries: rows.map(presentDelivery), ...next }
  },
})

const replayRequest = strictFields({
  since: z.iso
    .datetime({ offset: true })
    .optional()
    .describe(`Events that happened then or later. All of the last ${eventDays} days when left out.`),
  after: sentEventId.optional().describe('Only events after this one, in the order in which they were recorded.'),
  status: z
    .enum(['delivered', 'failed', 'canceled'])
    .optional()
    .describe('Only deliveries with this status. When left out, all events of its types that it did not get.'),
}).meta({ id: 'WebhookReplayRequest', examples: [{ since: '2026-01-31T12:00:00Z', status: 'failed' }] })

/** `POST /v1/webhook-endpoints/{webhook_endpoint_id}/replay` */
export const replayWebhookRoute = accountRoute({
  method: 'POST',
  url: '/v1/webhook-endpoints/:webhook_endpoint_id/replay',
  schema: {
    ...ofWebhooks,
    operationId: 'replayWebhookDeliveries',
    summary: 'Send events to a webhook endpoint again',
    description: `Their ids and bodies are the same, so receivers recognize what they have. At most ${maxPending} are pending: the oldest events come first, and the request can be repeated for more. With the status delivered, a replay sends at most ${maxDeliveredAgain} events, and an account has ${deliveredReplays.limit} such replays an hour.`,
    params: webhookParams,
    body: replayRequest,
    response: {
      ...bodyErrors,
      202: response('WebhookReplayEnvelope', {
        replayed: z.int().describe('The number of events that are sent again.'),
        next_after: z
          .string()
          .regex(idPattern('evt'))
          .optional()
          .describe('The newest event that is sent again. Send it as after to continue. Absent if there is none.'),
      }),
      404: errorEnvelope,
      409: errorEnvelope,
    },
  },
  handler: async (request, { context, account: { accountId }, reply }) => {
    const { webhook_endpoint_id: id } = request.params
    const { since, status } = request.body
    const after = await startOf(context, accountId, request.body.after)
    const now = Date.now()
    const earliest = now - eventDays * dayMs
    const from = new Date(since === undefined ? earliest : Math.min(Math.max(Date.parse(since), earliest), now))
    const giveBack = context.searches.take(accountId)
    const { replayed, lastEventId } = await replayDeliveries(context.db, accountId, id, {
      since: from,
      ...{ after, status },
    }).finally(giveBack)
    await startDueWork(context, { accountId, endpointIds: [id] })
    return reply.code(202).send({ request_id: request.id, replayed, ...(lastEventId && { next_after: lastEventId }) })
  },
})

function presentDelivery(delivery: Delivery): z.output<typeof deliverySchema> {
  const { id, type, status, attempts, nextAttemptAt, lastAttemptAt, lastStatus, lastError, createdAt } = delivery
  return {
    ...{ event_id: id, type: z.enum(eventTypes).parse(type), status, attempts },
    ...(status === 'pending' ? { next_attempt_at: nextAttemptAt.toISOString() } : {}),
    ...(lastAttemptAt ? { last_attempt_at: lastAttemptAt.toISOString() } : {}),
    ...(lastStatus === null ? {} : { last_status: lastStatus }),
    ...(lastError === null ? {} : { last_error: lastError }),
    created_at: createdAt.toISOString(),
  }
}
