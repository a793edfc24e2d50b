import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { holdEstimate, settleJob } from '../../../src/jobs/settle-job.ts'
import { modelNames } from '../../../src/models/models.ts'
import { createJobClient } from '../../../src/temporal/job-client.ts'
import { bestOfThree } from '../../best-of-three.ts'
import { untilFound } from '../../until-found.ts'
import { codeOf, mediaUrl, startApi, useApi } from '../api.ts'
import { presentDraft } from './drafts.ts'

const api = await useApi({}, { models: new Set(modelNames.filter((name) => name !== 'find-faces')) })
const account = await api.newAccount()
const other = await api.newAccount()

const silence = { endpoint: 'audio/detect-silence', media_url: mediaUrl }
const rowOf = (jobId: string) => api.db.job.findUniqueOrThrow({ where: { id: jobId } })

describe('POST /v1/jobs', () => {
  it('202 with the queued job, whose workflow is started', async () => {
    const answer = await account.post('/v1/jobs', {
      ...silence,
      start: '00:00:01',
      end: 61,
      settings: { threshold: -40, colour: 1 },
    })
    expect(answer.status).toBe(202)
    const { request_id, job_id, job } = answer.body
    expect(job).toMatchObject({
      id: job_id,
      endpoint: 'audio/detect-silence',
      status: 'queued',
      progress: 0,
      estimated_price_usd: 0.002,
      warnings: ['Unknown setting "colour" was ignored.'],
    })
    expect(answer.headers).toMatchObject({ 'retry-after': '1', location: `http://api.test/v1/jobs/${job_id}` })
    expect(await rowOf(job_id)).toMatchObject({
      requestId: request_id,
      accountId: account.accountId,
      startSeconds: 1,
      endSeconds: 61,
    })
    await expect.poll(async () => (await rowOf(job_id)).dispatchedAt).toBeInstanceOf(Date)
  })

  it('holds the provisional price while the length is unknown', async () => {
    const { accountId, create } = await api.newAccount()
    await create()
    const { creditMicroUsd, heldMicroUsd } = await api.db.account.findUniqueOrThrow({ where: { id: accountId } })
    expect([creditMicroUsd, heldMicroUsd]).toEqual([4_980_000n, 20_000n])
  })

  it('with max_price_usd never costs more', async () => {
    const { accountId, post } = await api.newAccount()
    const minute = { ...silence, start: 1, end: 61 }
    const refused = await post('/v1/jobs', { ...minute, max_price_usd: 0.001999 })
    expect([refused.status, codeOf(refused)]).toEqual([402, 'price_limit_reached'])
    expect(await api.db.job.count({ where: { accountId } })).toBe(0)
    expect((await post('/v1/jobs', { ...minute, max_price_usd: 0.002 })).status).toBe(202)

    const { job_id } = (await post('/v1/jobs', { ...silence, max_price_usd: 0.002 })).body
    await expect(holdEstimate(api.db, job_id, () => 2_001n)).rejects.toMatchObject({ code: 'price_limit_reached' })
    await holdEstimate(api.db, job_id, () => 2_000n)

    const lost = await post('/v1/jobs', { ...silence, settings: { max_price_usd: 0.002 } })
    expect([lost.status, lost.body.error.message]).toEqual([400, expect.stringContaining('belongs outside settings')])
    const direct = await post('/v1/audio/detect-silence', { media_url: mediaUrl, start: 1, end: 61, max_price_usd: 0 })
    expect([direct.status, codeOf(direct)]).toEqual([402, 'price_limit_reached'])
  })

  it.each([
    [{}, 'media_url is required'],
    [{ media_url: '' }, 'media_url is required'],
    [{ media_url: 'interview.mp4' }, 'media_url'],
    [{ media_url: 'ftp://media.example/a.mp4' }, 'media_url'],
    [{ media_url: 'https://user:pass@media.example/a.mp4' }, 'media_url'],
    [{ media_url: mediaUrl, endpoint: 'audio/unknown' }, 'endpoint: unknown'],
    [{ media_url: mediaUrl, start: 9, end: 3 }, 'start'],
    [{ media_url: mediaUrl, settings: { _run_on_worker: 1 } }, '_run_on_worker'],
  ])('400 invalid_request for %j', async (fields, named) => {
    const answer = await account.post('/v1/jobs', { endpoint: 'audio/detect-silence', ...fields })
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request'])
    expect(answer.body.error.message).toContain(named)
  })

  it('501 endpoint_unavailable for an endpoint whose model is not installed', async () => {
    const answer = await account.post('/v1/jobs', { ...silence, endpoint: 'video/best-frames' })
    expect([answer.status, codeOf(answer)]).toEqual([501, 'endpoint_unavailable'])
  })

  it('402 billing_required when the credits do not cover the job, and nothing is created', async () => {
    const { accountId, post } = await api.newAccount()
    await api.db.account.update({ where: { id: accountId }, data: { creditMicroUsd: 19_999n } })
    const answer = await post('/v1/jobs', silence, { 'idempotency-key': 'poor' })
    expect([answer.status, codeOf(answer)]).toEqual([402, 'billing_required'])
    expect(await api.db.job.count({ where: { accountId } })).toBe(0)
    // The refusal is not stored: the same key works after the account gets credits.
    await api.db.account.update({ where: { id: accountId }, data: { creditMicroUsd: 20_000n } })
    expect((await post('/v1/jobs', silence, { 'idempotency-key': 'poor' })).status).toBe(202)
  })

  it('202 for a burst of one account, while others are served', async () => {
    const burst = await api.newAccount()
    const creates = Array.from({ length: 150 }, () => burst.post('/v1/jobs', { ...silence, end: 1 }))
    const served = await other.get('/v1/jobs')
    const statuses = (await Promise.all(creates)).map(({ status }) => status)
    expect([served.status, ...new Set(statuses)]).toEqual([200, 202])
  })

  it.each([{ start: 1, end: 1.0001 }, { end: 0.001 }])('400 invalid_request for the window %j', async (window) => {
    const answer = await account.post('/v1/jobs', { ...silence, ...window })
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request'])
  })

  it('202 for a URL with characters that a database does not accept', async () => {
    const answer = await account.post('/v1/jobs', { ...silence, media_url: 'https://media.example/a\u0000\ud800.mp4' })
    expect(answer.status).toBe(202)
  })
})

describe('the media of a job', () => {
  it.each(['http://api.test', 'http://fallback.test', 'HTTP://API.TEST:80'])(
    'is our upload under the base address %s',
    async (base) => {
      const url = (await account.upload()).replace('http://api.test', base)
      const row = await rowOf(await account.create({ media_url: url }))
      expect(row.mediaKey).toMatch(/^uploads\/upl_[a-zA-Z0-9]{24}\/media\.mp4$/)
      expect(row.mediaGeneration).toBe((await api.storage.stat(row.mediaKey ?? ''))?.generation)
    },
  )

  it('404 not_found for the upload of another account and for an unknown one', async () => {
    for (const url of [await other.upload(), 'http://api.test/v1/media/upl_abc']) {
      const answer = await account.post('/v1/jobs', { ...silence, media_url: url })
      expect([answer.status, codeOf(answer)]).toEqual([404, 'not_found'])
    }
  })

  it('400 with the way to the present address for an upload under a former one', async () => {
    for (const base of ['http://127.0.0.1:3999', 'https://former.example']) {
      const url = (await account.upload()).replace('http://api.test', base)
      const uploadId = url.split('/').at(-1)
      const answer = await account.post('/v1/jobs', { ...silence, media_url: url })
      expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request'])
      expect(answer.body.error.message).toContain(`GET /v1/uploads/${uploadId} returns the present media_url`)
      const { body } = await account.get(`/v1/uploads/${uploadId}`)
      expect((await account.post('/v1/jobs', { ...silence, media_url: body.upload.media_url })).status).toBe(202)
    }
  })

  it('400 with the way to the present address for an output under another address of the service', async () => {
    const { id, result } = await presentDraft(api, account)
    for (const base of ['http://localhost:3999', 'https://former.example']) {
      const url = result.output_url.replace('http://api.test', base)
      const answer = await account.post('/v1/jobs', { ...silence, media_url: url })
      expect([answer.status, codeOf(answer), answer.body.error.message]).toEqual([
        400,
        'invalid_request',
        `media_url: the address of the service is http://api.test. POST /v1/jobs/${id}/outputs/refresh returns the present URLs of the outputs.`,
      ])
      const { status } = await other.post('/v1/jobs', {
        ...silence,
        media_url: url.replace(base, 'https://former.example'),
      })
      expect(status).toBe(202)
    }
  })

  it('is no upload of another account under a former address', async () => {
    const url = (await other.upload()).replace('http://api.test', 'https://former.example')
    expect(await rowOf(await account.create({ media_url: url }))).toMatchObject({ mediaUrl: url, mediaKey: null })
  })

  it.each([
    'http://127.0.0.1/a.mp4',
    'http://10.0.0.1/a.mp4',
    'http://2130706433/a.mp4',
    'http://0x7f.1/a.mp4',
    'http://[::1]/a.mp4',
    'http://[::ffff:10.0.0.1]/a.mp4',
    'http://[fd00::1]/a.mp4',
    'http://localhost/a.mp4',
    'https://media.example:8443/a.mp4',
  ])('400 invalid_request for %s, which the reader refuses in any case', async (url) => {
    const answer = await account.post('/v1/jobs', { ...silence, media_url: url })
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request'])
    expect(answer.body.error.message).toContain('an address that is not allowed')
  })

  it('409 conflict before the bytes arrive', async () => {
    const { body } = await account.post('/v1/uploads/presign', { filename: 'a.mp4' })
    const answer = await account.post('/v1/jobs', { ...silence, media_url: body.upload.media_url })
    expect([answer.status, codeOf(answer)]).toEqual([409, 'conflict'])
  })

  it('can be an output of the account, stored without its signature', async () => {
    const url = await presentDraft(api, account).then((job) => job.result.output_url)
    const row = await rowOf(await account.create({ media_url: url }))
    expect(row.mediaKey).toMatch(/^outputs\//)
    expect(row.mediaUrl).not.toContain('signature')
    expect(row.mediaGeneration).toBeTruthy()
  })

  it('404 not_found for an output of another account, a changed URL and a deleted output', async () => {
    const job = await presentDraft(api, other)
    const altered = (await presentDraft(api, account)).result.output_url.replace('expires=', 'expires=9')
    const gone = await presentDraft(api, account)
    await api.storage.deleteUnder(`outputs/${gone.id}`)
    for (const url of [job.result.output_url, altered, gone.result.output_url, 'http://api.test/storage/uploads/x']) {
      const answer = await account.post('/v1/jobs', { ...silence, media_url: url })
      expect([answer.status, codeOf(answer)]).toEqual([404, 'not_found'])
    }
  })

  it('400 invalid_request for an output URL that has expired', async () => {
    const { id } = await presentDraft(api, account)
    const { objectKey: key, fileName, contentType } = await api.db.output.findFirstOrThrow({ where: { jobId: id } })
    const { url } = await api.storage.presignGet({ key, fileName, contentType, expiresInSeconds: -1 })
    const answer = await account.post('/v1/jobs', { ...silence, media_url: url })
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request'])
    expect(answer.body.error.message).toContain('expired')
  })
})

describe('Idempotency-Key', () => {
  const key = (name: string) => ({ 'idempotency-key': name })

  it('returns the same job in its current state, with idempotent-replayed, and charges once', async () => {
    const { accountId, post } = await api.newAccount()
    const first = await post('/v1/jobs', { ...silence, start: 1, end: 2 }, key('again'))
    const second = await post('/v1/jobs', { end: 2, start: 1, ...silence }, key('again'))
    expect([first.status, second.status]).toEqual([202, 202])
    expect(second.body.job_id).toBe(first.body.job_id)
    expect([first.headers['idempotent-replayed'], second.headers['idempotent-replayed']]).toEqual([undefined, 'true'])
    await settleJob(api.db, first.body.job_id, { code: 'canceled', message: 'Canceled.' })
    const third = await post('/v1/jobs', { ...silence, start: 1, end: 2 }, key('again'))
    expect([third.status, third.body.job.status]).toEqual([200, 'failed'])
    expect(await api.db.job.count({ where: { accountId } })).toBe(1)
  })

  it('of several simultaneous requests creates one job', async () => {
    const { accountId, post } = await api.newAccount()
    const answers = await Promise.all(Array.from({ length: 8 }, () => post('/v1/jobs', silence, key('race'))))
    expect(new Set(answers.map(({ body }) => body.job_id)).size).toBe(1)
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === undefined)).toHaveLength(1)
    expect(await api.db.job.count({ where: { accountId } })).toBe(1)
  })

  it('409 idempotency_conflict with another body', async () => {
    await account.post('/v1/jobs', silence, key('body'))
    const answer = await account.post('/v1/jobs', { ...silence, start: 1 }, key('body'))
    expect([answer.status, codeOf(answer)]).toEqual([409, 'idempotency_conflict'])
  })

  it('is separate for each path and account', async () => {
    const first = await account.post('/v1/jobs', { ...silence, settings: { _run_on_worker: true } }, key('path'))
    const direct = await account.post(
      '/v1/audio/detect-silence',
      { media_url: mediaUrl, settings: { _run_on_worker: true } },
      key('path'),
    )
    const theirs = await other.post('/v1/jobs', silence, key('path'))
    expect(new Set([first, direct, theirs].map(({ body }) => body.job_id)).size).toBe(3)
  })

  it('works after the upload was deleted', async () => {
    const body = { ...silence, media_url: await account.upload() }
    const first = await account.post('/v1/jobs', body, key('gone'))
    await api.storage.deleteUnder('uploads')
    const second = await account.post('/v1/jobs', body, key('gone'))
    expect([second.status, second.body.job_id]).toEqual([202, first.body.job_id])
  })

  it.each(['', ' ', 'two words', 'é', 'x'.repeat(256)])('400 invalid_request for %.20j', async (name) => {
    const answer = await account.post('/v1/jobs', silence, key(name))
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request'])
  })

  it('accepts 255 characters, and 400 invalid_request when it is sent twice', async () => {
    expect((await account.post('/v1/jobs', silence, key('~'.repeat(255)))).status).toBe(202)
    const port = await api.listen()
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request({ port, host: '127.0.0.1', path: '/v1/jobs', method: 'POST' }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      sent.on('error', reject)
      sent.setHeader('content-type', 'application/json')
      sent.setHeader('authorization', `Bearer ${account.token}`)
      sent.setHeader('idempotency-key', ['one', 'two'])
      sent.end(JSON.stringify(silence))
    })
    expect(status).toBe(400)
  })
})

describe('direct paths', () => {
  it('200 with the ended job', async () => {
    const { accountId, post } = await api.newAccount()
    const answering = post('/v1/audio/detect-silence', { media_url: mediaUrl })
    const [jobId = ''] = await untilFound(() => (api.waits.size > 0 ? [...api.waits] : null))
    expect(await rowOf(jobId)).toMatchObject({ accountId, endpoint: 'audio/detect-silence' })
    await settleJob(api.db, jobId, { code: 'media_unreachable', message: 'Not there.' })
    const answer = await answering
    expect([answer.status, answer.body.job.status, answer.body.job.error.code]).toEqual([
      200,
      'failed',
      'media_unreachable',
    ])
  })

  it('POST /v1/jobs?wait= answers when the job ends, or the seconds have passed', async () => {
    const { post } = await api.newAccount()
    const answering = post('/v1/jobs?wait=20', { endpoint: 'audio/detect-silence', media_url: mediaUrl })
    const [jobId = ''] = await untilFound(() => (api.waits.size > 0 ? [...api.waits] : null))
    await settleJob(api.db, jobId, { code: 'media_unreachable', message: 'Not there.' })
    const answer = await answering
    expect([answer.status, answer.body.job_id, answer.body.job.status]).toEqual([200, jobId, 'failed'])
    const open = await post('/v1/jobs?wait=0.1', { endpoint: 'audio/detect-silence', media_url: mediaUrl })
    expect([open.status, open.body.job.status, open.headers['retry-after']]).toEqual([202, 'queued', '1'])
    expect((await post('/v1/jobs?wait=61', {})).status).toBe(400)
  })

  it('202 immediately with _run_on_worker', async () => {
    const answer = await account.post('/v1/video/clip-near', {
      media_url: mediaUrl,
      start: 3,
      settings: { _run_on_worker: true },
    })
    expect([answer.status, answer.body.job.endpoint]).toEqual([202, 'video/clip-near'])
  })

  it('501 endpoint_unavailable for an endpoint whose model is not installed', async () => {
    const answer = await account.post('/v1/video/best-frames', { media_url: mediaUrl })
    expect([answer.status, codeOf(answer)]).toEqual([501, 'endpoint_unavailable'])
  })
})

describe('a job that reads no media', () => {
  const segments = [{ start: 1, end: 2, duration: 1 }]
  const merge = { endpoint: 'timeline/merge', settings: { timelines: [{ segments }] } }

  it('needs no media_url, holds nothing and is free without credits', async () => {
    const { accountId, post } = await api.newAccount()
    await api.db.account.update({ where: { id: accountId }, data: { creditMicroUsd: 0n } })
    const answer = await post('/v1/jobs', merge)
    expect([answer.status, answer.body.job.estimated_price_usd, answer.body.job.warnings]).toEqual([202, 0, []])
    expect(await rowOf(answer.body.job_id)).toMatchObject({ mediaUrl: null, mediaKey: null, rateMicroUsdPerMinute: 0n })
  })

  it('ignores media_url, with a warning', async () => {
    const answer = await account.post('/v1/jobs', { ...merge, media_url: 'no URL', end: 5 })
    expect(answer.body.job.warnings).toEqual([
      'media_url was ignored: timeline/merge reads no media.',
      'end was ignored: timeline/merge reads no media.',
    ])
    expect(await rowOf(answer.body.job_id)).toMatchObject({ mediaUrl: null, endSeconds: null })
  })

  it.each([
    [{}, 'settings.timelines or settings.job_ids'],
    [{ timelines: [{ segments }], job_ids: ['job_a'] }, 'not both'],
    [{ timelines: [{ segments }, { segments: [{ start: 2, end: 1 }] }] }, 'settings.timelines[1].segments[0]'],
    [{ job_ids: ['a'] }, 'id of a job'],
  ])('400 invalid_request for %j', async (settings, named) => {
    const answer = await account.post('/v1/timeline/merge', { settings })
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request'])
    expect(answer.body.error.message).toContain(named)
  })
})

describe('while Temporal is down', () => {
  it('202 within about a second: the job stays queued, and a cancellation is recorded', bestOfThree, async () => {
    const unreachable = createJobClient({ ...api.config, TEMPORAL_ADDRESS: '127.0.0.1:1' })
    const down = await startApi({ TEMPORAL_ADDRESS: '127.0.0.1:1' }, { jobs: unreachable })
    try {
      const { post } = await down.newAccount()
      const start = performance.now()
      const answer = await post('/v1/jobs', silence)
      expect([answer.status, answer.body.job.status]).toEqual([202, 'queued'])
      expect(performance.now() - start).toBeLessThan(2_500)
      const row = await down.db.job.findUniqueOrThrow({ where: { id: answer.body.job_id } })
      expect(row.dispatchedAt).toBeNull()

      const canceled = await post(`/v1/jobs/${row.id}/cancel`)
      expect([canceled.status, canceled.body.job.status]).toEqual([202, 'queued'])
      expect((await down.db.job.findUniqueOrThrow({ where: { id: row.id } })).cancelRequestedAt).toBeInstanceOf(Date)
    } finally {
      await down.close()
    }
  })
})
