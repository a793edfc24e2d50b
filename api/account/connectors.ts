import { z } from 'zod'
import { idPattern } from '../../src/core/ids.ts'
import { strictFields } from '../../src/core/input-problems.ts'
import { bodyErrors, errorEnvelope, keyErrors, name, ownerRoute, response } from '../http/route.ts'
import { connectorsOf, keyRequest, keySchema, makeConnectorAsAsked, revokeKnownConnector } from './keys.ts'

const { may_raise_limits: _, ...keyFields } = keyRequest.shape

const connectorRequest = strictFields({
  ...keyFields,
  name: name.describe('A name to recognize the connector by, such as that of the assistant.'),
  scope: keyFields.scope.describe(
    'The endpoints that the connector can call. Only the scope all gives access to the account itself.',
  ),
  expires_at: keyFields.expires_at.describe('The connector never expires when left out.'),
  monthly_cap_usd: keyFields.monthly_cap_usd.describe(
    'The maximum that a month can cost for its jobs, and for those of the keys that it creates. null: no cap of its own.',
  ),
}).meta({ id: 'ConnectorRequest', examples: [{ name: 'my assistant', scope: 'video/*', monthly_cap_usd: 5 }] })

const connectorSchema = keySchema
  .omit({ may_raise_limits: true })
  .extend({
    id: z.string().regex(idPattern('con')),
    last_four: keySchema.shape.last_four.optional(),
    client_id: z
      .string()
      .optional()
      .describe('The OAuth client that it was approved for. Its tokens change, so it has no last_four.'),
  })
  .meta({ id: 'Connector' })

const connectorEnvelope = response('ConnectorEnvelope', { connector: connectorSchema })

const newConnectorEnvelope = response('NewConnectorEnvelope', {
  connector: connectorSchema,
  secret: z.string().describe('The token of the connector, for /mcp. Store it now: it is shown only once.'),
})

const connectorList = response('ConnectorList', {
  connectors: z.array(connectorSchema).describe('Revoked connectors come last.'),
})

/** `POST /api/dashboard/connectors` */
export const createConnectorRoute = ownerRoute({
  method: 'POST',
  url: '/api/dashboard/connectors',
  schema: {
    tags: ['connectors'],
    operationId: 'createConnector',
    summary: 'Create a connector, whose token an assistant sends to /mcp',
    description:
      'Only this response shows the token. It works on /mcp, and reads jobs, runs, exports and uploads. The owner of the account gets a mail. Jobs of the connector count against its cap and that of the account.',
    body: connectorRequest,
    response: { ...bodyErrors, 201: newConnectorEnvelope, 409: errorEnvelope },
  },
  handler: async (request, { context, account, reply }) => {
    const made = await makeConnectorAsAsked(context, account, request.body)
    return reply.code(201).send({ request_id: request.id, ...made })
  },
})

/** `GET /api/dashboard/connectors` */
export const listConnectorsRoute = ownerRoute({
  method: 'GET',
  url: '/api/dashboard/connectors',
  schema: {
    tags: ['connectors'],
    operationId: 'listConnectors',
    summary: 'List connectors, without their tokens',
    description: 'Connectors that are not revoked, newest first, then revoked ones, most recently revoked first.',
    response: { ...keyErrors, 200: connectorList },
  },
  handler: async (request, { context: { db }, account: { accountId } }) => {
    return { request_id: request.id, connectors: await connectorsOf(db, accountId) }
  },
})

/** `POST /api/dashboard/connectors/{token_id}/revoke` */
export const revokeConnectorRoute = ownerRoute({
  method: 'POST',
  url: '/api/dashboard/connectors/:token_id/revoke',
  schema: {
    tags: ['connectors'],
    operationId: 'revokeConnector',
    summary: 'Revoke a connector',
    description:
      'Also revokes every key that was created with it. After the response, every request with them is refused, and their open waits end. A revoked connector stays revoked.',
    params: z.object({ token_id: z.string().meta({ pattern: idPattern('con').source }) }),
    response: { ...bodyErrors, 200: connectorEnvelope, 404: errorEnvelope },
  },
  handler: async (request, { context: { db }, account: { accountId } }) => {
    return { request_id: request.id, connector: await revokeKnownConnector(db, accountId, request.params.token_id) }
  },
})
