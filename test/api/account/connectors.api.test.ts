import { describe, expect, it } from 'vitest'
import { createKey } from '../../../src/accounts/keys.ts'
import { maxKeys } from '../../../src/accounts/make-key.ts'
import { suspend } from '../../accounts/owners.ts'
import { codeOf, mediaUrl, useApi } from '../api.ts'
import { createAgent } from '../mcp/agent.ts'
import { mailsTo, openPage, password, signedIn } from './sign-in/sign-in.ts'

const api = await useApi({ SIGN_IN_TRIES_PER_ADDRESS: '1000000' })

const url = '/api/dashboard/connectors'
type Owner = Awaited<ReturnType<typeof signedIn>>

async function connect(owner: Pick<Owner, 'post'>, fields: object = {}) {
  const { status, body } = await owner.post(url, { name: 'assistant', ...fields })
  expect(status).toBe(201)
  return { id: String(body.connector.id), secret: String(body.secret), connector: body.connector }
}

const asMcp = (secret: string) => createAgent(api, secret).send('tools/list')
const job = { endpoint: 'audio/detect-silence', media_url: mediaUrl }

describe('a connector', () => {
  it('is created, used on /mcp, listed with its last use, and revoked', async () => {
    const owner = await signedIn(api)
    const expires_at = new Date(Date.now() + 3_600_000).toISOString()
    const { id, secret, connector } = await connect(owner, { scope: 'audio/*', expires_at, monthly_cap_usd: 5 })
    expect(secret).toMatch(/^mt_con_[a-zA-Z0-9]{24}_[a-zA-Z0-9]{43}$/)
    expect(connector).toEqual({
      id: `con_${secret.split('_')[2]}`,
      name: 'assistant',
      scope: 'audio/*',
      prefix: secret.slice(0, 31),
      last_four: secret.slice(-4),
      monthly_cap_usd: 5,
      created_at: connector.created_at,
      expires_at,
    })
    expect(await createAgent(api, secret).use('svc.create_job', job)).not.toHaveProperty('isError')
    const listed = async () => (await owner.get(url)).body.connectors
    await expect.poll(async () => (await listed())[0].last_used_at).toBeDefined()
    const revoked = await owner.post(`${url}/${id}/revoke`)
    expect([revoked.status, revoked.body.connector.revoked_at]).toEqual([200, expect.any(String)])
    const refused = await asMcp(secret)
    expect([refused.status, codeOf(refused)]).toEqual([401, 'invalid_api_key'])
    expect((await owner.post(`${url}/${id}/revoke`)).body.connector.revoked_at).toBe(revoked.body.connector.revoked_at)
    expect(await listed()).toEqual([expect.objectContaining({ id, revoked_at: expect.any(String) })])
  })

  it('shows its token in no other answer, no log, no notice and no row', async () => {
    const owner = await signedIn(api)
    const { id, secret } = await connect(owner)
    await asMcp(secret)
    const row = JSON.stringify(await api.db.apiKey.findUniqueOrThrow({ where: { id } }))
    const answers = [
      await owner.get(url),
      await owner.get('/v1/account/notices'),
      await owner.post(`${url}/${id}/revoke`),
    ]
    const texts = [row, ...answers.map(({ text }) => text), ...(await mailsTo(api, owner.email)), api.logLines.join('')]
    for (const text of texts) expect(text).not.toContain(secret.slice(-43))
  })

  it('sends one notice, and is none of the keys', async () => {
    const owner = await signedIn(api)
    const { id } = await connect(owner, { scope: 'video/*' })
    const { notices } = (await owner.get('/v1/account/notices')).body
    const data = { connector_id: id, name: 'assistant', scope: 'video/*' }
    expect(notices).toEqual([expect.objectContaining({ kind: 'connector_created', data })])
    expect((await owner.get('/v1/keys')).body.keys).toEqual([])
    expect(codeOf(await owner.post(`/v1/keys/${id}/revoke`))).toBe('not_found')
    expect(codeOf(await owner.patch(`/v1/keys/${id}`, { monthly_cap_usd: null }))).toBe('not_found')
  })

  it('gets no other right than asked: unknown fields are refused', async () => {
    const owner = await signedIn(api)
    for (const fields of [
      { scopes: 'video/*' },
      { monthly_cap: 5 },
      { expiry: 1 },
      { may_raise_limits: true },
      { id: 'con_a' },
    ]) {
      const answer = await owner.post(url, { name: 'assistant', ...fields })
      expect([fields, answer.status, codeOf(answer)]).toEqual([fields, 400, 'invalid_request'])
    }
    for (const fields of [
      { scope: 'images/*' },
      { name: ' ' },
      { monthly_cap_usd: -1 },
      { expires_at: '2020-01-01T00:00:00Z' },
    ])
      expect(codeOf(await owner.post(url, { name: 'assistant', ...fields }))).toBe('invalid_request')
    expect(codeOf(await owner.post(`${url}?scope=all`, { name: 'assistant' }))).toBe('invalid_request')
    expect((await owner.get(url)).body.connectors).toEqual([])
  })

  it('reads what the answers of tools name over REST, within its scope, and changes nothing there', async () => {
    const owner = await signedIn(api)
    const [all, video] = [await connect(owner), await connect(owner, { scope: 'video/*' })]
    const jobId = (await createAgent(api, all.secret).use('svc.create_job', job)).structuredContent['job_id']
    const seen = async (url: string, secret = all.secret) => {
      const answer = await api.call({ url }, secret)
      return answer.status === 200 ? 200 : codeOf(answer)
    }
    expect(await seen(`/v1/jobs/${jobId}`)).toBe(200)
    expect(await seen(`/v1/jobs/${jobId}/export?as=csv`)).toBe('conflict')
    expect(await seen('/v1/workflow-runs/run_aaaaaaaaaaaaaaaaaaaaaaaa')).toBe('not_found')
    expect([await seen('/v1/uploads'), await seen('/v1/uploads/upl_aaaaaaaaaaaaaaaaaaaaaaaa')]).toEqual([
      200,
      'not_found',
    ])
    expect(await seen(`/v1/jobs/${jobId}`, video.secret)).toBe('not_found')
    expect(await seen(`/v1/jobs/${jobId}`, (await connect(await signedIn(api))).secret)).toBe('not_found')
    for (const url of ['/v1/jobs', '/v1/keys', '/v1/account/limits', '/v1/search?q=word'])
      expect([url, await seen(url)]).toEqual([url, 'invalid_api_key'])
    const cancel = await api.call({ method: 'POST', url: `/v1/jobs/${jobId}/cancel` }, all.secret)
    expect(codeOf(cancel)).toBe('invalid_api_key')
    await owner.post(`${url}/${all.id}/revoke`)
    expect(await seen(`/v1/jobs/${jobId}`)).toBe('invalid_api_key')
  })

  it('stays within its scope, with the code connector_scope_denied', async () => {
    const { secret } = await connect(await signedIn(api), { scope: 'video/*' })
    const agent = createAgent(api, secret)
    expect(await agent.failure('svc.create_job', job)).toBe('connector_scope_denied')
    expect(await agent.failure('svc.create_api_key', { name: 'mine' })).toBe('connector_scope_denied')
  })

  it('spends at most its own monthly cap, with the keys that it creates', async () => {
    const owner = await signedIn(api)
    const { secret } = await connect(owner, { monthly_cap_usd: 0.03 })
    const agent = createAgent(api, secret)
    const made = (await agent.use('svc.create_api_key', { name: 'child' })).structuredContent
    expect(made['key']).toMatchObject({ monthly_cap_usd: 0.03 })
    const held = await api.call({ method: 'POST', url: '/v1/jobs', payload: job }, made['secret'])
    expect(held.status).toBe(202)
    expect(await agent.failure('svc.create_job', { ...job, start: 1 })).toBe('spend_cap_reached')
    expect(await agent.failure('svc.set_spend_cap', { monthly_cap_usd: 1, key_id: made['key'].id })).toBe(
      'connector_scope_denied',
    )
    expect((await createAgent(api, (await connect(owner)).secret).use('svc.create_job', job)).isError).toBeUndefined()
  })

  it.each(['tool', 'stream'])('that is revoked ends its open waits (%s), and the keys that it created', async (how) => {
    const owner = await signedIn(api)
    const { id, secret } = await connect(owner)
    const agent = createAgent(api, secret)
    const { accountId } = owner
    const child = String((await agent.use('svc.create_api_key', { name: 'child' })).structuredContent['secret'])
    const jobId = (await agent.use('svc.create_job', job)).structuredContent['job_id']
    const wait = { job_id: jobId, wait_seconds: 25 }
    const began = performance.now()
    const waiting =
      how === 'tool'
        ? agent.callTool('svc.get_job', wait)
        : agent.send('tools/call', { name: 'svc.get_job', arguments: wait, _meta: { progressToken: 1 } })
    await expect.poll(() => api.db.openWait.count({ where: { accountId } })).toBe(1)
    await owner.post(`${url}/${id}/revoke`)
    expect((await waiting).text).toContain('invalid_api_key')
    expect(performance.now() - began).toBeLessThan(10_000)
    expect(codeOf(await api.call({ url: '/v1/jobs' }, child))).toBe('invalid_api_key')
  })

  it('is made by nobody but the owner: a key, a connector and a page of another site are refused', async () => {
    const owner = await signedIn(api)
    const { token } = await createKey(api.db, { accountId: owner.accountId, name: 'key', mayRaiseLimits: true })
    const payload = { name: 'assistant' }
    for (const secret of [undefined, token, (await connect(owner)).secret])
      expect(codeOf(await api.call({ method: 'POST', url, payload }, secret))).toBe('sign_in_required')
    for (const origin of ['https://evil.example', 'null']) {
      const headers = { cookie: owner.cookie(), origin }
      expect(codeOf(await api.call({ method: 'POST', url, payload, headers }))).toBe('csrf_failed')
    }
    const withoutOrigin = { method: 'POST', url, payload, headers: { cookie: owner.cookie() } } as const
    expect(codeOf(await api.call(withoutOrigin))).toBe('csrf_failed')
    expect((await owner.get(url)).body.connectors).toHaveLength(1)
  })

  it('is not made for a suspended account, nor beyond the maximum, even simultaneously', async () => {
    const owner = await signedIn(api)
    const { accountId } = owner
    const rows = Array.from({ length: maxKeys - 1 }, () => createKey(api.db, { kind: 'con', accountId, name: 'one' }))
    await Promise.all(rows)
    const both = await Promise.all([1, 2].map(() => owner.post(url, { name: 'last' })))
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
    expect((await owner.post('/v1/keys', { name: 'key' })).status).toBe(201)
    // Those that have expired give room.
    await api.db.apiKey.updateMany({ where: { accountId, name: 'one' }, data: { expiresAt: new Date() } })
    expect((await owner.post(url, { name: 'next' })).status).toBe(201)
    const suspended = await signedIn(api)
    await suspend(api, suspended.accountId)
    expect(codeOf(await suspended.post(url, { name: 'assistant' }))).toBe('account_suspended')
  })

  it('ends with its account', async () => {
    const owner = await signedIn(api)
    const { secret } = await connect(owner)
    const deletion = { method: 'DELETE', url: '/v1/account', payload: { password } } as const
    const headers = { cookie: owner.cookie(), origin: new URL(api.config.BASE_URL).origin }
    expect((await api.call({ ...deletion, headers })).status).toBeLessThan(300)
    expect(codeOf(await asMcp(secret))).toBe('invalid_api_key')
  })

  it('needs a session that has not ended', async () => {
    const owner = await signedIn(api)
    const other = openPage(api)
    other.setCookie(owner.cookie() ?? '')
    await owner.post('/api/auth/sign-out')
    expect(codeOf(await other.post(url, { name: 'assistant' }))).toBe('sign_in_required')
  })
})
