import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolErrorCode,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { nearestName } from '../../src/core/nearest-name.ts'
import { quoted } from '../../src/core/text.ts'
import type { ApiContext } from '../http/context.ts'
import { createToolServers, type ToolCaller } from './tool-server.ts'

export interface MessageHandler {
  /** Answers one request by the protocol's rules: as JSON, or as a stream if progress is requested. Keeps no state between requests. */
  answer(request: Request, message: unknown, caller: ToolCaller): Promise<Response>
  close(): Promise<void>
}

/** Serves both generations of the protocol: the versions that begin with `initialize`, and 2026-07-28. */
export function createMessageHandler(context: ApiContext): MessageHandler {
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

  const answerLegacy: MessageHandler['answer'] = async (request, message, caller) => {
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !caller.isStreamed })
    const server = serverFor(caller)
    await server.connect(transport)
    const response = await transport.handleRequest(request, { parsedBody: withoutCancellations(message) })
    // Only a stream stays open.
    if (isStream(response)) caller.signal.addEventListener('abort', () => void server.close(), { once: true })
    return response
  }

  return {
    answer: async (request, message, caller) => {
      if (repeatsId(message)) return Response.json(repeatedId, { status: 400 })
      const renamed = otherArguments(message)
      if (renamed) return Response.json(renamed)
      if (await isLegacyRequest(request, message)) return answerLegacy(request, message, caller)
      callers.set(request, caller)
      return modern.fetch(request, { parsedBody: message })
    },
    close: () => modern.close(),
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

export function asksForProgress(message: unknown): boolean {
  return [message].flat().some((one) => withMeta.safeParse(one).data?.params?._meta?.progressToken !== undefined)
}

export function isStream(response: Response): boolean {
  return response.headers.get('content-type') === 'text/event-stream'
}
