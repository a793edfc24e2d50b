import type { FastifyRequest } from 'fastify'
import type { Config } from '../../src/config.ts'
import { hasOAuthClients, isDocumentId } from '../../src/core/oauth-clients.ts'
import { keyScopes } from '../../src/core/scopes.ts'
import { apiVersion } from '../http/version.ts'
import { baseAsked } from './known-hosts.ts'
import { presentTool, protocolVersions, serverName, serverTitle } from './present-tool.ts'
import { tools } from './tool-list.ts'

type Settings = Pick<Config, 'BASE_URL' | 'FALLBACK_BASE_URL' | 'TOOL_PREFIX' | 'OAUTH_CLIENTS'>

const versions = [...protocolVersions].toSorted()

/** The public description of the endpoint. */
export function endpointDocument(config: Settings, request: Pick<FastifyRequest, 'host'>) {
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

/** Every tool, with the credential that it needs. */
export function listTools(config: Settings) {
  return tools.map((tool) => ({ ...presentTool(config, tool), auth: tool.auth }))
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
export function protectedResourceDocument(config: Settings, request: Pick<FastifyRequest, 'host'>) {
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
export function authorizationServerDocument(config: Settings, request: Pick<FastifyRequest, 'host'>) {
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
