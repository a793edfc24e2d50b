import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Config } from '../../src/config.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { hasOAuthClients } from '../../src/core/oauth-clients.ts'
import type { Credential } from '../../src/store/credentials.ts'
import { acceptConnector } from '../http/authenticate.ts'
import type { ApiContext, App } from '../http/context.ts'
import { errorHandler } from '../http/errors.ts'
import { abortOnDisconnect } from '../http/long-poll.ts'
import { createBatchLimit } from '../http/rate-limits.ts'
import { bodyErrors, errorEnvelope } from '../http/schemas.ts'
import { asksForProgress, createMessageHandler, isStream } from './answer-message.ts'
import { baseAsked, createHostCheck } from './known-hosts.ts'
import { createListAnswers, listRequestOf, protocolHeaders } from './list-answers.ts'
import { publicName } from './present-tool.ts'
import { refusal, refusalOf } from './refusal.ts'
import { tools } from './tool-list.ts'
import type { ToolCaller } from './tool-server.ts'

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
  const handler = createMessageHandler(context)
  const lists = createListAnswers()
  app.addHook('preClose', () => handler.close())

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
        403: errorEnvelope,
      },
    },
    handler: async (request, reply) => {
      const credential = credentialOf(request)
      if (!credential && needsCredential(request.body)) throw new ServiceError('missing_api_key')
      const { id: requestId, log, headers, body } = request
      await limitBatch(request, [body].flat().length)
      const isStreamed = takesStreams(headers, body)
      const listed = isStreamed ? undefined : listRequestOf(headers, body)
      const known = listed && lists.find(listed)
      if (known) return reply.type('application/json; charset=utf-8').send(known)

      const signal = abortOnDisconnect(reply)
      const denial = createScopeDenial(credential, body)
      const common = { requestId, log, credential, signal, onScopeDenied: denial.note }
      const caller = { ...common, isStreamed, readsStructured: readsStructured(headers) }
      const response = await handler.answer(readable(config, headers, caller), body, caller)
      if (isStream(response)) return reply.send(response)
      const text = await response.text()
      denial.throwIfAny(reply)
      if (listed && response.ok) lists.keep(listed, text)
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

const toolCall = z.object({ method: z.unknown(), params: z.object({ name: z.unknown() }).optional() })

/** Whether a message, or a message of a batch, calls a tool that acts for an account. */
function createCredentialCheck(config: Pick<Config, 'TOOL_PREFIX'>): (message: unknown) => boolean {
  const guarded: ReadonlySet<unknown> = new Set(
    tools.filter(({ auth }) => auth !== 'none').map((tool) => publicName(config, tool)),
  )
  return (message) =>
    [message].flat().some((one) => {
      const { data: call } = toolCall.safeParse(one)
      return call?.method === 'tools/call' && guarded.has(call.params?.name)
    })
}
