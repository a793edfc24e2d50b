import { z } from 'zod'
import { ServiceError } from '../../src/core/errors.ts'
import { idPattern, sentIdPattern } from '../../src/core/ids.ts'
import { strictFields } from '../../src/core/input-problems.ts'
import { startDueWork } from '../../src/webhooks/deliveries.ts'
import {
  type Event,
  erasedPayload,
  eventDays,
  eventsOf,
  eventTypes,
  findEvent,
  findNewestEvent,
  listEvents,
} from '../../src/webhooks/events.ts'
import { replayEvent } from '../../src/webhooks/replay.ts'
import { assertAccountScope } from '../http/authenticate.ts'
import type { ApiContext } from '../http/context.ts'
import { abortOnDisconnect, longPoll } from '../http/long-poll.ts'
import { limitOf } from '../http/pages.ts'
import { accountRoute, bodyErrors, errorEnvelope, keyErrors, keyRoute, response } from '../http/route.ts'
import { ofWebhooks } from './endpoints.ts'

const eventId = z.string().regex(idPattern('evt'))

export const eventSchema = z
  .object({
    id: eventId,
    type: z.enum(eventTypes).describe('New types can be added.'),
    timestamp: z.iso.datetime().describe('When it happened.'),
    api_version: z.string(),
    data: z
      .looseObject({ id: z.string(), object: z.enum(['job', 'workflow_run', 'batch', 'upload', 'webhook_endpoint']) })
      .describe('What it is about, as it was then, without results: get them by its id.'),
  })
  .meta({ id: 'Event' })

const eventEnvelope = response('EventEnvelope', { event: eventSchema })
const eventList = response('EventList', {
  events: z.array(eventSchema).describe('Oldest first.'),
  next_after: eventId
    .optional()
    .describe('Send it as after to go on, also when there are no events. Missing while the account has had none.'),
})

export const sentEventId = z.string().regex(sentIdPattern('evt'), 'expected the id of an event')
const latest = 'latest'
const eventParams = z.object({ event_id: z.string().meta({ pattern: idPattern('evt').source }) })

/** `GET /v1/events` */
export const listEventsRoute = keyRoute({
  method: 'GET',
  url: '/v1/events',
  schema: {
    tags: ['webhooks'],
    operationId: 'listEvents',
    summary: 'List events, or wait for the next ones',
    description: `The events of the last ${eventDays} days in the order in which they were recorded. A reader that sends next_after as after misses none. Takes a key of the scope all.`,
    querystring: z.object({
      after: z
        .union([sentEventId, z.literal(latest)], { error: 'expected the id of an event, or latest' })
        .optional()
        .describe(
          'Only events after this one; with latest, only those recorded from now on. From the oldest on when left out.',
        ),
      type: z.enum(eventTypes).optional().describe('Only events of this type. All when left out.'),
      limit: limitOf(100),
      wait: z.coerce.number().min(0).max(60).default(0).describe('Seconds to wait for an event if there is none.'),
    }),
    response: { ...keyErrors, 200: eventList, 404: errorEnvelope },
  },
  handler: async (request, { context, credential, reply }) => {
    assertAccountScope(credential)
    const { db } = context
    const { accountId } = credential
    const { type, limit, wait } = request.query
    let after = await startOf(context, accountId, request.query.after)
    const events = await longPoll(context, {
      ...{ waiter: credential, id: eventsOf(accountId), milliseconds: wait * 1000, signal: abortOnDisconnect(reply) },
      read: async () => {
        const newest = await findNewestEvent(db, accountId)
        const found = await listEvents(db, accountId, { after, types: type ? [type] : [], limit })
        // What was looked at in vain is not looked at again, however many events wake this wait.
        if (found.length === 0 && newest) after = newest
        return found
      },
      isDone: (found) => found.length > 0,
    })
    const last = events.at(-1) ?? after
    return { request_id: request.id, events: events.map(presentEvent), ...(last && { next_after: last.id }) }
  },
})

/** `GET /v1/events/{event_id}` */
export const getEventRoute = accountRoute({
  method: 'GET',
  url: '/v1/events/:event_id',
  schema: {
    ...ofWebhooks,
    operationId: 'getEvent',
    summary: 'Get an event',
    params: eventParams,
    response: { ...keyErrors, 200: eventEnvelope, 404: errorEnvelope },
  },
  handler: async (request, { context, account: { accountId } }) => {
    const event = await knownEvent(context, accountId, request.params.event_id)
    return { request_id: request.id, event: presentEvent(event) }
  },
})

const replayRequest = strictFields({
  webhook_endpoint_id: z
    .string()
    .regex(sentIdPattern('whe'), 'expected the id of a webhook endpoint')
    .optional()
    .describe(
      'To this webhook endpoint. When left out, to each that takes its type and is not disabled; webhook.test, to the one that was tested.',
    ),
}).meta({ id: 'EventReplayRequest', examples: [{}] })

/** `POST /v1/events/{event_id}/replay` */
export const replayEventRoute = accountRoute({
  method: 'POST',
  url: '/v1/events/:event_id/replay',
  schema: {
    ...ofWebhooks,
    operationId: 'replayEvent',
    summary: 'Send an event again',
    params: eventParams,
    body: replayRequest,
    response: {
      ...bodyErrors,
      202: response('EventReplayEnvelope', { webhook_endpoint_ids: z.array(z.string()) }),
      404: errorEnvelope,
      409: errorEnvelope,
    },
  },
  handler: async (request, { context, account: { accountId }, reply }) => {
    const event = await knownEvent(context, accountId, request.params.event_id)
    const endpointIds = await replayEvent(context.db, event, request.body.webhook_endpoint_id)
    await startDueWork(context, { accountId, endpointIds })
    return reply.code(202).send({ request_id: request.id, webhook_endpoint_ids: endpointIds })
  },
})

/** The event after which a reader begins. Undefined: before the first. */
export async function startOf(
  context: Pick<ApiContext, 'db'>,
  accountId: string,
  after: string | undefined,
): Promise<Pick<Event, 'id' | 'position'> | undefined> {
  if (after === undefined) return undefined
  if (after === latest) return (await findNewestEvent(context.db, accountId)) ?? undefined
  return (await findEvent(context.db, accountId, after)) ?? unknownEvent()
}

async function knownEvent({ db }: Pick<ApiContext, 'db'>, accountId: string, id: string): Promise<Event> {
  const event = await findEvent(db, accountId, id)
  return event && event.payload !== erasedPayload ? event : unknownEvent()
}

function unknownEvent(): never {
  throw new ServiceError(
    'not_found',
    `This account has no event with this id: it is older than ${eventDays} days, or what it was about was deleted.`,
  )
}

/** The body that webhook endpoints get, with the id that they get as webhook-id. */
function presentEvent({ id, payload }: Event): z.output<typeof eventSchema> {
  return eventSchema.parse({ id, ...z.record(z.string(), z.unknown()).parse(JSON.parse(payload)) })
}
