import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tools } from '../../../api/mcp/tool-list.ts'
import { keyScopes } from '../../../src/core/scopes.ts'
import { mergeTimelines } from '../../../src/endpoints/timeline-merge/declaration.ts'
import { createKey } from '../../../src/store/keys.ts'
import { type Api, codeOf, mediaUrl, startApi, type TestAccount } from '../api.ts'
import { createAgent } from './agent.ts'
import { toolCases } from './arguments.ts'

let api: Api
let account: TestAccount
const jobs: Record<string, string> = {}
beforeAll(async () => {
  api = await startApi()
  account = await api.newAccount()
  jobs['video'] = await account.create({ endpoint: 'video/clip-window' })
  jobs['audio'] = await account.create({ endpoint: 'audio/detect-silence' })
})
afterAll(async () => api.close())

async function tokenOf(scope: (typeof keyScopes)[number], state: 'good' | 'revoked' | 'expired'): Promise<string> {
  const { keyId, token } = await createKey(api.db, { accountId: account.accountId, name: state, scope })
  const past = new Date(Date.now() - 1000)
  if (state === 'revoked') await api.db.apiKey.update({ where: { id: keyId }, data: { revokedAt: past } })
  if (state === 'expired') await api.db.apiKey.update({ where: { id: keyId }, data: { expiresAt: past } })
  return token
}

/** The code that a call fails with, or undefined. */
async function outcome(token: string, name: string, given: unknown): Promise<unknown> {
  const { body } = await createAgent(api, token).callTool(name, given)
  return body.result.structuredContent.error?.code
}

describe.each(keyScopes)('a key of the scope %s', (scope) => {
  const covers = (group: string) => scope === 'all' || scope === `${group}/*`

  it.each(tools.filter(({ auth }) => auth === 'account').map(({ name }) => name))('svc.%s is for all', async (name) => {
    const code = await outcome(await tokenOf(scope, 'good'), `svc.${name}`, toolCases[name]?.good)
    if (scope === 'all') expect(code).not.toBe('connector_scope_denied')
    else expect(code).toBe('connector_scope_denied')
  })

  it.each([
    ['video/clip-window', undefined],
    ['audio/detect-silence', undefined],
    ['audio/detect-laughter', 'endpoint_unavailable'],
    ['timeline/merge', undefined],
  ])('reaches %s where it covers it', async (endpoint, good) => {
    const token = await tokenOf(scope, 'good')
    const [group = ''] = endpoint.split('/')
    const settings = group === 'timeline' ? { settings: mergeTimelines.example.settings } : {}
    const job = { endpoint, media_url: mediaUrl, start: 1, end: 2, ...settings }
    const request = { ...job, media_seconds: 60 }
    expect(await outcome(token, 'svc.create_job', job)).toBe(covers(group) ? good : 'connector_scope_denied')
    const { structuredContent } = await createAgent(api, token).use('svc.check_job_readiness', request)
    const [first] = structuredContent['checks']
    expect(first.code).toBe(covers(group) ? good : 'connector_scope_denied')
  })

  it('sees the jobs that it covers', async () => {
    const token = await tokenOf(scope, 'good')
    for (const group of ['video', 'audio']) {
      const seen = covers(group) ? undefined : 'not_found'
      expect(await outcome(token, 'svc.get_job', { job_id: jobs[group] })).toBe(seen)
      for (const name of ['svc.get_job_result', 'svc.regenerate_output_url']) {
        expect(await outcome(token, name, { job_id: jobs[group] })).toBe(covers(group) ? 'conflict' : 'not_found')
      }
    }
    const { structuredContent } = await createAgent(api, token).use('svc.list_jobs', { limit: 100 })
    for (const { endpoint } of structuredContent['jobs']) expect(covers(endpoint.split('/')[0])).toBe(true)
  })

  it.each(['revoked', 'expired'] as const)('opens nothing once it is %s, not even what needs no key', async (state) => {
    const token = await tokenOf(scope, state)
    for (const { name } of tools) {
      const answer = await createAgent(api, token).callTool(`svc.${name}`, toolCases[name]?.good)
      expect([name, answer.status, codeOf(answer)]).toEqual([name, 401, 'invalid_api_key'])
      expect(answer.headers['www-authenticate']).toMatch(/^Bearer error="invalid_token", resource_metadata="/)
    }
  })
})

describe('a key made through svc.create_api_key', () => {
  const make = async (token: string, given: object = {}) =>
    (await createAgent(api, token).use('svc.create_api_key', { name: 'made', ...given })).structuredContent

  it('dies with the key that made it, and so do those that it made', async () => {
    const { key, secret } = await make(account.token)
    const child = await make(secret)
    const grandchild = await make(child['secret'], { scope: 'video/*' })
    const other = await make(account.token)
    await createAgent(api, account.token).use('svc.revoke_api_key', { key_id: key.id })
    for (const dead of [secret, child['secret'], grandchild['secret']]) {
      expect(codeOf(await api.call({ url: '/v1/jobs' }, dead))).toBe('invalid_api_key')
    }
    for (const good of [account.token, other['secret']])
      expect((await api.call({ url: '/v1/jobs' }, good)).status).toBe(200)
  })

  it('ends no later than its maker', async () => {
    const expires_at = new Date(Date.now() + 60_000).toISOString()
    const { secret } = await make(account.token, { expires_at })
    expect((await make(secret))['key'].expires_at).toBe(expires_at)
    const later = new Date(Date.now() + 120_000).toISOString()
    expect(await outcome(secret, 'svc.create_api_key', { name: 'later', expires_at: later })).toBe('invalid_request')
  })

  it('never outlives its maker, revoked while it is made', async () => {
    for (let round = 0; round < 5; round++) {
      const { key, secret } = await make(account.token)
      const [made] = await Promise.all([
        createAgent(api, secret).callTool('svc.create_api_key', { name: 'raced' }),
        account.post(`/v1/keys/${key.id}/revoke`),
      ])
      const raced = made.body.result?.structuredContent?.secret
      if (raced) expect(codeOf(await api.call({ url: '/v1/jobs' }, raced))).toBe('invalid_api_key')
    }
  })

  it('made over REST goes on without its maker', async () => {
    const maker = await make(account.token)
    const rest = await api.call({ method: 'POST', url: '/v1/keys', payload: { name: 'rest' } }, maker['secret'])
    await account.post(`/v1/keys/${maker['key'].id}/revoke`)
    expect((await api.call({ url: '/v1/jobs' }, rest.body.secret)).status).toBe(200)
  })
})
