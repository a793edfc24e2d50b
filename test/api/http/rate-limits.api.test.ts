import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../../api/app.ts'
import { createKey } from '../../../src/accounts/keys.ts'
import { bestOfThree } from '../../best-of-three.ts'
import { type Api, codeOf, startApi, useApi } from '../api.ts'

const api = await useApi({ RATE_LIMIT_PER_ACCOUNT: '3', RATE_LIMIT_PER_ADDRESS: '20' })

describe('rate limits', () => {
  it('429 rate_limited for the account, over all its keys, with Retry-After and counts', async () => {
    const { accountId, get } = await api.newAccount()
    const { token } = await createKey(api.db, { accountId, name: 'second' })
    const left = []
    for (let count = 0; count < 3; count++) left.push((await get('/v1/jobs')).headers['ratelimit-remaining'])
    expect(left).toEqual(['2', '1', '0'])
    const answer = await api.call({ url: '/v1/jobs' }, token)
    expect([answer.status, codeOf(answer)]).toEqual([429, 'rate_limited'])
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    expect(answer.headers['ratelimit-limit']).toBe('3')
    const another = await api.newAccount()
    expect((await another.get('/v1/jobs')).status).toBe(200)
  })

  it('429 rate_limited for the address, before keys are checked, but never for /health', async () => {
    const ask = (remoteAddress: string, url = '/v1/jobs') => api.call({ url, remoteAddress })
    const answers = []
    for (let count = 0; count < 21; count++) answers.push(await ask('203.0.113.7'))
    expect(answers.map(({ status }) => status)).toEqual([...Array(20).fill(401), 429])
    expect((await ask('203.0.113.8')).status).toBe(401)
    for (let count = 0; count < 30; count++) expect((await ask('203.0.113.7', '/health')).status).toBe(200)
  })

  it('counts one /64 of IPv6 as one address', async () => {
    const statuses = []
    for (let count = 1; count <= 21; count++) {
      statuses.push(
        (await api.call({ url: '/v1/catalog', remoteAddress: `2001:db8:1:2::${count.toString(16)}` })).status,
      )
    }
    expect(statuses.at(-1)).toBe(429)
  })
})

it('reads by signed URLs do not count for the address, and guesses of them do', async () => {
  const played = await startApi({ RATE_LIMIT_PER_ADDRESS: '5' })
  const input = { key: 'uploads/a', contentType: 'video/mp4', fileName: 'a.mp4', expiresInSeconds: 60 }
  await played.storage.write(input.key, Readable.from(['bytes']), input.contentType)
  const { pathname, search } = new URL((await played.storage.presignGet(input)).url)
  const ask = async (url: string) => (await played.call({ url })).status
  const statuses = []
  for (let count = 0; count < 8; count++) statuses.push(await ask(pathname + search))
  expect(statuses).toEqual(Array(8).fill(200))
  for (let count = 0; count < 8; count++) statuses.push(await ask(`${pathname}${search}a`))
  expect(statuses.slice(8)).toEqual([...Array(5).fill(400), ...Array(3).fill(429)])
  await played.close()
})

describe('a batch of messages', () => {
  const batch = (size: number) => ({
    method: 'POST' as const,
    url: '/mcp',
    payload: Array.from({ length: size }, (_, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'svc.list_endpoints', arguments: {} },
    })),
  })

  it('counts as its messages, for the account', async () => {
    const [small, large] = [await api.newAccount(), await api.newAccount()]
    const fits = await api.call({ ...batch(3), remoteAddress: '203.0.113.20' }, small.token)
    expect(fits.status).toBe(200)
    expect((await small.get('/v1/jobs')).status).toBe(429)
    const refused = await api.call({ ...batch(4), remoteAddress: '203.0.113.21' }, large.token)
    expect([refused.status, codeOf(refused)]).toEqual([429, 'rate_limited'])
  })

  it('counts as its messages, for the address', async () => {
    const ask = () => api.call({ ...batch(10), remoteAddress: '203.0.113.22' })
    expect([(await ask()).status, (await ask()).status, (await ask()).status]).toEqual([200, 200, 429])
  })
})

describe('a large body of JSON', () => {
  const post = (bytes: number, remoteAddress: string, token?: string) =>
    api.call(
      { method: 'POST', url: '/v1/estimate', payload: { endpoint: 'a'.repeat(bytes) }, remoteAddress },
      ...(token ? [token] : []),
    )

  it('counts as a request for every 16 KiB, for the account', async () => {
    const { token, get } = await api.newAccount()
    expect((await post(40_000, '203.0.113.30', token)).status).toBe(400)
    expect((await get('/v1/jobs')).status).toBe(429)
    const another = await api.newAccount()
    expect((await post(60_000, '203.0.113.31', another.token)).status).toBe(429)
    const small = await api.newAccount()
    expect((await post(10_000, '203.0.113.31', small.token)).status).toBe(400)
    expect((await small.get('/v1/jobs')).status).toBe(200)
  })

  it('counts as a request for every 16 KiB, for the address, also without a key', async () => {
    const statuses = []
    for (let count = 0; count < 3; count++) statuses.push((await post(150_000, '203.0.113.32')).status)
    expect(statuses).toEqual([400, 400, 429])
  })
})

describe('behind a proxy', () => {
  let behind: Api
  beforeAll(async () => {
    behind = await startApi({ RATE_LIMIT_PER_ADDRESS: '3', TRUST_PROXY: '1' })
  })
  afterAll(async () => behind.close())
  const ask = async (on: Api, forwarded: string) =>
    (await on.call({ url: '/v1/catalog', headers: { 'x-forwarded-for': forwarded } })).status

  it("the proxy's entry is counted, not the caller's entries before it", async () => {
    const statuses = []
    for (let count = 0; count < 4; count++) statuses.push(await ask(behind, `198.51.100.${count}, 203.0.113.7`))
    expect(statuses).toEqual([200, 200, 200, 429])
    expect(await ask(behind, '198.51.100.1, 203.0.113.8')).toBe(200)
  })

  it('without a proxy the header is ignored', async () => {
    expect(await ask(api, '198.51.100.9')).toBe(200)
    expect(await api.db.quotaWindow.count({ where: { subject: { contains: '198.51.100.9' } } })).toBe(0)
  })
})

describe('without the database', () => {
  it('routes that need none answer immediately, still limited per address', bestOfThree, async () => {
    const alone = await startApi({ RATE_LIMIT_PER_ADDRESS: '20' })
    await alone.loseDatabase()
    const began = performance.now()
    const statuses = []
    for (let count = 0; count < 25; count++) statuses.push((await alone.call({ url: '/v1/catalog' })).status)
    expect(statuses).toEqual([...Array(20).fill(200), ...Array(5).fill(429)])
    expect(performance.now() - began).toBeLessThan(3_000)
    expect(alone.logLines.filter((line) => line.includes('counted by this process alone')).length).toBeGreaterThan(0)
    await alone.close()
  })

  it('a database that does not answer delays no request', bestOfThree, async () => {
    const silent = await startApi()
    const db = Object.assign(Object.create(silent.db), { $queryRaw: () => new Promise(() => {}) })
    const app = await buildApp({ ...silent, db })
    const began = performance.now()
    for (let count = 0; count < 3; count++) expect((await app.inject('/v1/catalog')).statusCode).toBe(200)
    expect(performance.now() - began).toBeLessThan(5_000)
    await app.close()
    await silent.close()
  })
})
