import { z } from 'zod'
import type { Credential } from '../../../src/accounts/credentials.ts'
import { ServiceError } from '../../../src/core/errors.ts'
import { strictFields } from '../../../src/core/input-problems.ts'
import { counted, quoted } from '../../../src/core/text.ts'
import { startDueWork } from '../../../src/webhooks/deliveries.ts'
import { getWebhookEndpoint, listWebhookEndpoints } from '../../../src/webhooks/endpoints.ts'
import { eventTypes } from '../../../src/webhooks/events.ts'
import { writeTestEvent } from '../../../src/webhooks/replay.ts'
import type { ApiContext } from '../../http/context.ts'
import { changeAsAsked, makeAsAsked, presentWebhook, webhookSchema } from '../../webhooks/endpoints.ts'
import { add, defineTool } from '../define-tool.ts'

// Every client reads the list of tools: the documentation of the routes says more.
const input = strictFields({
  webhook_endpoint_id: z.string().optional(),
  url: z.string().max(2048).optional(),
  event_types: z.array(z.enum(eventTypes)).max(eventTypes.length).optional(),
  status: z.enum(['active', 'paused']).optional(),
  send_test: z.boolean().default(false),
})

export const manageWebhooksTool = defineTool({
  name: 'manage_webhooks',
  title: 'List, create or test webhook endpoints',
  description:
    'Lists the webhooks, which call a server when a job or run ends. With url, creates one: store its secret, shown once. Needs the scope all.',
  auth: 'account',
  annotations: add,
  input,
  example: { url: 'https://app.example.com/hooks/media', event_types: ['job.completed', 'job.failed'] },
  output: z.object({
    webhook_endpoints: z.array(webhookSchema),
    secret: z.string().optional(),
    test_event_id: z.string().optional(),
  }),
  run: async (request, { context, credential }) => {
    const { accountId } = credential
    const { id, secret } = await setAsAsked(context, credential, request)
    const test_event_id = request.send_test ? await sendTest(context, accountId, id) : undefined
    const webhook_endpoints = (await listWebhookEndpoints(context.db, accountId)).map(presentWebhook)
    const lines = webhook_endpoints.map((each) => {
      const since = each.failing_since === undefined ? '' : `, failing since ${each.failing_since}`
      return `- ${each.id}: ${each.status}, ${quoted(each.url)}${since}`
    })
    const told = [
      ...(secret === undefined ? [] : [`The secret of ${id} is ${secret}, shown only in this answer.`]),
      ...(test_event_id === undefined ? [] : [`The event ${test_event_id} is on its way.`]),
      `${counted(lines.length, 'webhook endpoint')}.`,
    ]
    return {
      structured: { webhook_endpoints, ...(secret && { secret }), ...(test_event_id && { test_event_id }) },
      text: [...lines, told.join(' ')].join('\n'),
    }
  },
})

/** Changes the webhook endpoint with the id; without one, makes a new one if there is a URL. */
async function setAsAsked(
  context: ApiContext,
  owner: Credential,
  { webhook_endpoint_id: id, send_test: isTested, ...change }: z.output<typeof input>,
): Promise<{ readonly id?: string; readonly secret?: string }> {
  if (id !== undefined) {
    if (Object.values(change).some((value) => value !== undefined)) await changeAsAsked(context, owner, id, change)
    else await getWebhookEndpoint(context.db, owner.accountId, id)
    return { id }
  }
  const { url, event_types: eventTypes = [], status } = change
  if (url !== undefined && status !== 'paused') {
    const wanted = { url, description: '', event_types: eventTypes }
    const made = await makeAsAsked(context, owner, wanted)
    return { id: made.webhook_endpoint.id, secret: made.secret }
  }
  if (isTested || status !== undefined || change.event_types !== undefined)
    throw new ServiceError('invalid_request', 'webhook_endpoint_id: say which webhook endpoint, or create one by url.')
  return {}
}

async function sendTest(context: ApiContext, accountId: string, id = ''): Promise<string> {
  const eventId = await writeTestEvent(context.db, accountId, id)
  await startDueWork(context, { accountId, endpointIds: [id] })
  return eventId
}
