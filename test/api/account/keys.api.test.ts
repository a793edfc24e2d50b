import { once } from 'node:events'
import { type RequestOptions, request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { accountSubject, acquireWaitSlot } from '../../../src/accounts/credentials.ts'
import { createKey, revokeKey } from '../../../src/accounts/keys.ts'
import { newId } from '../../../src/core/ids.ts'
import { codeOf, mediaUrl, useApi } from '../api.ts'
import { createAgent } from '../mcp/agent.ts'
import { openPage, signedIn } from './sign-in/sign-in.ts'

const api = await useApi({ SIGN_IN_TRIES_PER_ADDRESS: '1000000' })

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

/** Sends the last bytes of a body half a second after the first ones, once `meanwhile` is over. Returns the status of the answer. */
async function sendSlowly(options: RequestOptions, payload: object, meanwhile: () => Promise<void>) {
  const body = JSON.stringify(payload)
  const headers = { ...options.headers, 'content-type': 'application/json', 'content-length': body.length }
  const began = performance.now()
  const sending = request({ ...options, port: await api.listen(), headers })
  const answered = once(sending, 'response')
  sending.write(body.slice(0, 5))
  await meanwhile()
  await expect.poll(() => performance.now() - began).toBeGreaterThan(500)
  sending.end(body.slice(5))
  const [response] = await answered
  return response.statusCode
}

describe('an API key', () => {
  it('is created, used, listed, renamed and revoked', async () => {
    const { get, post, patch } = await api.newAccount()
    const made = await post('/v1/keys', { name: ' render farm ', scope: 'video/*', expires_at: inAnHour() })
    expect(made.status).toBe(201)
    const { key, secret } = made.body
    expect(secret).toMatch(/^mt_live_[a-zA-Z0-9]{24}_[a-zA-Z0-9]{43}$/)
    expect(key).toEqual({
      id: key.id,
      name: 'render farm',
      scope: 'video/*',
      prefix: secret.slice(0, 32),
      last_four: secret.slice(-4),
      monthly_cap_usd: null,
      may_raise_limits: false,
      created_at: key.created_at,
      expires_at: key.expires_at,
    })
    expect((await api.call({ url: '/v1/jobs' }, secret)).status).toBe(200)
    await expect.poll(async () => (await get('/v1/keys')).body.keys[0].last_used_at).toBeDefined()

    const url = `/v1/keys/${key.id}`
    expect((await patch(url, { name: 'new name' })).body.key).toMatchObject({ id: key.id, name: 'new name' })
    const revoked = await post(`${url}/revoke`)
    expect([revoked.status, revoked.body.key.revoked_at]).toEqual([200, expect.any(String)])
    const refused = await api.call({ url: '/v1/jobs' }, secret)
    expect([refused.status, codeOf(refused)]).toEqual([401, 'invalid_api_key'])
    expect((await post(`${url}/revoke`)).body.key.revoked_at).toBe(revoked.body.key.revoked_at)
    expect((await get('/v1/keys')).body.keys.map(({ name }: { name: string }) => name)).toEqual(['test', 'new name'])
  })

  it('shows its secret in no other answer, no log and no notice', async () => {
    const { get, post, patch } = await api.newAccount()
    const { body } = await post('/v1/keys', { name: 'quiet' })
    const secret = body.secret.slice(-43)
    const answers = [
      await get('/v1/keys'),
      await patch(`/v1/keys/${body.key.id}`, { name: 'quieter' }),
      await get('/v1/account/notices'),
      await post(`/v1/keys/${body.key.id}/revoke`),
    ]
    await api.call({ url: '/v1/jobs' }, body.secret)
    for (const { status, text } of answers) {
      expect(status).toBe(200)
      expect(text).not.toContain(secret)
    }
    expect(api.logLines.join('')).not.toContain(secret)
  })

  it('causes a notice to the account, with the key in the same transaction', async () => {
    const { get, post } = await api.newAccount()
    const { body } = await post('/v1/keys', { name: 'told', scope: 'audio/*' })
    const { notices } = (await get('/v1/account/notices')).body
    const data = { key_id: body.key.id, name: 'told', scope: 'audio/*' }
    expect(notices).toEqual([expect.objectContaining({ kind: 'key_created', data })])
  })

  it.each([
    ['no name', { name: ' ' }],
    ['a long name', { name: 'n'.repeat(101) }],
    ['a name of several lines', { name: 'one\ntwo' }],
    ['an unknown scope', { scope: 'images/*' }],
    ['an end that has passed', { expires_at: '2020-01-01T00:00:00Z' }],
    ['an end that is no time', { expires_at: 'tomorrow' }],
  ])('is not made with %s', async (_what, fields) => {
    const { post } = await api.newAccount()
    const answer = await post('/v1/keys', { name: 'key', ...fields })
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request'])
  })

  it('ends with the key that created it, at the latest', async () => {
    const { post } = await api.newAccount()
    const end = inAnHour()
    const { secret } = (await post('/v1/keys', { name: 'maker', expires_at: end })).body
    const make = (payload: object) => api.call({ method: 'POST', url: '/v1/keys', payload }, secret)
    expect((await make({ name: 'made' })).body.key.expires_at).toBe(end)
    const later = new Date(Date.parse(end) + 1).toISOString()
    expect(codeOf(await make({ name: 'made', expires_at: later }))).toBe('invalid_request')
  })

  it.each(['REST', 'MCP', 'session'])(
    'that is revoked by %s ends the keys that it created, and those created',
    async (door) => {
      const owner = await signedIn(api)
      const byHand = async (name: string) => (await owner.post('/v1/keys', { name })).body
      const [root, other] = [await byHand('root'), await byHand('other')]
      const byRest = async (token: string) =>
        (await api.call({ method: 'POST', url: '/v1/keys', payload: { name: 'rest' } }, token)).body
      const byTool = async (token: string) =>
        (await createAgent(api, token).use('svc.create_api_key', { name: 'tool' })).structuredContent
      const tree = [root.secret]
      for (const make of [byRest, byTool, byRest]) tree.push((await make(tree.at(-1)))['secret'])
      if (door === 'session') await owner.post(`/v1/keys/${root.key.id}/revoke`)
      if (door === 'REST') await api.call({ method: 'POST', url: `/v1/keys/${root.key.id}/revoke` }, other.secret)
      if (door === 'MCP') await createAgent(api, other.secret).use('svc.revoke_api_key', { key_id: root.key.id })
      for (const secret of tree) expect(codeOf(await api.call({ url: '/v1/jobs' }, secret))).toBe('invalid_api_key')
      expect((await api.call({ url: '/v1/jobs' }, other.secret)).status).toBe(200)
    },
  )

  it.each(['rest', 'tool'])('ends its open waits with it (%s)', async (how) => {
    const { accountId, post, create } = await api.newAccount()
    const jobId = await create()
    const { key, secret } = (await post('/v1/keys', { name: 'waits' })).body
    const began = performance.now()
    const waiting =
      how === 'rest'
        ? api.call({ url: `/v1/jobs/${jobId}?wait=25` }, secret).then(codeOf)
        : createAgent(api, secret).failure('svc.get_job', { job_id: jobId, wait_seconds: 25 })
    await expect.poll(() => api.db.openWait.count({ where: { accountId } })).toBe(1)
    await post(`/v1/keys/${key.id}/revoke`)
    expect(await waiting).toBe('invalid_api_key')
    expect(performance.now() - began).toBeLessThan(10_000)
    await expect.poll(() => api.db.openWait.count({ where: { accountId } })).toBe(0)
  })

  it('ends its waits that are too short yet to count as open', async () => {
    const { accountId, post, create } = await api.newAccount()
    const jobId = await create()
    const { key, secret } = (await post('/v1/keys', { name: 'waits' })).body
    const waiting = api.call({ url: `/v1/jobs/${jobId}?wait=25` }, secret)
    await expect.poll(() => api.waits.has(jobId)).toBe(true)
    await post(`/v1/keys/${key.id}/revoke`)
    expect(await api.db.openWait.count({ where: { accountId } })).toBe(0)
    expect(codeOf(await waiting)).toBe('invalid_api_key')
  })

  it.each([
    ['POST', '/v1/jobs', { endpoint: 'audio/detect-silence', media_url: 'https://media.example/talk.mp4' }],
    ['PUT', '/v1/account/limits', { monthly_cap_usd: 4321 }],
  ])('refuses a body that ends after its revocation: %s %s', async (method, path, payload) => {
    const { accountId, post } = await api.newAccount()
    const { token, keyId } = await createKey(api.db, { accountId, name: 'slow', mayRaiseLimits: true })
    const statusCode = await sendSlowly(
      { method, path, headers: { authorization: `Bearer ${token}` } },
      payload,
      async () => {
        const isSeen = async () => (await api.db.apiKey.findUniqueOrThrow({ where: { id: keyId } })).lastUsedAt !== null
        await expect.poll(isSeen).toBe(true)
        await post(`/v1/keys/${keyId}/revoke`)
      },
    )
    expect(statusCode).toBe(401)
    expect(await api.db.job.count({ where: { accountId } })).toBe(0)
  })

  it('ends its open waits when it expires', async () => {
    const { accountId, create } = await api.newAccount()
    const jobId = await create()
    const expiresAt = new Date(Date.now() + 1_500)
    const { token } = await createKey(api.db, { accountId, name: 'brief', expiresAt })
    expect(codeOf(await api.call({ url: `/v1/jobs/${jobId}?wait=25` }, token))).toBe('invalid_api_key')
    const lateMilliseconds = Date.now() - expiresAt.getTime()
    expect(lateMilliseconds).toBeGreaterThanOrEqual(0)
    expect(lateMilliseconds).toBeLessThan(5_000)
    await expect.poll(() => api.db.openWait.count({ where: { accountId } })).toBe(0)
  })

  it('begins no wait that its revocation would miss', async () => {
    const { accountId } = await api.newAccount()
    const { keyId } = await createKey(api.db, { accountId, name: 'late' })
    await revokeKey(api.db, accountId, keyId)
    const wait = { id: newId('wait'), accountId, keyId, limit: 10, milliseconds: 25_000 }
    expect(await acquireWaitSlot(api.db, wait)).toBe(false)
    expect(await api.db.openWait.count({ where: { accountId } })).toBe(0)
  })

  it('creates no more keys after its revocation', async () => {
    const { accountId, get, post } = await api.newAccount()
    const maker = (await post('/v1/keys', { name: 'maker' })).body
    const make = () => api.call({ method: 'POST', url: '/v1/keys', payload: { name: 'made' } }, maker.secret)
    const count = () => api.db.apiKey.count({ where: { accountId } })
    const made = Array.from({ length: 30 }, make)
    await expect.poll(count).toBeGreaterThan(4)
    await post(`/v1/keys/${maker.key.id}/revoke`)
    const atRevocation = await count()
    const answers = await Promise.all(made)
    expect(await count()).toBe(atRevocation)
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused.map(codeOf)).toEqual(refused.map(() => 'invalid_api_key'))
    expect((await get('/v1/keys')).body.keys).toHaveLength(atRevocation)
  })

  it('expires in a year of four digits', async () => {
    const { get, post } = await api.newAccount()
    const answer = await post('/v1/keys', { name: 'far', expires_at: '9999-12-31T23:59:59-00:01' })
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request'])
    expect((await post('/v1/keys', { name: 'far', expires_at: '9999-12-31T23:59:59Z' })).status).toBe(201)
    expect((await get('/v1/keys')).body.keys[0].expires_at).toBe('9999-12-31T23:59:59.000Z')
  })

  it('of another account is not found', async () => {
    const [mine, theirs] = [await api.newAccount(), await api.newAccount()]
    for (const id of [theirs.keyId, 'key_unknown', 'nonsense', 'key_a b']) {
      const answers = [
        await mine.patch(`/v1/keys/${encodeURIComponent(id)}`, { name: 'mine' }),
        await mine.post(`/v1/keys/${encodeURIComponent(id)}/revoke`),
      ]
      for (const answer of answers) expect([answer.status, codeOf(answer)]).toEqual([404, 'not_found'])
    }
    expect((await theirs.get('/v1/keys')).body.keys).toMatchObject([{ name: 'test' }])
    expect((await mine.get('/v1/keys')).body.keys).toHaveLength(1)
  })

  it('is one of at most a hundred, however many are created simultaneously', async () => {
    const { accountId, post, get } = await api.newAccount()
    for (let index = 0; index < 96; index++) await createKey(api.db, { accountId, name: 'many' })
    const answers = await Promise.all(Array.from({ length: 6 }, () => post('/v1/keys', { name: 'more' })))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 201, 409, 409, 409])
    const { keys } = (await get('/v1/keys')).body
    await post(`/v1/keys/${keys[0].id}/revoke`)
    expect((await post('/v1/keys', { name: 'more' })).status).toBe(201)
  })

  it('records its use at most once a minute', async () => {
    const { keyId, get } = await api.newAccount()
    const used = () => api.db.apiKey.findUniqueOrThrow({ where: { id: keyId } }).then(({ lastUsedAt }) => lastUsedAt)
    await get('/v1/jobs')
    await expect.poll(used).not.toBeNull()
    const first = await used()
    await Promise.all(Array.from({ length: 10 }, () => get('/v1/jobs')))
    expect(await used()).toEqual(first)
    await api.db.apiKey.update({ where: { id: keyId }, data: { lastUsedAt: new Date(Date.now() - 61_000) } })
    await get('/v1/jobs')
    await expect.poll(async () => (await used())?.getTime()).toBeGreaterThan(Date.now() - 30_000)
  })
})

describe('the owner, signed in', () => {
  it('creates, renames and revokes keys, and gets notices', async () => {
    const { get, post, patch } = await signedIn(api)
    const { status, body } = await post('/v1/keys', { name: 'by hand' })
    expect(status).toBe(201)
    expect((await api.call({ url: '/v1/keys' }, body.secret)).body.keys).toHaveLength(1)
    expect((await patch(`/v1/keys/${body.key.id}`, { name: 'renamed' })).status).toBe(200)
    expect((await post(`/v1/keys/${body.key.id}/revoke`)).status).toBe(200)
    expect((await get('/v1/keys')).body.keys).toMatchObject([{ name: 'renamed', revoked_at: expect.any(String) }])
    expect((await get('/v1/account/notices')).body.notices).toMatchObject([{ kind: 'key_created' }])
  })

  it('is protected from requests of other sites', async () => {
    const { cookie, get } = await signedIn(api)
    for (const origin of ['http://evil.test', 'http://fallback.test', 'null', undefined]) {
      const headers = { cookie: cookie() ?? '', ...(origin ? { origin } : {}) }
      const answer = await api.call({ method: 'POST', url: '/v1/keys', payload: { name: 'evil' }, headers })
      expect([answer.status, codeOf(answer)]).toEqual([403, 'csrf_failed'])
    }
    expect((await get('/v1/keys')).body.keys).toEqual([])
  })

  it('creates jobs without a key, and visitors need one', async () => {
    const { post } = await signedIn(api)
    const { status, body } = await post('/v1/jobs', { endpoint: 'audio/detect-silence', media_url: mediaUrl })
    expect(status).toBe(202)
    expect(await api.db.job.findUnique({ where: { id: body.job_id } })).toMatchObject({ apiKeyId: null })
    const visitor = openPage(api)
    for (const answer of [await visitor.get('/v1/jobs'), await visitor.post('/v1/jobs', {})]) {
      expect([answer.status, codeOf(answer)]).toEqual([401, 'missing_api_key'])
    }
  })

  it('is asked to sign in when the session is over', async () => {
    const { userId, get } = await signedIn(api)
    await api.db.session.updateMany({ where: { userId }, data: { expiresAt: new Date(Date.now() - 1) } })
    const answer = await get('/v1/keys')
    expect([answer.status, codeOf(answer)]).toEqual([401, 'sign_in_required'])
    expect(codeOf(await openPage(api).get('/v1/keys'))).toBe('missing_api_key')
  })

  it('makes no key with a body that ends after the session', async () => {
    const { userId, accountId, cookie } = await signedIn(api)
    const headers = { cookie: cookie() ?? '', origin: new URL(api.config.BASE_URL).origin }
    const statusCode = await sendSlowly({ method: 'POST', path: '/v1/keys', headers }, { name: 'late' }, async () => {
      const isCounted = () => api.db.quotaWindow.count({ where: { subject: accountSubject(accountId) } })
      await expect.poll(isCounted).toBe(1)
      await api.db.session.deleteMany({ where: { userId } })
    })
    expect(statusCode).toBe(401)
    expect(await api.db.apiKey.count({ where: { accountId } })).toBe(0)
  })
})

describe('the limits of an API key', () => {
  const clip = { endpoint: 'video/clip-window', media_url: 'https://media.example/a.mp4', start: 0, end: 60 }
  const as = (token: string) => (method: 'GET' | 'POST' | 'PUT' | 'PATCH', url: string, payload?: object) =>
    api.call({ method, url, ...(payload ? { payload } : {}) }, token)

  it('are set by the owner, shown to the key, and hold for the keys that it creates', async () => {
    const owner = await signedIn(api)
    const { key, secret } = (await owner.post('/v1/keys', { name: 'agent', monthly_cap_usd: 0.02 })).body
    expect(key).toMatchObject({ monthly_cap_usd: 0.02, may_raise_limits: false })
    const call = as(secret)
    const child = (await call('POST', '/v1/keys', { name: 'child' })).body
    expect(child.key).toMatchObject({ monthly_cap_usd: 0.02, may_raise_limits: false })
    expect((await as(child.secret)('POST', '/v1/jobs', clip)).status).toBe(202)
    const { limits } = (await call('GET', '/v1/account/limits')).body
    expect(limits.key).toEqual({ monthly_cap_usd: 0.02, may_raise_limits: false, spent_usd: 0, held_usd: 0.01 })
    expect((await call('POST', '/v1/jobs', clip)).status).toBe(202)
    for (const token of [secret, child.secret]) {
      const refused = await as(token)('POST', '/v1/jobs', clip)
      expect([refused.status, codeOf(refused)]).toEqual([402, 'spend_cap_reached'])
      expect(refused.body.error.message).toContain('Ask the owner')
    }
    expect((await owner.get('/v1/account/limits')).body.limits.key).toBeUndefined()
  })

  it('with a cap below the smallest hold leave only jobs whose price is known when they are created', async () => {
    const owner = await signedIn(api)
    const { secret } = (await owner.post('/v1/keys', { name: 'small', monthly_cap_usd: 0.0199 })).body
    const unread = { endpoint: 'audio/detect-silence', media_url: clip.media_url }
    const refused = await as(secret)('POST', '/v1/jobs', unread)
    expect([refused.status, codeOf(refused)]).toEqual([402, 'spend_cap_reached'])
    expect((await as(secret)('POST', '/v1/jobs', clip)).status).toBe(202)
  })

  it('are lowered by the key and raised only by the owner, or by a key whose owner said so', async () => {
    const owner = await signedIn(api)
    const make = async (given: object) =>
      (await owner.post('/v1/keys', { name: 'key', monthly_cap_usd: 5, ...given })).body
    const [bound, free] = [await make({}), await make({ may_raise_limits: true })]
    const setOwn = async ({ key, secret }: { key: { id: string }; secret: string }, usd: number | null) =>
      (await as(secret)('PATCH', `/v1/keys/${key.id}`, { monthly_cap_usd: usd })).status
    expect([await setOwn(bound, 6), await setOwn(bound, null), await setOwn(bound, 4)]).toEqual([403, 403, 200])
    expect([await setOwn(free, 6), await setOwn(free, null), await setOwn(free, 4)]).toEqual([200, 200, 200])
    const setAccount = async ({ secret }: { secret: string }, usd: number | null) =>
      (await as(secret)('PUT', '/v1/account/limits', { monthly_cap_usd: usd })).status
    expect([await setAccount(bound, 9), await setAccount(bound, 10), await setAccount(bound, null)]).toEqual([
      200, 403, 403,
    ])
    expect(await setAccount(free, 10)).toBe(200)
    expect((await owner.patch(`/v1/keys/${bound.key.id}`, { monthly_cap_usd: 7 })).body.key.monthly_cap_usd).toBe(7)
    const given = { name: 'child', may_raise_limits: true }
    expect(codeOf(await as(bound.secret)('POST', '/v1/keys', given))).toBe('connector_scope_denied')
    expect((await as(free.secret)('POST', '/v1/keys', given)).body.key.may_raise_limits).toBe(true)
    expect(codeOf(await as(bound.secret)('POST', '/v1/keys', { name: 'child', monthly_cap_usd: 8 }))).toBe(
      'invalid_request',
    )
  })

  it('are the same through the tools', async () => {
    const owner = await signedIn(api)
    const { key, secret } = (await owner.post('/v1/keys', { name: 'agent', monthly_cap_usd: 5 })).body
    const agent = createAgent(api, secret)
    expect(await agent.failure('svc.set_spend_cap', { monthly_cap_usd: 6, key_id: key.id })).toBe(
      'connector_scope_denied',
    )
    const lowered = await agent.use('svc.set_spend_cap', { monthly_cap_usd: 3, key_id: key.id })
    expect(lowered.structuredContent['key']).toMatchObject({ id: key.id, monthly_cap_usd: 3 })
    expect((await agent.use('svc.set_spend_cap', { monthly_cap_usd: 50 })).isError).toBeUndefined()
    expect(await agent.failure('svc.set_spend_cap', { monthly_cap_usd: null })).toBe('connector_scope_denied')
    const made = (await agent.use('svc.create_api_key', { name: 'child' })).structuredContent
    expect(made['key']).toMatchObject({ monthly_cap_usd: 3, may_raise_limits: false })
    expect(await agent.failure('svc.create_api_key', { name: 'child', may_raise_limits: true })).toBe(
      'connector_scope_denied',
    )
  })

  it.each([{}, { monthly_cap_usd: -1 }, { cap: 5 }])('400 for the change %j', async (change) => {
    const { keyId, patch } = await api.newAccount()
    expect(codeOf(await patch(`/v1/keys/${keyId}`, change))).toBe('invalid_request')
  })
})

it('a key that is sent without Bearer is told so', async () => {
  const { token } = await api.newAccount()
  const answer = await api.call({ url: '/v1/jobs', headers: { authorization: token } })
  expect([answer.status, codeOf(answer)]).toEqual([401, 'invalid_api_key'])
  expect(answer.body.error.message).toContain('without "Bearer "')
})
