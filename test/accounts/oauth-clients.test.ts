import { describe, expect, it } from 'vitest'
import { oauthClients } from '../../src/accounts/oauth-clients.ts'

const good = { client_id: 'desk-agent', client_name: 'Desk', redirect_uris: ['http://127.0.0.1:8765/callback'] }
const parse = (...clients: object[]) => oauthClients.safeParse(JSON.stringify(clients))

describe('OAUTH_CLIENTS', () => {
  it('accepts names, documents, https addresses and addresses of this machine', () => {
    const redirect_uris = ['https://agent.example/cb', 'http://localhost:1/cb', 'http://[::1]:1/cb']
    const parsed = parse(good, { ...good, client_id: 'https://agent.example/client.json', redirect_uris })
    expect(parsed.data?.map(({ id }) => id)).toEqual(['desk-agent', 'https://agent.example/client.json'])
    expect(parsed.data?.[1]?.redirectUris).toEqual(redirect_uris)
  })

  it.each([
    ['http to another machine', { redirect_uris: ['http://agent.example/cb'] }],
    ['a fragment', { redirect_uris: ['https://agent.example/cb#x'] }],
    ['a script', { redirect_uris: ['javascript:alert(1)'] }],
    ['credentials', { redirect_uris: ['https://a:b@agent.example/cb'] }],
    ['no redirect address', { redirect_uris: [] }],
    ['an id with http', { client_id: 'http://agent.example/client.json' }],
    ['a document without a path', { client_id: 'https://agent.example' }],
    ['an id with a space', { client_id: 'desk agent' }],
    ['no name', { client_name: ' ' }],
    ['an unknown field', { redirect_uri: 'https://agent.example/cb' }],
  ])('refuses %s', (_what, fields) => {
    expect(parse({ ...good, ...fields }).success).toBe(false)
  })

  it('refuses an id twice, and what is not JSON, with an example', () => {
    expect(parse(good, good).error?.issues[0]?.message).toBe('has a client_id twice')
    for (const text of ['desk-agent', '{}'])
      expect(oauthClients.safeParse(text).error?.issues[0]?.message).toContain('[{"client_id"')
  })
})
