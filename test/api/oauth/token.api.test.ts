import { describe, expect, it } from 'vitest'
import { buildApp } from '../../../api/app.ts'
import { deleteAccount } from '../../../src/accounts/erase-account.ts'
import { createKey, revokeAllKeys } from '../../../src/accounts/keys.ts'
import { maxKeys } from '../../../src/accounts/make-key.ts'
import { forgetExpiredGrants } from '../../../src/accounts/oauth-tokens.ts'
import { dayMs } from '../../../src/core/time-code.ts'
import { createShare, findSharedBy } from '../../../src/shares/shares.ts'
import { suspend } from '../../accounts/owners.ts'
import { linkIn, mailsTo, openPage, signedIn } from '../account/sign-in/sign-in.ts'
import { codeOf, useApi } from '../api.ts'
import { callback, clients, createClient, statusOnMcp } from './client.ts'

const api = await useApi({ OAUTH_CLIENTS: clients, SIGN_IN_TRIES_PER_ADDRESS: '1000000' })
const client = createClient(api)
const other = createClient(api, 'other-agent')
const person = await signedIn(api)

type Answer = Awaited<ReturnType<typeof client.redeem>>
const errorOf = ({ status, body }: Answer) => `${status} ${body.error}`
const connectorOf = (access: string) => `con_${access.split('_')[2]}`
const grantsOf = (accountId: string) => api.db.apiKey.findMany({ where: { accountId, id: { startsWith: 'con_' } } })

describe('a code', () => {
  it('gives an access token for /mcp only, and a refresh token', async () => {
    const answer = await client.redeem(await client.code(person))
    expect([answer.status, answer.headers['cache-control'], answer.headers['pragma']]).toEqual([
      200,
      'no-store',
      'no-cache',
    ])
    expect(answer.body).toEqual({
      access_token: expect.stringMatching(/^mt_con_[a-zA-Z0-9]{24}_[a-zA-Z0-9]{43}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^mt_ref_[a-zA-Z0-9]{43}$/),
      scope: 'video/*',
    })
    const { access_token } = answer.body
    expect(await statusOnMcp(api, access_token)).toBe(200)
    expect(codeOf(await api.call({ url: '/v1/jobs' }, access_token))).toBe('invalid_api_key')
    expect(await statusOnMcp(api, answer.body.refresh_token)).toBe(401)
    const { notices } = (await person.get('/v1/account/notices')).body
    expect(notices[0]).toMatchObject({ kind: 'connector_created', data: { name: 'Desk <Agent>', scope: 'video/*' } })
  })

  it.each([
    ['another verifier', { code_verifier: 'x'.repeat(50) }, '400 invalid_grant'],
    ['no verifier', { code_verifier: undefined }, '400 invalid_request'],
    ['another client', { client_id: 'other-agent' }, '400 invalid_grant'],
    ['an unknown client', { client_id: 'nobody' }, '401 invalid_client'],
    ['no client', { client_id: undefined }, '400 invalid_request'],
    ['another redirect address of the client', { redirect_uri: 'http://127.0.0.1:8766/callback' }, '400 invalid_grant'],
    ['another resource', { resource: 'https://else.example/mcp' }, '400 invalid_target'],
    ['a client secret', { client_secret: 'secret' }, '401 invalid_client'],
    ['an unknown grant type', { grant_type: 'password' }, '400 unsupported_grant_type'],
  ])('is refused with %s, and not used up', async (_what, fields, error) => {
    const given = await client.code(person)
    expect(errorOf(await client.redeem(given, fields))).toBe(error)
    expect((await client.redeem(given)).status).toBe(200)
  })

  it('that is used again ends what it gave, also long after its end', async () => {
    for (const late of [false, true]) {
      const given = await client.code(person)
      const { body } = await client.redeem(given)
      if (late) await api.db.oAuthGrant.updateMany({ data: { codeExpiresAt: new Date(0) } })
      expect(errorOf(await client.redeem(given))).toBe('400 invalid_grant')
      expect(await statusOnMcp(api, body.access_token)).toBe(401)
      expect(errorOf(await client.refresh(body.refresh_token))).toBe('400 invalid_grant')
    }
  })

  it('that somebody else uses again does not end what it gave', async () => {
    const given = await client.code(person)
    const { body } = await client.redeem(given)
    await other.redeem(given)
    await client.redeem(given, { code_verifier: 'y'.repeat(64) })
    expect(await statusOnMcp(api, body.access_token)).toBe(200)
  })

  it('expires', async () => {
    const given = await client.code(person)
    await api.db.oAuthGrant.updateMany({ where: { connectorId: null }, data: { codeExpiresAt: new Date() } })
    const before = (await grantsOf(person.accountId)).length
    expect(errorOf(await client.redeem(given))).toBe('400 invalid_grant')
    expect(await grantsOf(person.accountId)).toHaveLength(before)
  })

  it.each(['suspended', 'deleted', 'without its keys'])('gives nothing once its account is %s', async (how) => {
    const owner = await signedIn(api)
    const given = await client.code(owner)
    if (how === 'suspended') await suspend(api, owner.accountId)
    else if (how === 'deleted') await deleteAccount(api, owner.accountId)
    else await revokeAllKeys(api.db, owner.accountId)
    expect(errorOf(await client.redeem(given))).toBe('400 invalid_grant')
    expect(await grantsOf(owner.accountId)).toEqual([])
  })

  it.each(['one', 'the last'])(
    'redeemed ten times simultaneously as %s connector gives tokens once, and then ends them',
    async (which) => {
      const owner = await signedIn(api)
      const { accountId } = owner
      const others = Array.from({ length: which === 'one' ? 0 : maxKeys - 1 }, () => ({
        kind: 'con' as const,
        accountId,
        name: 'a',
      }))
      await Promise.all(others.map((key) => createKey(api.db, key)))
      const given = await client.code(owner)
      const answers = await Promise.all(Array.from({ length: 10 }, () => client.redeem(given)))
      const won = answers.filter(({ status }) => status === 200)
      expect(won).toHaveLength(1)
      expect(new Set(answers.filter(({ status }) => status !== 200).map(errorOf))).toEqual(
        new Set(['400 invalid_grant']),
      )
      expect(await statusOnMcp(api, won[0]?.body.access_token)).toBe(401)
    },
  )
})

describe('a refresh token', () => {
  it('is exchanged once; its reuse ends the connection, and no other one of the person', async () => {
    const [first, second] = [await client.connect(person), await client.connect(person)]
    const next = await client.refresh(first.refresh)
    expect(next.body).toMatchObject({ scope: 'video/*', expires_in: 3600 })
    expect(next.body.refresh_token).not.toBe(first.refresh)
    expect(await statusOnMcp(api, next.body.access_token)).toBe(200)
    expect(errorOf(await client.refresh(first.refresh))).toBe('400 invalid_grant')
    expect(await statusOnMcp(api, next.body.access_token)).toBe(401)
    expect(errorOf(await client.refresh(next.body.refresh_token))).toBe('400 invalid_grant')
    expect(await statusOnMcp(api, second.access)).toBe(200)
  })

  it.each([
    ['another client', { client_id: 'other-agent' }, '400 invalid_grant'],
    ['a wider scope', { scope: 'all' }, '400 invalid_scope'],
    ['another resource', { resource: 'https://else.example/mcp' }, '400 invalid_target'],
  ])('is refused with %s, and not used up', async (_what, fields, error) => {
    const { refresh } = await client.connect(person)
    expect(errorOf(await client.refresh(refresh, fields))).toBe(error)
    expect((await client.refresh(refresh)).status).toBe(200)
  })

  it('that is an access token, a code or nonsense is refused', async () => {
    const { access } = await client.connect(person)
    const { code } = await client.code(person)
    for (const text of [access, code, 'nonsense']) expect(errorOf(await client.refresh(text))).toBe('400 invalid_grant')
    expect(await statusOnMcp(api, access)).toBe(200)
  })

  it('exchanged ten times simultaneously gives tokens once, and then ends them', async () => {
    const { refresh } = await client.connect(person)
    const answers = await Promise.all(Array.from({ length: 10 }, () => client.refresh(refresh)))
    const won = answers.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    expect(await statusOnMcp(api, won[0]?.body.access_token)).toBe(401)
  })

  it('expires, and so do access tokens', async () => {
    const { access, refresh } = await client.connect(person)
    const connectorId = connectorOf(access)
    const ended = { data: { expiresAt: new Date() } }
    await api.db.oAuthToken.updateMany({ where: { connectorId }, ...ended })
    expect(await statusOnMcp(api, access)).toBe(401)
    const next = await client.refresh(refresh)
    expect([next.status, await statusOnMcp(api, next.body.access_token)]).toEqual([200, 200])
    await api.db.apiKey.updateMany({ where: { id: connectorId }, ...ended })
    expect(await statusOnMcp(api, next.body.access_token)).toBe(401)
    expect(errorOf(await client.refresh(next.body.refresh_token))).toBe('400 invalid_grant')
  })

  it.each([
    ['first', 105, 0],
    ['second', 3, 1],
    ['last', 3, 2],
  ])('ends the connection when the %s of %i used ones is used again', async (_which, uses, again) => {
    const { refresh } = await client.connect(person)
    const used: string[] = []
    let tokens = { access_token: '', refresh_token: refresh }
    while (used.length < uses) {
      used.push(tokens.refresh_token)
      tokens = (await client.refresh(tokens.refresh_token)).body
    }
    expect(await statusOnMcp(api, tokens.access_token)).toBe(200)
    expect(errorOf(await client.refresh(used[again] ?? ''))).toBe('400 invalid_grant')
    expect(await statusOnMcp(api, tokens.access_token)).toBe(401)
    expect(errorOf(await client.refresh(tokens.refresh_token))).toBe('400 invalid_grant')
  })

  it('ends the connection when it is used again after upkeep deleted what had expired', async () => {
    const { access, refresh } = await client.connect(person)
    await client.refresh(refresh)
    await forgetExpiredGrants(api.db, new Date(Date.now() + 31 * dayMs), 10_000)
    expect(errorOf(await client.refresh(refresh))).toBe('400 invalid_grant')
    const connector = await api.db.apiKey.findUniqueOrThrow({ where: { id: connectorOf(access) } })
    expect(connector.revokedAt).not.toBeNull()
  })

  it('put together from parts of others ends at most the connection of its first part', async () => {
    const [mine, others] = [await client.connect(person), await client.connect(person)]
    const first = String((await client.refresh(mine.refresh)).body.refresh_token)
    const second = (await client.refresh(others.refresh)).body
    const parts = (token: string) => token.slice('mt_ref_'.length).split('_')
    const [family = '', secret = ''] = parts(first)
    const unknown = 'x'.repeat(43)
    const texts = [
      `${unknown}_${secret}`,
      unknown,
      secret,
      `${secret}_${family}`,
      `_${secret}`,
      `${family}_`,
      `${family}_x`,
    ]
    for (const text of [...texts.map((each) => `mt_ref_${each}`), `${first}_${secret}`, first.toUpperCase()]) {
      expect(errorOf(await client.refresh(text))).toBe('400 invalid_grant')
    }
    const last = (await client.refresh(first)).body
    expect(await statusOnMcp(api, last.access_token)).toBe(200)
    expect(errorOf(await client.refresh(`mt_ref_${family}_${parts(second.refresh_token)[1]}`))).toBe(
      '400 invalid_grant',
    )
    expect(await statusOnMcp(api, last.access_token)).toBe(401)
    expect(await statusOnMcp(api, second.access_token)).toBe(200)
    expect((await client.refresh(second.refresh_token)).status).toBe(200)
  })

  it('keeps the rows of a connection few', async () => {
    const { body } = await client.connect(person)
    const connectorId = connectorOf(body.access_token)
    const old = Array.from({ length: 150 }, (_, at) => {
      const expiresAt = new Date(Date.now() + 60_000 + at)
      return { connectorId, hash: new Uint8Array([at, 1]), expiresAt }
    })
    await api.db.oAuthToken.createMany({ data: old })
    const next = await client.refresh(body.refresh_token)
    expect(await api.db.oAuthToken.count({ where: { connectorId } })).toBe(100)
    expect(await statusOnMcp(api, next.body.access_token)).toBe(200)
    expect((await client.refresh(next.body.refresh_token)).status).toBe(200)
  })
})

describe('revocation', () => {
  it.each(['access', 'refresh'] as const)('of the %s token ends the whole connection', async (kind) => {
    const tokens = await client.connect(person)
    const answer = await client.revoke(tokens[kind], {
      token_type_hint: kind === 'access' ? 'refresh_token' : 'nonsense',
    })
    expect([answer.status, answer.text]).toEqual([200, ''])
    expect(await statusOnMcp(api, tokens.access)).toBe(401)
    expect(errorOf(await client.refresh(tokens.refresh))).toBe('400 invalid_grant')
  })

  it('of nonsense, and by another client, changes nothing', async () => {
    const { access } = await client.connect(person)
    expect([(await other.revoke(access)).status, (await client.revoke('nonsense')).status]).toEqual([200, 200])
    expect(await statusOnMcp(api, access)).toBe(200)
    expect(errorOf(await client.revoke(access, { client_id: 'nobody' }))).toBe('401 invalid_client')
  })

  it('is offered by the mail for a new password, which names the client', async () => {
    const owner = await signedIn(api)
    const { access } = await client.connect(owner)
    await owner.post('/api/dashboard/connectors', { name: 'own token' })
    await owner.post('/api/auth/request-password-reset', { email: owner.email })
    const [, mail = ''] = await mailsTo(api, owner.email, 2)
    expect(mail).toContain('- Desk <Agent> (a client that you connected)\r\n')
    expect(mail).toMatch(/- own token \(ends in \w{4}\)/)
    const chosen = { token: linkIn(mail).token, password: 'another horse battery', revoke_keys: true }
    await openPage(api).post('/api/auth/reset-password', chosen)
    expect(await statusOnMcp(api, access)).toBe(401)
  })

  it('by the owner ends a connection at once, and nobody else sees it', async () => {
    const stranger = await signedIn(api)
    const { access, refresh } = await client.connect(person)
    const url = `/api/dashboard/connectors/con_${access.split('_')[2]}/revoke`
    expect(codeOf(await stranger.post(url))).toBe('not_found')
    expect(await statusOnMcp(api, access)).toBe(200)
    expect((await person.post(url)).body.connector).toMatchObject({ client_id: 'desk-agent' })
    expect(await statusOnMcp(api, access)).toBe(401)
    expect(errorOf(await client.refresh(refresh))).toBe('400 invalid_grant')
  })

  it('by the end of the account leaves no row of the grant', async () => {
    const owner = await signedIn(api)
    const { access } = await client.connect(owner)
    await deleteAccount(api, owner.accountId)
    expect(await statusOnMcp(api, access)).toBe(401)
    const { accountId } = owner
    expect(await api.db.oAuthGrant.count({ where: { accountId } })).toBe(0)
    expect(await api.db.oAuthToken.count({ where: { connector: { accountId } } })).toBe(0)
  })
})

describe('a client that the operator removed', () => {
  it('shows nothing by the shares of its connectors, until it is approved again', async () => {
    const owner = await signedIn(api)
    const { access } = await client.connect(owner)
    const subjectId = await (await api.accountOf(owner.accountId)).create()
    const allowed = { allowDownload: false, allowEmbed: false, includeSource: false, includeTranscript: false }
    const { token, share } = await createShare(api.db, {
      ...{ accountId: owner.accountId, apiKeyId: `con_${access.split('_')[2]}`, subjectId, ...allowed },
      ...{ work: 'audio/detect-silence', expiresAt: new Date(Date.now() + 3_600_000) },
    })
    expect(await findSharedBy(api.db, token, ['other-agent'])).toBeNull()
    expect(await findSharedBy(api.db, token, ['desk-agent'])).toMatchObject({ id: share.id, scope: 'video/*' })
  })

  const withClients = async (ids: readonly string[]) => {
    const OAUTH_CLIENTS = api.config.OAUTH_CLIENTS.filter(({ id }) => ids.includes(id))
    return buildApp({ ...api, config: { ...api.config, OAUTH_CLIENTS } })
  }

  it('has no access any more, nor have the keys that its connector made; those of others have', async () => {
    const owner = await signedIn(api)
    const connect = async (who: typeof client, redirect_uri: string) => {
      const given = await who.code(owner, { scope: 'all', redirect_uri })
      const { access_token: access } = (await who.redeem(given, { redirect_uri })).body
      const payload = {
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
        params: { name: 'svc.create_api_key', arguments: { name: 'made by a connector' } },
      }
      const made = await api.call({ method: 'POST', url: '/mcp', payload }, access)
      const { secret } = made.body.result.structuredContent
      const { body } = await api.call(
        { method: 'POST', url: '/v1/keys', payload: { name: 'made by that key' } },
        secret,
      )
      return { access, keys: [secret, body.secret] }
    }
    const removed = await connect(client, callback)
    const kept = await connect(other, 'https://other.example/cb?tenant=1')
    const own = (await owner.post('/v1/keys', { name: 'made by the owner' })).body.secret

    const statuses = async (app: Awaited<ReturnType<typeof buildApp>>) => {
      const get = (token: string) => app.inject({ url: '/v1/jobs', headers: { authorization: `Bearer ${token}` } })
      const ask = (token: string) =>
        app.inject({
          method: 'POST',
          url: '/mcp',
          payload: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
          headers: { authorization: `Bearer ${token}` },
        })
      const answers = [ask(removed.access), ...removed.keys.map(get), ask(kept.access), ...kept.keys.map(get), get(own)]
      return (await Promise.all(answers)).map(({ statusCode }) => statusCode)
    }
    const without = await withClients(['other-agent'])
    expect(await statuses(without)).toEqual([401, 401, 401, 200, 200, 200, 200])
    await without.close()
    const back = await withClients(['desk-agent', 'other-agent'])
    expect(await statuses(back)).toEqual([200, 200, 200, 200, 200, 200, 200])
    await back.close()
  })
})

describe('the token endpoint', () => {
  it('takes forms without repeated fields only, and answers in the form of OAuth', async () => {
    const json = await api.call({
      method: 'POST',
      url: '/api/auth/oauth/token',
      payload: { grant_type: 'authorization_code' },
    })
    expect(errorOf(json)).toBe('400 invalid_request')
    const twice = await client.submit('token', 'client_id=desk-agent&client_id=desk-agent&grant_type=refresh_token')
    expect(errorOf(twice)).toBe('400 invalid_request')
    const basic = await client.token({ grant_type: 'refresh_token' }, { authorization: 'Basic ZGVzay1hZ2VudDp4' })
    expect([errorOf(basic), basic.headers['www-authenticate']]).toEqual(['401 invalid_client', 'Basic realm="oauth"'])
    expect(errorOf(await client.submit('token', `x=${'a'.repeat(30_000)}`))).toBe('400 invalid_request')
  })

  it('serves pages of other sites, which have no cookie of it', async () => {
    const headers = { origin: 'https://agent.example', cookie: person.cookie() ?? '' }
    const answer = await client.token({ grant_type: 'refresh_token', refresh_token: 'x' }, headers)
    expect([errorOf(answer), answer.headers['access-control-allow-origin']]).toEqual(['400 invalid_grant', '*'])
    const preflight = await api.call({ method: 'OPTIONS', url: '/api/auth/oauth/token', headers })
    expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([204, '*'])
  })
})
