import type { IncomingHttpHeaders } from 'node:http'
import {
  createMcpHandler,
  isLegacyRequest,
  localhostAllowedHostnames,
  ProtocolErrorCode,
  validateHostHeader,
  validateOriginHeader,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Credential } from '../../src/accounts/credentials.ts'
import { hasOAuthClients } from '../../src/accounts/oauth-clients.ts'
import type { Config } from '../../src/config.ts'
import { errorTable, ServiceError } from '../../src/core/errors.ts'
import { nearestName } from '../../src/core/input-problems.ts'
import { quoted } from '../../src/core/text.ts'
import { type BaseAddresses, basesOf } from '../../src/core/urls.ts'
import { acceptConnector } from '../http/authenticate.ts'
import type { ApiContext, App } from '../http/context.ts'
import { errorHandler } from '../http/errors.ts'
import { abortOnDisconnect } from '../http/long-poll.ts'
import { createBatchLimit } from '../http/rate-limits.ts'
import { bodyErrors, errorEnvelope } from '../http/route.ts'
import { refusal, refusalOf } from './answers.ts'
import { publicName, timelineUri } from './define-tool.ts'
import { tools } from './tool-list.ts'
import { createToolServers, type ToolCaller } from './tool-server.ts'

/** Answers one request by the protocol's rules: as JSON, or as a stream if progress is requested. Keeps no state between requests. */
type MessageHandler = (request: Request, message: unknown, caller: ToolCaller) => Promise<Response>

/** Serves both generations of the protocol: the versions that begin with `initialize`, and 2026-07-28. */
function createMessageHandler(context: ApiContext): MessageHandler {
  const serverFor = createToolServers(context)
  const callers = new WeakMap<object, ToolCaller>()
  const modern = createMcpHandler(
    ({ requestInfo }) => {
      const caller = requestInfo && callers.get(requestInfo)
      if (!caller) throw new Error('nobody sent this request')
      return serverFor(caller)
    },
    { legacy: 'reject' },
  )

  const answerLegacy: MessageHandler = async (request, message, caller) => {
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !caller.isStreamed })
    const server = serverFor(caller)
    await server.connect(transport)
    const response = await transport.handleRequest(request, { parsedBody: withoutCancellations(message) })
    // Only a stream stays open.
    if (isStream(response)) caller.signal.addEventListener('abort', () => void server.close(), { once: true })
    return response
  }

  return async (request, message, caller) => {
    if (repeatsId(message)) return Response.json(repeatedId, { status: 400 })
    const renamed = otherArguments(message)
    if (renamed) return Response.json(renamed)
    if (await isLegacyRequest(request, message)) return answerLegacy(request, message, caller)
    callers.set(request, caller)
    // It is never closed, which would drop the calls in progress: a stop of the process ends their waits.
    return modern.fetch(request, { parsedBody: message })
  }
}

const meta = z.object({ progressToken: z.union([z.string(), z.number()]).optional() })
const withMeta = z.object({ params: z.object({ _meta: meta.optional() }).optional() })

const withId = z.object({ id: z.union([z.string(), z.number()]) })

/** Whether two messages of a batch have the same id: nobody could tell their responses apart. */
function repeatsId(message: unknown): boolean {
  const ids = [message].flat().flatMap((one) => withId.safeParse(one).data?.id ?? [])
  return new Set(ids).size < ids.length
}

const repeatedId = {
  jsonrpc: '2.0',
  id: null,
  error: { code: ProtocolErrorCode.InvalidRequest, message: 'Two messages of this batch have the same id.' },
}

/** What callers send in place of `arguments`, besides misspelt forms of it. */
const otherNames = ['args', 'params', 'parameters', 'input', 'inputs']

const toolCall = z.object({
  id: z.unknown(),
  method: z.literal('tools/call'),
  params: z.record(z.string(), z.unknown()),
})

/** The error for a call whose arguments have another name: the library drops them, and the tool would run without. */
function otherArguments(message: unknown) {
  for (const one of [message].flat()) {
    const { data: call } = toolCall.safeParse(one)
    if (!call || Object.hasOwn(call.params, 'arguments')) continue
    const given = Object.keys(call.params).find(
      (name) => otherNames.includes(name) || nearestName(name, ['arguments']) !== undefined,
    )
    if (given === undefined) continue
    const problem = `params: unknown field ${quoted(given)}. Did you mean arguments?`
    const id = Array.isArray(message) ? null : (withId.safeParse(call).data?.id ?? null)
    return { jsonrpc: '2.0', id, error: { code: ProtocolErrorCode.InvalidParams, message: problem } }
  }
  return undefined
}

const cancellation = z.object({ method: z.literal('notifications/cancelled') })

/** In a batch, a message that cancels another would leave it without the response that the batch waits for. */
function withoutCancellations(message: unknown): unknown {
  if (!Array.isArray(message)) return message
  const others = message.filter((one) => !cancellation.safeParse(one).success)
  return others.length > 0 ? others : message
}

function asksForProgress(message: unknown): boolean {
  return [message].flat().some((one) => withMeta.safeParse(one).data?.params?._meta?.progressToken !== undefined)
}

function isStream(response: Response): boolean {
  return response.headers.get('content-type') === 'text/event-stream'
}

/** Clients of 2025-03-26 can send a batch of messages. Each counts as a request. */
const maxMessages = 10

const message = z.looseObject({}).meta({
  properties: { jsonrpc: { const: '2.0' }, method: { type: 'string' } },
  required: ['jsonrpc', 'method'],
})

/** The protocol's own error, for JSON that is not a message. */
const protocolError = z
  .looseObject({ jsonrpc: z.literal('2.0'), error: z.looseObject({ code: z.int(), message: z.string() }) })
  .meta({ id: 'ProtocolError' })

const messages = z
  .union([message, z.array(message).min(1).max(maxMessages)], {
    error: `expected a JSON-RPC message, or a batch of 1 to ${maxMessages}`,
  })
  .meta({ examples: [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }] })

/** `POST /mcp`, and its preflight for pages of known hosts. */
export async function mcpRoutes(app: App, context: ApiContext): Promise<void> {
  const { config } = context
  const checkHost = createHostCheck(config)
  app.addHook('onRequest', async (request, reply) => checkHost(request, reply))
  app.setErrorHandler(errorHandler(config, { documentFor: (error, { body }) => refusalOf(error, body) }))
  app.addHook('onSend', async (request, reply) => {
    if (reply.hasHeader('www-authenticate'))
      reply.header('www-authenticate', challengeOf(config, reply, baseAsked(config, request)))
  })
  app.options('/mcp', { schema: { hide: true } }, async (_request, reply) => reply.code(204).send())
  await app.register(async (scope) => callRoute(scope, context))
}

function callRoute(app: App, context: ApiContext): void {
  const { config } = context
  const credentialOf = acceptConnector(app, context)
  const needsCredential = createCredentialCheck(config)
  const limitBatch = createBatchLimit(context, credentialOf)
  const answer = createMessageHandler(context)

  app.route({
    method: 'POST',
    url: '/mcp',
    schema: {
      operationId: 'sendMessage',
      tags: ['agents'],
      summary: 'Call tools over the Model Context Protocol',
      description:
        'JSON-RPC of the Model Context Protocol, over streamable HTTP without sessions. Tools that act for an account need a key or the token of a connector. GET /mcp/manifest lists all tools.',
      security: [{}, { ApiKey: [] }],
      body: messages,
      response: {
        ...bodyErrors,
        400: z.union([errorEnvelope, protocolError]),
        200: z.unknown().describe('JSON-RPC, or a stream of JSON-RPC messages.'),
        401: refusal,
      },
    },
    handler: async (request, reply) => {
      const credential = credentialOf(request)
      if (!credential && needsCredential(request.body)) throw keyMissing(config)
      const { id: requestId, log, headers, body } = request
      await limitBatch(request, [body].flat().length)
      const isStreamed = takesStreams(headers, body)
      const signal = abortOnDisconnect(reply)
      const denial = createScopeDenial(credential, body)
      const common = { requestId, log, credential, signal, onScopeDenied: denial.note }
      const caller = { ...common, isStreamed, readsStructured: readsStructured(headers) }
      const response = await answer(readable(config, headers, caller), body, caller)
      if (isStream(response)) return reply.send(response)
      const text = await response.text()
      denial.throwIfAny(reply)
      const type = response.headers.get('content-type')
      if (type !== null) reply.type(type)
      return reply.code(response.status).send(text)
    },
  })
}

/** The request for the library, without the credential and with the parsed message. Only a stream needs the client's disconnect. */
function readable(
  { BASE_URL }: Pick<Config, 'BASE_URL'>,
  headers: IncomingHttpHeaders,
  { isStreamed, signal }: Pick<ToolCaller, 'isStreamed' | 'signal'>,
): Request {
  const { 'content-type': contentType = '' } = headers
  const fixed = { 'content-type': contentType, accept: 'application/json, text/event-stream' }
  const all = { ...Object.fromEntries(protocolHeaders(headers)), ...fixed }
  return new Request(`${BASE_URL}/mcp`, { method: 'POST', headers: all, signal: isStreamed ? signal : null })
}

function protocolHeaders(headers: IncomingHttpHeaders): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) => (name.startsWith('mcp-') ? [[name, String(value)]] : []))
}

/** Progress needs a stream. Without an Accept header, a client gets the protocol's default. */
function takesStreams({ accept = '*/*' }: IncomingHttpHeaders, message: unknown): boolean {
  return (accept.includes('text/event-stream') || accept.includes('*/*')) && asksForProgress(message)
}

/** Structured content came with version 2025-06-18, and with it the header: without one, a client is older. */
function readsStructured({ 'mcp-protocol-version': version = '' }: IncomingHttpHeaders): boolean {
  return version >= '2025-06-18'
}

/**
 * Makes a refusal by scope a 403 with a challenge (RFC 6750, 3.1), for clients that can ask their user for a wider scope. Others have
 * it in the tool's answer, as have batches, whose other calls were made.
 */
function createScopeDenial(credential: Credential | undefined, message: unknown) {
  const canWiden = credential?.isByOAuth === true && credential.scope !== 'all' && !Array.isArray(message)
  let denied: ServiceError | undefined
  return {
    note: (error: ServiceError): void => {
      if (canWiden) denied = error
    },
    throwIfAny: (reply: FastifyReply): void => {
      if (!denied) return
      reply.header('www-authenticate', 'Bearer error="insufficient_scope"')
      throw denied
    },
  }
}

/**
 * RFC 9728, 5.1: the challenge links to the document about credentials. The scope is what a client then asks for; its user can
 * choose a narrower one.
 */
function challengeOf(config: Pick<Config, 'OAUTH_CLIENTS'>, reply: FastifyReply, base: string): string {
  const [scheme, ...parts] = String(reply.getHeader('www-authenticate')).split(' ')
  const metadata = `resource_metadata="${base}/.well-known/oauth-protected-resource/mcp"`
  return `${scheme} ${[...parts, ...(hasOAuthClients(config) ? ['scope="all"'] : []), metadata].join(', ')}`
}

/** The owner makes one by hand: without approved clients, no sign-in does. */
function keyMissing({ BASE_URL }: Pick<Config, 'BASE_URL'>): ServiceError {
  const advice = `An owner of an account creates the token of a connector at ${BASE_URL}/dashboard/connectors, and an API key at ${BASE_URL}/dashboard/keys.`
  return new ServiceError('missing_api_key', `${errorTable.missing_api_key.message} ${advice}`)
}

const namedCall = z.object({
  method: z.unknown(),
  params: z.object({ name: z.unknown().optional(), uri: z.unknown().optional() }).optional(),
})

const ofAccounts: ReadonlySet<unknown> = new Set(['tasks/get', 'tasks/update', 'tasks/cancel', 'resources/read'])

/** Whether a message, or a message of a batch, calls a tool that acts for an account, or reads one of its tasks or exports. */
function createCredentialCheck(config: Pick<Config, 'TOOL_PREFIX'>): (message: unknown) => boolean {
  const guarded: ReadonlySet<unknown> = new Set(
    tools.filter(({ auth }) => auth !== 'none').map((tool) => publicName(config, tool)),
  )
  return (message) =>
    [message].flat().some((one) => {
      const { data: call } = namedCall.safeParse(one)
      // Everybody gets the same app.
      if (call?.method === 'resources/read' && call.params?.uri === timelineUri) return false
      return ofAccounts.has(call?.method) || (call?.method === 'tools/call' && guarded.has(call.params?.name))
    })
}

const allowed = { 'access-control-allow-methods': 'GET, POST, OPTIONS', 'access-control-max-age': '600' }
const exposed = { 'access-control-expose-headers': 'www-authenticate, x-request-id, retry-after' }

/**
 * Refuses requests to unknown hosts and from pages of unknown hosts, so that no page can reach this endpoint under its own
 * name (DNS rebinding). This machine is always a known host: agents and their inspectors run there.
 */
function createHostCheck(bases: BaseAddresses): (request: FastifyRequest, reply: FastifyReply) => void {
  const hosts = [...basesOf(bases).map((base) => new URL(base).hostname), ...localhostAllowedHostnames()]
  return (request, reply) => {
    const { origin } = request.headers
    if (!validateHostHeader(request.host, hosts).ok) {
      throw new ServiceError('csrf_failed', `This service does not answer for this host. Use ${bases.BASE_URL}.`)
    }
    if (!validateOriginHeader(origin, hosts).ok) {
      throw new ServiceError('csrf_failed', 'Pages of this origin cannot call this endpoint. Call it from a server.')
    }
    if (origin === undefined) return
    const requestedHeaders = request.headers['access-control-request-headers']
    reply.headers({ 'access-control-allow-origin': origin, vary: 'origin', ...exposed })
    if (request.method !== 'OPTIONS') return
    reply.headers({ ...allowed, ...(requestedHeaders ? { 'access-control-allow-headers': requestedHeaders } : {}) })
  }
}

/** The base address that the request was sent to, otherwise BASE_URL. */
export function baseAsked(bases: BaseAddresses, { host }: Pick<FastifyRequest, 'host'>): string {
  return basesOf(bases).find((base) => new URL(base).host === host) ?? bases.BASE_URL
}
