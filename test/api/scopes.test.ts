import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keyScopes } from '../../src/core/scopes.ts'
import { createKey } from '../../src/store/keys.ts'
import { type Api, codeOf, mediaUrl, startApi, type TestAccount } from './api.ts'

let api: Api
let account: TestAccount
/** A queued job of each group. */
const jobs: Record<string, string> = {}
beforeAll(async () => {
  api = await startApi()
  account = await api.newAccount()
  jobs['video'] = await account.create({ endpoint: 'video/clip-window' })
  jobs['audio'] = await account.create({ endpoint: 'audio/detect-silence' })
  jobs['timeline'] = await account.create({ endpoint: 'timeline/merge', settings: merge })
})
afterAll(() => api.close())

const groups = ['video', 'audio', 'timeline']
const endpointOf: Record<string, string> = {
  video: 'video/clip-window',
  audio: 'audio/detect-silence',
  timeline: 'timeline/merge',
}
const merge = { timelines: [{ segments: [{ start: 1, end: 2 }] }] }

async function ask(token: string | undefined, method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object) {
  const answer = await api.call({ method, url, ...(payload ? { payload } : {}) }, token)
  return answer.status < 400 ? [answer.status] : [answer.status, codeOf(answer)]
}

async function tokenOf(scope: (typeof keyScopes)[number], state: 'good' | 'revoked' | 'expired'): Promise<string> {
  const { keyId, token } = await createKey(api.db, { accountId: account.accountId, name: state, scope })
  const past = new Date(Date.now() - 1000)
  if (state === 'revoked') await api.db.apiKey.update({ where: { id: keyId }, data: { revokedAt: past } })
  if (state === 'expired') await api.db.apiKey.update({ where: { id: keyId }, data: { expiresAt: past } })
  return token
}

const denied = [403, 'connector_scope_denied']
const unknown = [404, 'not_found']

describe.each(keyScopes)('a key of the scope %s', (scope) => {
  const covers = (group: string) => scope === 'all' || scope === `${group}/*`
  let token: string
  beforeAll(async () => {
    token = await tokenOf(scope, 'good')
  })

  it.each(groups)('works on %s endpoints where it covers them', async (group) => {
    const expected = covers(group) ? [202] : denied
    const endpoint = endpointOf[group]
    const settings = group === 'timeline' ? merge : {}
    expect(await ask(token, 'POST', '/v1/jobs', { endpoint, media_url: mediaUrl, settings })).toEqual(expected)
    const direct = { media_url: mediaUrl, settings: { ...settings, _run_on_worker: true } }
    expect(await ask(token, 'POST', `/v1/${endpoint}`, direct)).toEqual(expected)
  })

  it.each(groups)('sees %s jobs where it covers them', async (group) => {
    const url = `/v1/jobs/${jobs[group]}`
    expect(await ask(token, 'GET', url)).toEqual(covers(group) ? [200] : unknown)
    expect(await ask(token, 'POST', `${url}/outputs/refresh`)).toEqual(covers(group) ? [409, 'conflict'] : unknown)
    if (!covers(group)) expect(await ask(token, 'POST', `${url}/cancel`)).toEqual(unknown)
  })

  it('lists the jobs that it covers', async () => {
    const { body } = await api.call({ url: '/v1/jobs?limit=100' }, token)
    const listed = new Set(body.jobs.map(({ endpoint }: { endpoint: string }) => endpoint.split('/')[0]))
    expect(listed).toEqual(new Set(groups.filter(covers)))
    for (const group of groups) {
      const filtered = await api.call({ url: `/v1/jobs?endpoint=${endpointOf[group]}` }, token)
      expect(filtered.body.jobs.length > 0).toBe(covers(group))
    }
  })

  it('brings media', async () => {
    expect(await ask(token, 'POST', '/v1/uploads/presign', { filename: 'a.mp4' })).toEqual([200])
  })

  it.each([
    ['GET', '/v1/keys', undefined, 200],
    ['POST', '/v1/keys', { name: 'made' }, 201],
    ['PATCH', '/v1/keys/KEY', { name: 'renamed' }, 200],
    ['POST', '/v1/keys/KEY/revoke', undefined, 200],
    ['GET', '/v1/account/notices', undefined, 200],
  ] as const)('%s %s is for the scope all', async (method, path, payload, status) => {
    const other = await createKey(api.db, { accountId: account.accountId, name: 'other' })
    const url = path.replace('KEY', other.keyId)
    expect(await ask(token, method, url, payload)).toEqual(scope === 'all' ? [status] : denied)
  })
})

const routes = [
  ['GET', '/v1/jobs'],
  ['POST', '/v1/jobs'],
  ['POST', '/v1/video/clip-window'],
  ['POST', '/v1/uploads/presign'],
  ['GET', '/v1/keys'],
  ['POST', '/v1/keys'],
  ['GET', '/v1/account/notices'],
] as const

describe.each(routes)('%s %s', (method, url) => {
  it.each(keyScopes)('refuses revoked and expired keys of the scope %s', async (scope) => {
    for (const state of ['revoked', 'expired'] as const) {
      expect(await ask(await tokenOf(scope, state), method, url)).toEqual([401, 'invalid_api_key'])
    }
  })

  it('refuses no key at all, and one that there never was', async () => {
    expect(await ask(undefined, method, url)).toEqual([401, 'missing_api_key'])
    const never = `mt_live_${'a'.repeat(24)}_${'b'.repeat(43)}`
    expect(await ask(never, method, url)).toEqual([401, 'invalid_api_key'])
  })
})
