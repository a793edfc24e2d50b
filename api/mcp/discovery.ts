import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { hasOAuthClients, isDocumentId } from '../../src/accounts/oauth-clients.ts'
import type { Config } from '../../src/config.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { keyScopes } from '../../src/core/scopes.ts'
import type { ApiContext, App } from '../http/context.ts'
import { apiVersion } from '../http/errors.ts'
import { pagePolicy, wantsPage } from '../http/html.ts'
import { anyErrors, errorEnvelope } from '../http/route.ts'
import { agentsPage } from './answers.ts'
import { describeTool, protocolVersions, serverName, serverTitle } from './define-tool.ts'
import { baseAsked } from './routes.ts'
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
  description:
    'The tools of tools/list, with the schema of their answers, an example, and the credential that each needs.',
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

type Settings = Pick<Config, 'BASE_URL' | 'FALLBACK_BASE_URL' | 'TOOL_PREFIX' | 'OAUTH_CLIENTS'>

const versions = [...protocolVersions].toSorted()

/** The public description of the endpoint. */
function endpointDocument(config: Settings, request: Pick<FastifyRequest, 'host'>) {
  const base = baseAsked(config, request)
  return {
    name: serverName,
    title: serverTitle,
    version: apiVersion,
    description: 'Finds timestamped moments in video and audio, and cuts clips, as jobs billed by use.',
    endpoint: `${base}/mcp`,
    transport: 'streamable-http',
    protocol_versions: versions,
    authentication: {
      type: 'bearer',
      description: 'An API key, or the token of a connector. Tools whose auth is none need no credential.',
      scopes: keyScopes,
      resource_metadata: `${base}/.well-known/oauth-protected-resource/mcp`,
      oauth: { configured: hasOAuthClients(config) },
    },
    manifest_url: `${base}/mcp/manifest`,
    status_url: `${base}/mcp/status`,
    documentation_url: `${base}/docs/`,
  }
}

/** Every tool, with the credential that it needs, and arguments that it takes. */
function listTools(config: Settings) {
  return tools.map((tool) => describeTool(config, tool))
}

/** The public description, with the tools of `listTools`, which takes milliseconds. */
export function manifestDocument(
  config: Settings,
  request: Pick<FastifyRequest, 'host'>,
  listed: ReturnType<typeof listTools>,
) {
  return { ...endpointDocument(config, request), tools: listed }
}

/** RFC 9728. Names the authorization server if clients are configured. */
function protectedResourceDocument(config: Settings, request: Pick<FastifyRequest, 'host'>) {
  const base = baseAsked(config, request)
  return {
    resource: `${base}/mcp`,
    ...(hasOAuthClients(config) ? { authorization_servers: [config.BASE_URL] } : {}),
    resource_name: serverTitle,
    bearer_methods_supported: ['header'],
    scopes_supported: keyScopes,
    resource_documentation: `${base}/docs/`,
  }
}

/** RFC 8414. There is one issuer, BASE_URL, where people sign in. */
function authorizationServerDocument(config: Settings, request: Pick<FastifyRequest, 'host'>) {
  if (hasOAuthClients(config)) return configuredServerDocument(config)
  return {
    issuer: baseAsked(config, request),
    configured: false,
    message: 'No OAuth client is configured on this service. Use an API key.',
    response_types_supported: ['code'],
    scopes_supported: keyScopes,
  }
}

function configuredServerDocument({ BASE_URL: issuer, OAUTH_CLIENTS }: Settings) {
  const endpoint = (name: string) => `${issuer}/api/auth/oauth/${name}`
  return {
    issuer,
    configured: true,
    authorization_endpoint: endpoint('authorize'),
    token_endpoint: endpoint('token'),
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint: endpoint('revoke'),
    revocation_endpoint_auth_methods_supported: ['none'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    scopes_supported: keyScopes,
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: OAUTH_CLIENTS.some(({ id }) => isDocumentId(id)),
    service_documentation: `${issuer}/docs/`,
  }
}
