import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { z } from 'zod'

const toolCall = z.looseObject({
  method: z.literal('tools/call'),
  params: z.looseObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()) }),
})

interface Call {
  readonly name: string
  readonly arguments: object
}

interface SuiteTools {
  readonly mcpUrl: string
  readonly key: string
  /** The call that stands for a tool of the suite. Undefined for tools that nothing stands for. */
  readonly standIn: (name: string) => Call | undefined
}

/**
 * The tools that the conformance suite expects of its own server, in front of the service: it renames calls of tools, and adds the key. All
 * else passes as it is, in both directions. `url` is its address for the suite.
 */
export async function serveSuiteTools({ mcpUrl, key, standIn }: SuiteTools) {
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const sent = await buffer(request)
    const headers = new Headers({ ...request.headersDistinct, authorization: `Bearer ${key}` })
    for (const name of ['connection', 'content-length', 'host']) headers.delete(name)
    const { data } = toolCall.safeParse(JSON.parse(sent.toString()))
    const call = data && standIn(data.params.name)
    if (call && headers.get('mcp-name') === data.params.name) headers.set('mcp-name', call.name)
    const body = call ? JSON.stringify({ ...data, params: { ...data.params, ...call } }) : sent
    const answer = await fetch(mcpUrl, { method: 'POST', headers, body })
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
    response.end(new Uint8Array(await answer.arrayBuffer()))
  }
  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (!address || typeof address === 'string') throw new TypeError('the server has no port')
  return { url: `http://127.0.0.1:${address.port}/mcp`, close: () => server.close() }
}
