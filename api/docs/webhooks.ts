import { z } from 'zod'
import { type EventType, eventTypes, eventVersion } from '../../src/webhooks/events.ts'

const price = z.number()
const failure = z.object({ code: z.string(), message: z.string() }).nullable()
const metadata = z.record(z.string(), z.string())
const ended = z.iso.datetime()

const subjects = {
  job: z.object({
    ...{ id: z.string(), object: z.literal('job'), endpoint: z.string(), status: z.enum(['completed', 'failed']) },
    ...{ run_id: z.string().nullable(), metadata, final_price_usd: price, error: failure, ended_at: ended },
  }),
  workflow_run: z.object({
    ...{ id: z.string(), object: z.literal('workflow_run'), workflow_id: z.string() },
    ...{ status: z.enum(['completed', 'failed']), metadata, price_usd: price, error: failure, ended_at: ended },
  }),
  upload: z.object({
    ...{ id: z.string(), object: z.literal('upload'), file_name: z.string(), content_type: z.string() },
    ...{ bytes: z.int(), metadata, received_at: z.iso.datetime() },
  }),
  batch: z.object({
    ...{ id: z.string(), object: z.literal('batch'), name: z.string(), workflow_id: z.string() },
    ...{ status: z.enum(['completed', 'canceled']), metadata, completed: z.int(), failed: z.int(), ended_at: ended },
  }),
  webhook: z.object({ id: z.string(), object: z.literal('webhook_endpoint'), url: z.string() }),
}

/** The requests that webhook endpoints get, by the type of the event. */
export const webhookOperations = Object.fromEntries(eventTypes.map((type) => [type, { post: operationOf(type) }]))

function operationOf(type: EventType) {
  const subject = subjects[z.enum(['job', 'workflow_run', 'batch', 'upload', 'webhook']).parse(type.split('.')[0])]
  const body = z.object({
    type: z.literal(type),
    timestamp: z.iso.datetime(),
    api_version: z.string().meta({ examples: [eventVersion] }),
    data: subject,
  })
  const { $schema: _, ...schema } = z.toJSONSchema(body, { io: 'input' })
  return {
    operationId: `on_${type.replace('.', '_')}`,
    tags: ['webhooks'],
    summary: `The event ${type}`,
    description:
      'Signed as Standard Webhooks states: the header webhook-signature has the signature of webhook-id, webhook-timestamp and the body.',
    parameters: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => ({
      ...{ name, in: 'header', required: true, schema: { type: 'string' } },
    })),
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: { '2XX': { description: 'It was received. Everything else is a failure, and attempted again.' } },
  }
}
