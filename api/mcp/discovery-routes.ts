import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ServiceError } from '../../src/core/errors.ts'
import { hasOAuthClients } from '../../src/core/oauth-clients.ts'
import type { ApiContext, App } from '../http/context.ts'
import { pagePolicy, wantsPage } from '../http/html.ts'
import { anyErrors, errorEnvelope } from '../http/schemas.ts'
import { apiVersion } from '../http/version.ts'
import {
  authorizationServerDocument,
  endpointDocument,
  listTools,
  manifestDocument,
  protectedResourceDocument,
} from './discovery.ts'
import { agentsPage } from './page.ts'
import { protocolVersions } from './present-tool.ts'
import { tools } from './tool-list.ts'

const describeEndpoint = {
  operationId: 'describeEndpoint',
  tags: ['agents'],
  summary: 'Describe the endpoint for agents',
  description: 'A page for browsers. `/mcp` keeps no sessions, so it refuses a request for a stream of events.',
  security: [],
  response: {
    ...anyErrors,
    200: z.unknown().describe('Name, versions, address and authentication of the endpoint.'),
    405: errorEnvelope,
  },
}

const schemaOfJson = z.record(z.string(), z.unknown())

const manifest = z
  .looseObject({
    name: z.string(),
    title: z.string(),
    version: z.string().describe('Of this interface.'),
    endpoint: z.url().describe('Takes messages by POST.'),
    protocol_versions: z.array(z.string()),
    authentication: z.looseObject({ type: z.literal('bearer'), scopes: z.array(z.string()) }),
    tools: z.array(
      z.looseObject({
        name: z.string(),
        title: z.string(),
        description: z.string(),
        auth: z
          .enum(['none', 'key', 'account'])
          .describe('none: no credential. key: a key or connector for the endpoints. account: one with the scope all.'),
        inputSchema: schemaOfJson,
        outputSchema: schemaOfJson.optional(),
      }),
    ),
  })
  .meta({ id: 'ToolManifest' })

const describeManifest = {
  operationId: 'getToolManifest',
  tags: ['agents'],
  summary: 'List the tools for agents with their schemas',
  description: 'The same tools as tools/list of the protocol, and the credential that each needs.',
  security: [],
  response: { ...anyErrors, 200: manifest },
}

/** The documents for clients without a credential: `GET /mcp`, its manifest and status, and the well-known documents. */
export async function discoveryRoutes(
  app: App,
  { config, checkHealth }: Pick<ApiContext, 'config' | 'checkHealth'>,
): Promise<void> {
  app.addHook('onSend', async (_request, reply) => {
    reply.header('access-control-allow-origin', '*')
  })
  const documents: Readonly<Record<string, (request: FastifyRequest) => object>> = {
    '/.well-known/mcp.json': (request) => endpointDocument(config, request),
    '/.well-known/oauth-protected-resource': (request) => protectedResourceDocument(config, request),
    '/.well-known/oauth-protected-resource/mcp': (request) => protectedResourceDocument(config, request),
    '/.well-known/oauth-authorization-server': (request) => authorizationServerDocument(config, request),
  }
  for (const [url, documentFor] of Object.entries(documents)) {
    app.get(url, { schema: { hide: true } }, async (request) => documentFor(request))
  }

  const listed = listTools(config)
  // Checked once: for each request, it would take the event loop tens of milliseconds.
  const checked = manifest.shape.tools.parse(listed)
  app.get('/mcp/manifest', { schema: describeManifest }, async (request, reply) => {
    const described = manifest.omit({ tools: true }).parse(endpointDocument(config, request))
    reply.type('application/json; charset=utf-8').serializer(JSON.stringify)
    return { ...described, tools: checked }
  })

  app.get('/mcp/status', { schema: { hide: true } }, async (request) => ({
    request_id: request.id,
    ok: true,
    version: apiVersion,
    protocol_versions: protocolVersions.toSorted(),
    tools: tools.length,
    oauth: { configured: hasOAuthClients(config) },
    // Public tools answer even without the workers.
    jobs_ok: (await checkHealth()).ok,
  }))

  app.get('/mcp', { schema: describeEndpoint }, async (request, reply) => {
    if (wantsPage(request)) {
      reply.header('content-security-policy', pagePolicy()).type('text/html; charset=utf-8')
      return reply.send(agentsPage(manifestDocument(config, request, listed)))
    }
    // Clients of 2025 request a stream, which this endpoint does not open because it has no sessions.
    if (request.headers.accept?.includes('text/event-stream')) {
      reply.header('allow', 'GET, HEAD, OPTIONS, POST')
      throw new ServiceError(
        'method_not_allowed',
        'This endpoint does not open a stream for GET. Send messages by POST.',
      )
    }
    return endpointDocument(config, request)
  })
}
