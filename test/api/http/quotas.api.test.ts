import type { FastifyInstance } from 'fastify'
import { beforeEach, describe, expect, it } from 'vitest'
import { buildApp } from '../../../api/app.ts'
import { jobEnvelope } from '../../../api/jobs/schema.ts'
import { listenForAnnouncements } from '../../../src/db/announcements.ts'
import { settleJob } from '../../../src/jobs/settle-job.ts'
import { codeOf, type TestAccount, useApi } from '../api.ts'

let account: TestAccount
const api = await useApi({
  RUNNING_JOBS_PER_ACCOUNT: '2',
  WAITING_JOBS_PER_ACCOUNT: '3',
  OPEN_WAITS_PER_ACCOUNT: '1',
  MAX_UPLOAD_BYTES: '100000',
  PRESIGNED_BYTES_PER_ACCOUNT: '350000',
  STORED_BYTES_PER_ACCOUNT: '360000',
  RATE_LIMIT_PER_ACCOUNT: '60',
})
beforeEach(async () => {
  account = await api.newAccount()
})

it('requests per minute are counted over all API processes', async () => {
  const second = await buildApp(api)
  const ask = async (app: typeof second) =>
    (await app.inject({ url: '/v1/jobs', headers: { authorization: `Bearer ${account.token}` } })).statusCode
  const statuses = await Promise.all(Array.from({ length: 100 }, (_, index) => ask(index % 2 ? second : api.app)))
  expect(statuses.filter((status) => status === 200)).toHaveLength(60)
  expect(statuses.filter((status) => status === 429)).toHaveLength(40)
  await second.close()
})

describe('waiting jobs', () => {
  const create = () =>
    account.post('/v1/jobs', { endpoint: 'audio/detect-silence', media_url: 'https://media.example/a.mp4', end: 1 })

  it('429 rate_limited above the maximum, with what to do, and accepted again after one has left', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, create))
    const accepted = answers.filter(({ status }) => status === 202)
    expect(accepted).toHaveLength(5)
    const refused = answers.find(({ status }) => status === 429)
    expect(refused && codeOf(refused)).toBe('rate_limited')
    expect(refused?.body.error.message).toMatch(/3 waiting jobs.*cancel some/)
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    expect(await api.db.job.count({ where: { accountId: account.accountId } })).toBe(5)

    const [waiting] = await api.db.job.findMany({ where: { accountId: account.accountId, admittedAt: null } })
    await settleJob(api.db, waiting?.id ?? '', { code: 'canceled', message: 'Canceled.' })
    expect((await create()).status).toBe(202)
    expect((await create()).status).toBe(429)
  })

  it('a replay needs no slot', async () => {
    const headers = { 'idempotency-key': 'again' }
    const body = { endpoint: 'audio/detect-silence', media_url: 'https://media.example/a.mp4', end: 1 }
    const first = await account.post('/v1/jobs', body, headers)
    for (let count = 0; count < 4; count++) await create()
    expect((await create()).status).toBe(429)
    expect(await account.post('/v1/jobs', body, headers)).toMatchObject({
      status: 202,
      body: { job_id: first.body.job_id },
    })
  })
})

describe('open waits', () => {
  const wait = async (app: FastifyInstance, jobId: string) => {
    const url = `/v1/jobs/${jobId}?wait=60`
    const answer = await app.inject({ url, headers: { authorization: `Bearer ${account.token}` } })
    return jobEnvelope.parse(answer.json()).job.status
  }
  const held = () => api.db.openWait.count({ where: { accountId: account.accountId } })
  const end = (jobId: string) => settleJob(api.db, jobId, { code: 'canceled', message: 'Canceled.' })

  it('120 with a limit of 100, over two API processes: the 20 oldest are answered with the current job', async () => {
    const config = { ...api.config, OPEN_WAITS_PER_ACCOUNT: 100, RATE_LIMIT_PER_ACCOUNT: 1_000 }
    const announcements = listenForAnnouncements(api.config.DATABASE_URL, () => {})
    const [first, second] = [await buildApp({ ...api, config }), await buildApp({ ...api, config, announcements })]
    const jobId = await account.create()
    const ask = (count: number) => Array.from({ length: count }, (_, index) => wait(index % 2 ? first : second, jobId))

    const oldest = ask(20)
    await expect.poll(held).toBe(20)
    const answered: string[] = []
    const newest = ask(100)
    for (const each of newest) void each.then((status) => answered.push(status))
    expect(new Set(await Promise.all(oldest))).toEqual(new Set(['queued']))
    await expect.poll(held).toBe(100)
    expect(answered).toEqual([])

    await end(jobId)
    expect(new Set(await Promise.all(newest))).toEqual(new Set(['failed']))
    await expect.poll(held).toBe(0)
    await Promise.all([first.close(), second.close()])
    await announcements.close()
  })

  it('the wait of a create also gives way', async () => {
    const direct = { media_url: 'https://media.example/a.mp4', end: 1 }
    const created = account.post('/v1/audio/detect-silence', direct)
    await expect.poll(held).toBe(1)
    const began = performance.now()
    const jobId = await account.create()
    const newer = wait(api.app, jobId)
    expect((await created).status).toBe(202)
    expect(performance.now() - began).toBeLessThan(10_000)
    await end(jobId)
    expect(await newer).toBe('failed')
  })

  it('an estimate that gives way is told to try again', async () => {
    const estimate = account.post('/v1/estimate', {
      endpoint: 'audio/detect-silence',
      media_url: 'https://media.example/a.mp4',
    })
    await expect.poll(held).toBe(1)
    const jobId = await account.create()
    const newer = wait(api.app, jobId)
    expect(codeOf(await estimate)).toBe('rate_limited')
    await end(jobId)
    expect(await newer).toBe('failed')
  })
})

describe('presigned bytes a day', () => {
  const presign = (bytes?: number) => account.post('/v1/uploads/presign', { filename: 'a.mp4', bytes })

  it('429 rate_limited when the stated sizes exceed the maximum, until the day is over', async () => {
    for (const bytes of [100_000, 100_000, 80_000]) expect((await presign(bytes)).status).toBe(200)
    const answer = await presign(70_001)
    expect([answer.status, codeOf(answer)]).toEqual([429, 'rate_limited'])
    expect(answer.body.error.message).toMatch(/350000 bytes a day and has 70000 left/)
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(86_000)
    expect((await presign(70_000)).status).toBe(200)
  })

  it('count an upload without a size as the maximum, and limit an upload to its stated size', async () => {
    for (let count = 0; count < 2; count++) expect((await presign()).status).toBe(200)
    expect((await presign(80_000)).status).toBe(200)
    expect((await presign()).status).toBe(429)
    const { body } = await presign(5)
    const { upload_url: url, upload_headers: headers } = body.upload
    const reachable = url.replace(api.config.BASE_URL, `http://127.0.0.1:${await api.listen()}`)
    const put = (bytes: string) => fetch(reachable, { method: 'PUT', headers, body: bytes })
    expect((await put('123456')).status).toBe(413)
    expect((await put('12345')).status).toBe(200)
  })

  it('413 storage_limit_reached when the uploads that are stored leave too little, until some are deleted', async () => {
    const { body } = await presign(100)
    const { id, upload_url: url, upload_headers: headers } = body.upload
    const reachable = url.replace(api.config.BASE_URL, `http://127.0.0.1:${await api.listen()}`)
    expect((await fetch(reachable, { method: 'PUT', headers, body: 'x'.repeat(100) })).status).toBe(200)
    await api.db.upload.updateMany({ where: { id }, data: { bytes: 280_000 } })
    const refused = await presign(80_001)
    expect([refused.status, codeOf(refused)]).toEqual([413, 'storage_limit_reached'])
    expect(refused.body.error.message).toContain('Delete uploads')
    expect((await presign(80_000)).status).toBe(200)
    expect((await api.call({ method: 'DELETE', url: `/v1/uploads/${id}` }, account.token)).status).toBeLessThan(300)
    expect((await presign(80_001)).status).toBe(200)
  })

  it('count each upload at least 64 KiB, also before it arrives, so that many small ones are limited too', async () => {
    for (let count = 0; count < 5; count++) expect((await presign(1)).status).toBe(200)
    const stored = await presign(1)
    expect([stored.status, codeOf(stored)]).toEqual([413, 'storage_limit_reached'])
    await api.db.upload.deleteMany({ where: { accountId: account.accountId } })
    const aDay = await presign(1)
    expect([aDay.status, codeOf(aDay)]).toEqual([429, 'rate_limited'])
    expect(aDay.body.error.message).toMatch(/has 22320 left; this upload counts as 65536/)
  })
})
