import type { FastifyRequest } from 'fastify'
import type { Config } from '../../src/config.ts'
import { keyScopes } from '../../src/core/scopes.ts'
import { apiVersion } from '../http/observe-requests.ts'
import { baseAsked } from './known-hosts.ts'
import { presentTool, protocolVersions, serverName, serverTitle } from './present-tool.ts'
import { tools } from './tool-list.ts'

type Settings = Pick<Config, 'BASE_URL' | 'FALLBACK_BASE_URL' | 'TOOL_PREFIX'>

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
      description: 'An API key. Tools whose auth is none need no credential.',
      scopes: keyScopes,
      resource_metadata: `${base}/.well-known/oauth-protected-resource/mcp`,
      oauth: { configured: false },
    },
    manifest_url: `${base}/mcp/manifest`,
    status_url: `${base}/mcp/status`,
    documentation_url: `${base}/docs/`,
  }
}

/** The public description, with every tool and what it needs. */
export function manifestDocument(config: Settings, request: Pick<FastifyRequest, 'host'>) {
  const listed = tools.map((tool) => ({ ...presentTool(config, tool), auth: tool.auth }))
  return { ...endpointDocument(config, request), tools: listed }
}

/** RFC 9728. Names no authorization server, because there is none. */
export function protectedResourceDocument(config: Settings, request: Pick<FastifyRequest, 'host'>) {
  const base = baseAsked(config, request)
  return {
    resource: `${base}/mcp`,
    resource_name: serverTitle,
    bearer_methods_supported: ['header'],
    scopes_supported: keyScopes,
    resource_documentation: `${base}/docs/`,
  }
}

/** RFC 8414. Sign-in through it needs a configured client. */
export function authorizationServerDocument(config: Settings, request: Pick<FastifyRequest, 'host'>) {
  return {
    issuer: baseAsked(config, request),
    configured: false,
    message: 'No OAuth client is configured on this service. Use an API key.',
    response_types_supported: ['code'],
    scopes_supported: keyScopes,
  }
}
