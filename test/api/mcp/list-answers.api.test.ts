import { describe, expect, it } from 'vitest'
import { tools } from '../../../api/mcp/tool-list.ts'
import { useApi } from '../api.ts'

const api = await useApi()

const list = async (id: unknown, params: object | undefined, headers: Record<string, string> = {}) =>
  api.call({
    method: 'POST',
    url: '/mcp',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    payload: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list', params }),
  })

const names = ({ body }: Awaited<ReturnType<typeof list>>) =>
  body.result.tools.map(({ name }: { name: string }) => name)

describe('the list of tools, asked for again', () => {
  it('is the same, under the id of each request', async () => {
    const ids = [1, 2, 'three', '"', 0, -1]
    const answers = []
    for (const id of ids) answers.push(await list(id, {}))
    expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 200))
    expect(answers.map(({ body }) => [body.jsonrpc, body.id])).toEqual(ids.map((id) => ['2.0', id]))
    expect(new Set(answers.map(({ body }) => JSON.stringify(body.result))).size).toBe(1)
    expect(new Set(answers.map(({ headers }) => headers['content-type'])).size).toBe(1)
    expect(names(await list(9, undefined))).toHaveLength(tools.length)
  })

  it('is refused as before for another version, or a wrong id', async () => {
    const version = { 'mcp-protocol-version': '1999-01-01' }
    const refused = [await list(1, {}, version), await list(2, {}, version), await list({}, {}), await list(null, {})]
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400])
  })

  it('is answered to clients of any name, also to more than are cached', async () => {
    for (let count = 0; count < 60; count++) {
      const name = `client ${count % 55}`
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name, version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      }
      const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' }
      const answer = await list(count, { _meta }, headers)
      expect([answer.status, answer.body.id, names(answer).length]).toEqual([200, count, tools.length])
    }
  })
})
