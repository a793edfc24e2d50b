import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keyScopes } from '../../../src/core/scopes.ts'
import { signedIn } from '../account/sign-in/sign-in.ts'
import { type Api, codeOf, mediaUrl, startApi } from '../api.ts'
import { createAgent } from '../mcp/agent.ts'
import { clients, createClient, documentId } from './client.ts'

describe('a service with OAuth clients', () => {
  let api: Api
  beforeAll(async () => {
    api = await startApi({ OAUTH_CLIENTS: clients })
  })
  afterAll(() => api.close())

  it('names one issuer under both addresses, with every endpoint', async () => {
    for (const host of ['api.test', 'fallback.test']) {
      const { body } = await api.call({ url: '/.well-known/oauth-authorization-server', headers: { host } })
      expect(body).toMatchObject({
        issuer: 'http://api.test',
        authorization_endpoint: 'http://api.test/api/auth/oauth/authorize',
        token_endpoint: 'http://api.test/api/auth/oauth/token',
        revocation_endpoint: 'http://api.test/api/auth/oauth/revoke',
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
        scopes_supported: keyScopes,
        authorization_response_iss_parameter_supported: true,
        client_id_metadata_document_supported: true,
      })
      const resource = await api.call({ url: '/.well-known/oauth-protected-resource/mcp', headers: { host } })
      expect(resource.body).toMatchObject({
        resource: `http://${host}/mcp`,
        authorization_servers: ['http://api.test'],
      })
    }
    expect((await api.call({ url: '/mcp' })).body.authentication.oauth).toEqual({ configured: true })
  })

  it('lists its clients', async () => {
    const { status, body } = await api.call({ url: '/api/auth/oauth/clients' })
    expect(status).toBe(200)
    expect(body.clients.map(({ client_id }: { client_id: string }) => client_id)).toEqual([
      'desk-agent',
      'other-agent',
      documentId,
    ])
  })

  it('challenges every 401 on /mcp with the scope to ask for', async () => {
    const metadata = 'scope="all", resource_metadata="http://api.test/.well-known/oauth-protected-resource/mcp"'
    const missing = await createAgent(api).callTool('svc.list_jobs')
    expect([missing.status, missing.headers['www-authenticate']]).toEqual([401, `Bearer ${metadata}`])
    const wrong = await createAgent(api, `mt_con_${'a'.repeat(24)}_${'b'.repeat(43)}`).send('tools/list')
    expect([wrong.status, wrong.headers['www-authenticate']]).toEqual([
      401,
      `Bearer error="invalid_token", ${metadata}`,
    ])
  })

  it('answers a call beyond the scope of an OAuth token with 403 insufficient_scope, and others with the code', async () => {
    const person = await signedIn(api)
    const { access } = await createClient(api).connect(person)
    const call = { name: 'svc.create_job', arguments: { endpoint: 'audio/detect-silence', media_url: mediaUrl } }
    const denied = await createAgent(api, access).send('tools/call', call)
    expect([denied.status, codeOf(denied)]).toEqual([403, 'connector_scope_denied'])
    expect(denied.headers['www-authenticate']).toMatch(
      /^Bearer error="insufficient_scope", scope="all", resource_metadata=/,
    )
    const { body } = await person.post('/api/dashboard/connectors', { name: 'by hand', scope: 'video/*' })
    expect(await createAgent(api, body.secret).failure(call.name, call.arguments)).toBe('connector_scope_denied')
    // A wider scope would not raise a cap.
    const wide = await createClient(api).connect(person, { scope: 'all' })
    const cap = { monthly_cap_usd: 1 }
    await createAgent(api, wide.access).use('svc.set_spend_cap', cap)
    expect(await createAgent(api, wide.access).failure('svc.set_spend_cap', { monthly_cap_usd: 2 })).toBe(
      'connector_scope_denied',
    )
  })
})

describe('a service without OAuth clients', () => {
  let api: Api
  beforeAll(async () => {
    api = await startApi()
  })
  afterAll(() => api.close())

  it.each([
    ['GET', 'authorize'],
    ['POST', 'authorize'],
    ['POST', 'token'],
    ['GET', 'clients'],
    ['POST', 'revoke'],
  ] as const)('answers %s %s with not_found, in the envelope, even to a browser', async (method, name) => {
    const headers = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await api.call({
      method,
      url: `/api/auth/oauth/${name}`,
      headers,
      ...(method === 'POST' ? { payload: 'a=b' } : {}),
    })
    expect([answer.status, codeOf(answer)]).toEqual([404, 'not_found'])
    expect(answer.body.error.message).toContain('not configured')
  })
})
