import { z } from 'zod'
import type { Answer, Api } from '../api.ts'

export const protocolVersions = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const
export type ProtocolVersion = (typeof protocolVersions)[number]

const toolResult = z.object({
  result: z.looseObject({
    isError: z.boolean().optional(),
    content: z.array(z.looseObject({ type: z.string() })),
    structuredContent: z.record(z.string(), z.any()).default({}),
    _meta: z.looseObject({ error: z.looseObject({ code: z.string(), message: z.string() }).optional() }).optional(),
  }),
})

/** A minimal client: one message per request, in any version of the protocol. */
export function createAgent(api: Pick<Api, 'call'>, token?: string, version: ProtocolVersion = '2025-11-25') {
  const post = (payload: object | string, headers: Record<string, string> = {}): Promise<Answer> =>
    api.call(
      { method: 'POST', url: '/mcp', payload, headers: { 'content-type': 'application/json', ...headers } },
      token,
    )

  const send = (method: string, params: Record<string, unknown> = {}): Promise<Answer> => {
    if (version < '2026') return post({ jsonrpc: '2.0', id: 1, method, params }, { 'mcp-protocol-version': version })
    const named = params['name'] ?? params['taskId'] ?? params['uri']
    const name = typeof named === 'string' ? { 'mcp-name': named } : {}
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
      ...z
        .object({})
        .loose()
        .parse(params['_meta'] ?? {}),
    }
    const headers = { 'mcp-protocol-version': version, 'mcp-method': method, ...name }
    return post({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }, headers)
  }

  const callTool = (name: string, given?: unknown) =>
    send('tools/call', { name, ...(given === undefined ? {} : { arguments: given }) })

  return {
    post,
    send,
    callTool,
    /** Calls a tool; its answer must be a result of the protocol. */
    use: async (name: string, given?: unknown) => toolResult.parse((await callTool(name, given)).body).result,
    /** The code of a tool's failure. */
    failure: async (name: string, given?: unknown) => {
      const { isError, structuredContent, _meta } = toolResult.parse((await callTool(name, given)).body).result
      if (!isError) throw new Error(`${name} did not fail: ${JSON.stringify(structuredContent)}`)
      return z.string().parse(_meta?.error?.code)
    },
  }
}
