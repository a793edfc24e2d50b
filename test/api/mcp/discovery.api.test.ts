import { describe, expect, it } from 'vitest'
import { describeTool, presentTool } from '../../../api/mcp/define-tool.ts'
import { tools } from '../../../api/mcp/tool-list.ts'
import { keyScopes } from '../../../src/core/scopes.ts'
import { codeOf, useApi } from '../api.ts'
import { createAgent, protocolVersions } from './agent.ts'

const api = await useApi()

const listed = tools.map((tool) => presentTool({ TOOL_PREFIX: 'svc.' }, tool))

describe('discovery', () => {
  it('shows the declared tools, as tools/list does', async () => {
    const { status, body } = await api.call({ url: '/mcp/manifest' })
    expect(status).toBe(200)
    const expected = tools.map((tool) => describeTool({ TOOL_PREFIX: 'svc.' }, tool))
    expect(body.tools).toEqual(JSON.parse(JSON.stringify(expected)))
    const { result } = (await createAgent(api).send('tools/list')).body
    expect(result.tools).toEqual(JSON.parse(JSON.stringify(listed)))
  })

  it('states the endpoint and how to authenticate, under every address', async () => {
    const { body: manifest } = await api.call({ url: '/mcp/manifest' })
    const { tools: _, ...endpoint } = manifest
    for (const url of ['/mcp', '/.well-known/mcp.json']) expect((await api.call({ url })).body).toEqual(endpoint)
    expect(endpoint).toMatchObject({
      endpoint: 'http://api.test/mcp',
      protocol_versions: protocolVersions,
      authentication: { scopes: keyScopes, oauth: { configured: false } },
    })
    for (const [name, url] of Object.entries(endpoint).filter(([name]) => name.endsWith('_url'))) {
      const { pathname } = new URL(String(url))
      expect([name, (await api.call({ url: pathname })).status]).toEqual([name, 200])
    }
  })

  it('reports that the tools answer, even when jobs do not run', async () => {
    const { status, body } = await api.call({ url: '/mcp/status' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ ok: true, tools: tools.length, protocol_versions: protocolVersions, jobs_ok: false })
  })

  it('names no authorization server while there is none', async () => {
    for (const suffix of ['', '/mcp']) {
      const { status, body } = await api.call({ url: `/.well-known/oauth-protected-resource${suffix}` })
      expect(status).toBe(200)
      expect(body).toMatchObject({ resource: 'http://api.test/mcp', scopes_supported: keyScopes })
      expect(body.authorization_servers).toBeUndefined()
    }
    const { status, body } = await api.call({ url: '/.well-known/oauth-authorization-server' })
    expect([status, body.configured, body.issuer]).toEqual([200, false, 'http://api.test'])
  })

  it('uses the address of the request', async () => {
    const headers = { host: 'fallback.test' }
    const { body } = await api.call({ url: '/.well-known/oauth-protected-resource', headers })
    expect(body.resource).toBe('http://fallback.test/mcp')
    expect((await api.call({ url: '/mcp', headers })).body.endpoint).toBe('http://fallback.test/mcp')
  })

  it('is open to pages', async () => {
    for (const url of ['/mcp', '/mcp/manifest', '/.well-known/mcp.json']) {
      const { headers } = await api.call({ url, headers: { origin: 'http://elsewhere.test' } })
      expect(headers['access-control-allow-origin']).toBe('*')
    }
  })
})

describe('GET /mcp', () => {
  it('shows every tool to people', async () => {
    const { status, headers, text } = await api.call({ url: '/mcp', headers: { accept: 'text/html,*/*' } })
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    for (const { name } of listed) expect(text).toContain(`<code>${name}</code>`)
    expect(text).toContain('http://api.test/mcp')
    for (const place of ['connectors', 'keys']) expect(text).toContain(`href="http://api.test/dashboard/${place}"`)
    expect(text).toContain('claude mcp add --transport http media-timeline http://api.test/mcp --header')
  })

  it('405 for a client that wants a stream', async () => {
    const answer = await api.call({ url: '/mcp', headers: { accept: 'text/event-stream' } })
    expect([answer.status, codeOf(answer)]).toEqual([405, 'method_not_allowed'])
    const deleted = await api.call({ method: 'DELETE', url: '/mcp' })
    expect([deleted.status, deleted.headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS, POST'])
  })
})
