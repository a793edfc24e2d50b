import { describe, expect, it } from 'vitest'
import { assistantsFor } from '../../../web/src/pages/connectors/assistants.ts'

const url = 'https://media.example/mcp'
const token = `mt_con_${'a'.repeat(24)}_${'b'.repeat(43)}`
const headers = { Authorization: `Bearer ${token}` }
const assistants = new Map(assistantsFor(url, token).map((each) => [each.name, each]))
const textOf = (name: string) => String(assistants.get(name)?.text)
const linkOf = (name: string) => new URL(String(assistants.get(name)?.link))

describe('the text for each assistant', () => {
  it('names the address and the token', () => {
    for (const { name, text } of assistants.values()) {
      expect([name, text]).toEqual([name, expect.stringContaining(url)])
      expect([name, text]).toEqual([name, expect.stringContaining(`Bearer ${token}`)])
    }
  })

  it('has the form that its documentation states', () => {
    const server = { type: 'http', url, headers }
    expect(JSON.parse(textOf('Cursor'))).toEqual({ mcpServers: { 'media-timeline': { url, headers } } })
    expect(JSON.parse(textOf('VS Code'))).toEqual({ servers: { 'media-timeline': server } })
    expect(JSON.parse(textOf('Gemini CLI'))).toEqual({ mcpServers: { 'media-timeline': { httpUrl: url, headers } } })
    expect(JSON.parse(textOf('Windsurf'))).toEqual({ mcpServers: { 'media-timeline': { serverUrl: url, headers } } })
    expect(JSON.parse(textOf('Others'))).toEqual({ mcpServers: { 'media-timeline': server } })
    expect(textOf('Claude Code')).toMatch(/^claude mcp add --transport http media-timeline https:\S+ --header "Auth/)
    expect(assistants.get('Claude Code')?.place).toContain("your project's folder")
    expect(textOf('Codex')).toMatch(/^\[mcp_servers\.media-timeline\]\nurl = "https:/)
  })
})

describe('a link', () => {
  it('installs the server in Cursor', () => {
    const { protocol, searchParams } = linkOf('Cursor')
    expect([protocol, searchParams.get('name')]).toEqual(['cursor:', 'media-timeline'])
    expect(JSON.parse(atob(String(searchParams.get('config'))))).toEqual({ url, headers })
  })

  it('installs the server in VS Code', () => {
    const { protocol, search } = linkOf('VS Code')
    expect(protocol).toBe('vscode:')
    expect(JSON.parse(decodeURIComponent(search.slice(1)))).toEqual({
      name: 'media-timeline',
      type: 'http',
      url,
      headers,
    })
  })
})
