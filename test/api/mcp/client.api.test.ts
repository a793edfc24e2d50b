import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { tools } from '../../../api/mcp/tool-list.ts'
import { useApi } from '../api.ts'

const api = await useApi()
const url = new URL(`http://127.0.0.1:${await api.listen()}/mcp`)

async function connect(mode: 'legacy' | 'auto', token?: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const headers = token ? { authorization: `Bearer ${token}` } : {}
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  return client
}

describe.each(['legacy', 'auto'] as const)('the official client, version negotiation %s', (mode) => {
  it('lists and calls tools, whose answers match their declarations', async () => {
    const client = await connect(mode)
    const listed = await client.listTools()
    expect(listed.tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => `svc.${name}`))
    const given = { language: 'python', endpoint: 'audio/detect-silence' }
    for (const [name, args] of [
      ['svc.list_endpoints', {}],
      ['svc.get_code_example', given],
    ] as const) {
      // The client checks the answer against the tool's listed output schema.
      const { isError, structuredContent } = await client.callTool({ name, arguments: args })
      expect([isError, structuredContent]).toEqual([undefined, expect.any(Object)])
    }
    await client.close()
  })

  it('shows why a tool failed, after it has read the schemas of the answers', async () => {
    const { token } = await api.newAccount()
    const client = await connect(mode, token)
    await client.listTools()
    const failed = await client.callTool({ name: 'svc.create_job', arguments: { endpoint: 'audio/detect-silence' } })
    expect([failed.isError, failed.structuredContent]).toEqual([true, undefined])
    expect(failed.content).toEqual([{ type: 'text', text: expect.stringMatching(/^invalid_request: media_url/) }])
    expect(failed._meta?.['error']).toMatchObject({
      code: 'invalid_request',
      request_id: expect.any(String),
      docs_url: expect.stringContaining('/docs/errors#invalid_request'),
    })
    await client.close()
  })

  it('shows what to do if the key is missing or wrong', async () => {
    const client = await connect(mode)
    await expect(client.callTool({ name: 'svc.list_jobs' })).rejects.toThrow(
      /"message":"missing_api_key: Send your API key as/,
    )
    await client.close()
    // While it negotiates the version, the client has a message of its own.
    const message = mode === 'legacy' ? /invalid_api_key: .*Use a current one/ : 'requires authorization (HTTP 401)'
    await expect(connect(mode, 'mt_live_wrong')).rejects.toThrow(message)
  })
})
