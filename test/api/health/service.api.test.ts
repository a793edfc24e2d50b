import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorCodes } from '../../../src/core/errors.ts'
import { openDatabase } from '../../../src/db/database.ts'
import { endpoints } from '../../../src/endpoints/catalog.ts'
import { createJobClient } from '../../../src/temporal/job-client.ts'
import { bestOfThree } from '../../best-of-three.ts'
import { type Api, codeOf, startApi, useApi } from '../api.ts'

const api = await useApi()

describe('GET /health', () => {
  it('200 with the state of each part; not ok without a worker', async () => {
    // The first check opens the connections, which can take longer than its limit.
    const look = () => api.call({ url: '/health' })
    await expect.poll(look).toMatchObject({
      status: 200,
      body: {
        ok: false,
        storage: { ok: true, latency_ms: expect.any(Number) },
        jobs: { database: { ok: true }, temporal: { ok: true }, workers: { ok: false, count: 0, confined: 0 } },
      },
    })
  })

  it('logs the reason when a part begins to fail, and its recovery', async () => {
    let fault: Error | undefined
    const flaky = await startApi(
      {},
      {
        storage: {
          ...api.storage,
          ping: async () => {
            if (fault) throw fault
          },
        },
      },
    )
    const storageOk = async () => (await flaky.call({ url: '/health' })).body.storage.ok
    const linesOfStorage = () => flaky.logLines.filter((line) => line.includes('"part":"storage"'))
    fault = new Error('the disk broke')
    await expect.poll(storageOk).toBe(false)
    fault = undefined
    await expect.poll(storageOk).toBe(true)
    expect(linesOfStorage()).toEqual([
      expect.stringContaining('the disk broke'),
      expect.stringContaining('healthy again'),
    ])
    await flaky.close()
  })

  it('checks once for many requests within a second', async () => {
    let looks = 0
    const storage = { ...api.storage, ping: async () => void looks++ }
    const counting = await startApi({}, { storage })
    await Promise.all(Array.from({ length: 10 }, () => counting.call({ url: '/health' })))
    expect(looks).toBe(1)
    await counting.close()
  })
})

describe('while database, Temporal and storage are down', () => {
  let down: Api
  beforeAll(async () => {
    const unreachable = { ...api.config, TEMPORAL_ADDRESS: '127.0.0.1:1' }
    down = await startApi(
      { TEMPORAL_ADDRESS: '127.0.0.1:1' },
      {
        db: openDatabase('postgresql://nobody:nothing@127.0.0.1:1/none'),
        jobs: createJobClient(unreachable),
        storage: { ...api.storage, ping: () => new Promise(() => {}) },
      },
    )
  })
  afterAll(async () => down.close())

  it('200 from /health within about a second, with the failed parts', bestOfThree, async () => {
    const start = performance.now()
    const { status, body } = await down.call({ url: '/health' })
    expect(performance.now() - start).toBeLessThan(2_500)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      ok: false,
      storage: { ok: false },
      jobs: { database: { ok: false }, temporal: { ok: false }, workers: { ok: false, count: 0, confined: 0 } },
    })
  })

  it('503 service_unavailable from /ready and from routes that need the database, 200 from the catalog', async () => {
    const ready = await down.call({ url: '/ready' })
    expect([ready.status, codeOf(ready)]).toEqual([503, 'service_unavailable'])
    const token = `mt_live_${'a'.repeat(24)}_${'b'.repeat(43)}`
    const jobs = await down.call({ url: '/v1/jobs' }, token)
    expect([jobs.status, codeOf(jobs)]).toEqual([503, 'service_unavailable'])
    expect((await down.call({ url: '/v1/catalog' })).status).toBe(200)
  })
})

describe('an unexpected error', () => {
  it('500 server_error without internals, which are in the log', async () => {
    const { token } = await api.newAccount()
    const storage = { ...api.storage, presignPut: () => Promise.reject(new Error('disk /secret/path broke')) }
    const broken = await startApi({ DATABASE_URL: api.config.DATABASE_URL }, { storage, db: api.db })
    const answer = await broken.call(
      { method: 'POST', url: '/v1/uploads/presign', payload: { filename: 'a.mp4' } },
      token,
    )
    expect([answer.status, codeOf(answer)]).toEqual([500, 'server_error'])
    expect(answer.text).not.toContain('secret')
    expect(broken.logLines.join('')).toContain('disk /secret/path broke')
    await broken.app.close()
  })
})

describe('GET /ready', () => {
  it('200 while the database answers', async () => {
    expect((await api.call({ url: '/ready' })).body.ready).toBe(true)
  })
})

describe('GET /v1/catalog', () => {
  it('200 with every endpoint, its price, settings and example', async () => {
    const { status, body } = await api.call({ url: '/v1/catalog' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      version: '2026-06-09-beta',
      groups: ['video', 'audio', 'timeline'],
      credits: { free_usd: 5 },
      formats: { mp4: 'video/mp4', ogg: 'audio/ogg' },
      limits: { upload_url_seconds: 900 },
    })
    expect(body.endpoints.map(({ id, stage }: { id: string; stage: string }) => [id, stage])).toEqual(
      endpoints.map(({ id, stage }) => [id, stage]),
    )
    const silence = body.endpoints.find(({ id }: { id: string }) => id === 'audio/detect-silence')
    expect(silence).toMatchObject({
      price: { usd: 0.002, unit: 'media_minute' },
      needs: { media: true, audio: true, video: false },
      settings: { properties: { threshold: { default: -35 } } },
      result: { properties: { silences: { type: 'array' } } },
    })
  })

  it('has examples that job creation accepts', async () => {
    const { post } = await api.newAccount()
    const { body } = await api.call({ url: '/v1/catalog' })
    const examples = body.endpoints
      .filter(({ stage }: { stage: string }) => stage === 'live')
      .map(({ example }: { example: object }) => example)
    expect(examples).toHaveLength(endpoints.length)
    for (const example of examples) expect((await post('/v1/jobs', example)).status).toBe(202)
  })
})

describe('documents', () => {
  it('302 from / to the reference', async () => {
    const { status, headers } = await api.call({ url: '/' })
    expect([status, headers['location']]).toEqual([302, '/docs/'])
  })

  it('200 from /docs/errors with an anchor for every code', async () => {
    const { status, text } = await api.call({ url: '/docs/errors' })
    expect(status).toBe(200)
    for (const code of errorCodes) expect(text).toContain(`id="${code}"`)
    expect(text).toContain('<code>unsupported_file_type</code></td><td>415, or in <code>job.error</code>')
    const seen = '422, or in <code>job.error</code>'
    expect(text).toContain(`<code>media_unreachable</code></td><td>${seen}</td>`)
    expect(text).toMatch(new RegExp(`<code>media_blocked</code></td><td>${seen}.* 400 <code>invalid_request`))
    expect(text).toContain('<code>canceled</code></td><td>in <code>job.error</code></td>')
    expect(text).toMatch(/<code>timed_out<\/code><\/td><td>422 .*<code>media_seconds<\/code>/)
  })

  it('a table of errors that says when a conflict is worth retrying', async () => {
    const { text } = await api.call({ url: '/docs/errors' })
    expect(text).toContain('<code>conflict</code></td><td>409</td><td>after a change</td>')
    expect(text).toContain('<code>idempotency_conflict</code></td><td>409</td><td>no</td>')
  })

  it('200 from /docs/ with a new nonce each time and no external resources', async () => {
    const [one, two] = await Promise.all([1, 2].map(() => api.call({ url: '/docs/' })))
    const nonceOf = (policy: unknown) => /script-src 'self' 'nonce-([^']+)'/.exec(String(policy))?.[1] ?? ''
    const nonce = nonceOf(one?.headers['content-security-policy'])
    expect(nonce).toMatch(/^[a-zA-Z0-9+/=]{24}$/)
    expect(nonce).not.toBe(nonceOf(two?.headers['content-security-policy']))
    expect(one?.text).toContain(`nonce="${nonce}"`)
    expect(one?.text).not.toMatch(/https?:\/\//)
  })

  it('200 with the reference script from this server', async () => {
    const { status, headers } = await api.call({ url: '/docs/js/scalar.js' })
    expect([status, headers['content-type']]).toEqual([200, 'application/javascript; charset=utf-8'])
  })
})
