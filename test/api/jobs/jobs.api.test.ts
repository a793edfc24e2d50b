import { describe, expect, it } from 'vitest'
import { newId } from '../../../src/core/ids.ts'
import { markRunning, recordDraft, recordProgress } from '../../../src/jobs/job-changes.ts'
import { settleJob } from '../../../src/jobs/settle-job.ts'
import { bestOfThree } from '../../best-of-three.ts'
import { acceptClip } from '../../billing/jobs.ts'
import { codeOf, startApi, useApi } from '../api.ts'
import { presentDraft, presentPreviewed } from './drafts.ts'

const api = await useApi()
const account = await api.newAccount()
const other = await api.newAccount()

const fail = (jobId: string) => settleJob(api.db, jobId, { code: 'no_audio_track', message: 'No audio.' })

describe('GET /v1/jobs/{job_id}', () => {
  it('200 with the job and Retry-After while it runs', async () => {
    const jobId = await account.create()
    const { status, headers, body } = await account.get(`/v1/jobs/${jobId}`)
    expect([status, headers['retry-after']]).toEqual([200, '1'])
    expect(body).toMatchObject({
      request_id: headers['x-request-id'],
      job_id: jobId,
      job: { id: jobId, status: 'queued' },
    })
  })

  it('200 with a progress of three decimals, which is below 1 until the end', async () => {
    const jobId = await account.create()
    await markRunning(api.db, jobId)
    const progressAfter = async (progress: number) => {
      await recordProgress(api.db, jobId, progress)
      return (await account.get(`/v1/jobs/${jobId}`)).body.job.progress
    }
    expect(await progressAfter(0.0056 + 1e-17)).toBe(0.005)
    expect(await progressAfter(0.99996)).toBe(0.999)
  })

  it('200 with the whole error of a failed job, with the creating request and the job, at no price', async () => {
    const created = await account.post('/v1/jobs', {
      endpoint: 'audio/detect-silence',
      media_url: 'https://media.example/a.mp4',
    })
    const jobId = created.body.job_id
    await fail(jobId)
    const { headers, body } = await account.get(`/v1/jobs/${jobId}`)
    expect(headers['retry-after']).toBeUndefined()
    expect(body.job).toMatchObject({
      status: 'failed',
      final_price_usd: 0,
      error: {
        code: 'no_audio_track',
        message: 'No audio.',
        request_id: created.body.request_id,
        job_id: jobId,
        docs_url: 'http://api.test/docs/errors#no_audio_track',
      },
    })
  })

  it('200 with the warnings of the request, and at its end those of the run', async () => {
    const jobId = await account.create({ end: 1, settings: { colour: 'red' } })
    const warnings = async () => (await account.get(`/v1/jobs/${jobId}`)).body.job.warnings
    const ofRequest = await warnings()
    expect(ofRequest).toEqual([expect.stringContaining('colour')])
    await markRunning(api.db, jobId)
    const draft = { result: {}, files: [], billedMilliseconds: 1_000, warnings: ['The media is damaged.'] }
    await recordDraft(api.db, jobId, draft)
    await settleJob(api.db, jobId)
    expect(await warnings()).toEqual([...ofRequest, 'The media is damaged.'])
  })

  it('200 with a signed output that serves the file', async () => {
    const job = await presentDraft(api, account)
    expect(job).toMatchObject({ status: 'completed', progress: 1, final_price_usd: 0.000334 })
    expect(job.result).toMatchObject({
      media_seconds: 10,
      output: { bytes: 6, content_type: 'video/mp4', duration: 2, width: 640, height: 360, url: job.result.output_url },
    })
    expect(job.result.outputs).toBeUndefined()
    expect(Date.parse(job.result.output.expires_at) - Date.now()).toBeGreaterThan(3_500_000)
    expect((await api.call({ url: job.result.output_url })).text).toBe('clip 0')
  })

  it('200 with a poster beside every clip, which does not count as an output', async () => {
    const { result } = await presentDraft(api, account, 2, true)
    expect(result.outputs).toHaveLength(2)
    expect(result.output).toEqual(expect.objectContaining({ content_type: 'video/mp4' }))
    const { poster } = result.outputs[1]
    expect(poster).toMatchObject({ content_type: 'image/jpeg', width: 640, height: 360 })
    expect((await api.call({ url: poster.url })).text).toBe('picture of 1.jpg')
  })

  it('200 with several outputs in order, each with its receipt', async () => {
    const { result } = await presentDraft(api, account, 3)
    expect(result.outputs.map(({ receipt }: { receipt: unknown }) => receipt)).toEqual([
      { number: 0 },
      { number: 1 },
      { number: 2 },
    ])
    expect(result.output_url).toBe(result.outputs[0].url)
    expect((await api.call({ url: result.outputs[2].url })).text).toBe('clip 2')
  })

  it('200 with a preview beside the result, which is not an output and opens as a picture without scripts', async () => {
    const { id, result } = await presentPreviewed(api, account)
    expect(Object.keys(result)).toEqual(['media_seconds', 'preview'])
    expect(result.preview).toEqual({
      url: expect.stringContaining('/preview.svg?'),
      expires_at: expect.any(String),
      content_type: 'image/svg+xml',
    })
    const { headers, text } = await api.call({ url: result.preview.url })
    expect([headers['content-type'], text]).toEqual(['image/svg+xml', '<svg/>'])
    expect(headers['content-security-policy']).toMatch(/^sandbox; default-src 'none'/)
    const refreshed = await account.post(`/v1/jobs/${id}/outputs/refresh`, {})
    expect(refreshed.body.job.result.preview.url).toContain('/preview.svg?')
  })

  it.each([
    ['jobs', 'run_abc', 'run_abc is a run, not a job. Read it at /v1/workflow-runs/run_abc.'],
    ['workflow-runs', 'job_abc', 'job_abc is a job, not a run. Read it at /v1/jobs/job_abc.'],
  ])('404 at /v1/%s for %s says where it is', async (list, id, message) => {
    const { status, body } = await (await api.newAccount()).get(`/v1/${list}/${id}`)
    expect([status, body.error.message]).toEqual([404, message])
  })

  it('404 not_found for another account, an unknown id and a malformed one', async () => {
    const theirs = await other.create()
    for (const id of [theirs, newId('job'), 'job_', 'nonsense', 'job_%00', 'job_a-b']) {
      const answer = await account.get(`/v1/jobs/${id}`)
      expect([answer.status, codeOf(answer)]).toEqual([404, 'not_found'])
    }
  })

  it.each(['-1', '61', 'soon', '1&wait=2'])('400 invalid_request for wait=%s', async (wait) => {
    const answer = await account.get(`/v1/jobs/${newId('job')}?wait=${wait}`)
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request'])
    expect(answer.body.error.message).toContain('wait')
  })
})

describe('waiting', () => {
  it('answers as soon as the job ends, before the next reread', bestOfThree, async () => {
    const jobId = await account.create()
    const waiting = account.get(`/v1/jobs/${jobId}?wait=30`)
    await untilWaiting()
    const start = performance.now()
    await fail(jobId)
    expect((await waiting).body.job.status).toBe('failed')
    expect(performance.now() - start).toBeLessThan(1_000)
  })

  it('answers many waits for one job', async () => {
    const jobId = await account.create()
    const waiting = Array.from({ length: 20 }, () => account.get(`/v1/jobs/${jobId}?wait=30`))
    await untilWaiting()
    await fail(jobId)
    expect((await Promise.all(waiting)).map(({ body }) => body.job.status)).toEqual(Array(20).fill('failed'))
  })

  it('answers with the running job when the time is over', async () => {
    const jobId = await account.create()
    const start = performance.now()
    const { body } = await account.get(`/v1/jobs/${jobId}?wait=0.3`)
    expect(body.job.status).toBe('queued')
    expect(performance.now() - start).toBeGreaterThanOrEqual(290)
  })

  it('notices an end that was never announced', async () => {
    const jobId = await account.create()
    const waiting = account.get(`/v1/jobs/${jobId}?wait=5`)
    await untilWaiting()
    await api.db.job.update({ where: { id: jobId }, data: { status: 'failed', endedAt: new Date() } })
    expect((await waiting).body.job.status).toBe('failed')
  })

  it('ends early, with the current job, when the server closes', bestOfThree, async () => {
    const closing = await startApi()
    const { create, get } = await closing.newAccount()
    const jobId = await create()
    const waiting = get(`/v1/jobs/${jobId}?wait=30`)
    await expect.poll(() => closing.waits.size).toBe(1)
    const start = performance.now()
    await closing.app.close()
    expect((await waiting).body.job.status).toBe('queued')
    expect(performance.now() - start).toBeLessThan(1_000)
    await closing.close()
  })

  it('ends when the client disconnects, on every path', async () => {
    const base = `http://127.0.0.1:${await api.listen()}`
    const jobId = await account.create()
    const post = (body: object) => ({ method: 'POST', body: JSON.stringify(body) })
    const job = {
      endpoint: 'audio/detect-silence',
      media_url: 'https://media.example/a.mp4',
      settings: { _run_on_worker: false },
    }
    const call = { name: 'svc.get_job', arguments: { job_id: jobId, wait_seconds: 30 } }
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }
    for (const [url, init] of [
      [`/v1/jobs/${jobId}?wait=30`, {}],
      ['/v1/jobs', post(job)],
      ['/mcp', post(message)],
      ['/mcp', post({ ...message, params: { ...call, _meta: { progressToken: 1 } } })],
    ] as const) {
      const client = new AbortController()
      const headers = { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' }
      const answer = fetch(base + url, { ...init, headers, signal: client.signal }).then((response) => response.text())
      await untilWaiting()
      client.abort()
      await expect(answer).rejects.toThrow()
      await expect.poll(() => [url, api.waits.size]).toEqual([url, 0])
    }
  })

  const untilWaiting = () => expect.poll(() => api.waits.size).toBeGreaterThan(0)
})

describe('GET /v1/jobs', () => {
  it('200 with pages, newest first, without overlap or gap', async () => {
    const { create, get } = await api.newAccount()
    const ids: string[] = []
    for (let count = 0; count < 7; count++) ids.unshift(await create())
    const seen: string[] = []
    let cursor = ''
    do {
      const { body } = await get(`/v1/jobs?limit=3${cursor && `&cursor=${cursor}`}`)
      seen.push(...body.jobs.map(({ id }: { id: string }) => id))
      cursor = body.next_cursor ?? ''
    } while (cursor)
    expect(new Set(seen)).toEqual(new Set(ids))
    expect(seen).toHaveLength(7)
  })

  it('200 with only the account’s own jobs that match the filters, without results', async () => {
    const mine = await api.newAccount()
    const done = await presentDraft(api, mine)
    const queued = await mine.create()
    const idsOf = async (query: string) =>
      (await mine.get(`/v1/jobs?${query}`)).body.jobs.map(({ id }: { id: string }) => id)
    expect(await idsOf('status=completed')).toEqual([done.id])
    expect(await idsOf('status=succeeded')).toEqual([done.id])
    expect(await idsOf('endpoint=audio/detect-silence')).toEqual([queued])
    expect(await idsOf('endpoint=audio%2Fdetect-silence&status=completed')).toEqual([])
    expect((await mine.get('/v1/jobs')).body.jobs.every((job: object) => !('result' in job))).toBe(true)
  })

  it.each([
    'limit=0',
    'limit=101',
    'limit=many',
    'status=done',
    'endpoint=nothing',
    'cursor=nonsense',
    `cursor=${Buffer.from('["0000-01-01T00:00:00Z","job_a"]').toString('base64url')}`,
    'cursor=',
    'cursor=WzEsMl0',
  ])('400 invalid_request for %s', async (query) => {
    const answer = await account.get(`/v1/jobs?${query}`)
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request'])
    expect(answer.body.error.message).toContain(query.split('=')[0])
  })
})

describe('POST /v1/jobs/{job_id}/cancel', () => {
  it('202 for a dispatched job: the request is recorded and the workflow is canceled', async () => {
    const jobId = await account.create()
    const rowOf = () => api.db.job.findUniqueOrThrow({ where: { id: jobId } })
    await expect.poll(async () => (await rowOf()).dispatchedAt).toBeInstanceOf(Date)
    const answer = await account.post(`/v1/jobs/${jobId}/cancel`)
    expect([answer.status, answer.body.job.status]).toEqual([202, 'queued'])
    const row = await rowOf()
    expect(row.cancelRequestedAt).toBeInstanceOf(Date)
    const again = await account.post(`/v1/jobs/${jobId}/cancel`)
    expect(again.status).toBe(202)
    expect((await rowOf()).cancelRequestedAt).toEqual(row.cancelRequestedAt)
  })

  it('200 for a job that never reached Temporal: it ends immediately and costs nothing', async () => {
    const { accountId, post } = await api.newAccount()
    // Accepted but not started, as in an outage.
    const { job } = await acceptClip(api.db, accountId, { seconds: 60 })
    const answer = await post(`/v1/jobs/${job.id}/cancel`)
    expect([answer.status, answer.body.job.status, answer.body.job.error.code]).toEqual([200, 'failed', 'canceled'])
    const { creditMicroUsd, heldMicroUsd } = await api.db.account.findUniqueOrThrow({ where: { id: accountId } })
    expect([creditMicroUsd, heldMicroUsd]).toEqual([5_000_000n, 0n])
  })

  it('200 for an ended job, which does not change', async () => {
    const job = await presentDraft(api, account)
    const answer = await account.post(`/v1/jobs/${job.id}/cancel`, '', { 'content-type': 'application/json' })
    expect([answer.status, answer.body.job.status]).toEqual([200, 'completed'])
  })

  it('404 not_found for another account', async () => {
    const answer = await other.post(`/v1/jobs/${await account.create()}/cancel`)
    expect([answer.status, codeOf(answer)]).toEqual([404, 'not_found'])
  })
})

describe('POST /v1/jobs/{job_id}/outputs/refresh', () => {
  it('200 with URLs that work, at no cost', async () => {
    const job = await presentDraft(api, account, 2)
    const { status, body } = await account.post(`/v1/jobs/${job.id}/outputs/refresh`)
    expect(status).toBe(200)
    expect(body.job.final_price_usd).toBe(job.final_price_usd)
    expect((await api.call({ url: body.job.result.outputs[1].url })).text).toBe('clip 1')
  })

  it('409 conflict for a job that has not completed, naming the job', async () => {
    const jobId = await account.create()
    const answer = await account.post(`/v1/jobs/${jobId}/outputs/refresh`)
    expect([answer.status, codeOf(answer), answer.body.error.job_id]).toEqual([409, 'conflict', jobId])
  })

  it('404 not_found for deleted files and for another account', async () => {
    const job = await presentDraft(api, account)
    expect(codeOf(await other.post(`/v1/jobs/${job.id}/outputs/refresh`))).toBe('not_found')
    await api.storage.deleteUnder(`outputs/${job.id}`)
    const answer = await account.post(`/v1/jobs/${job.id}/outputs/refresh`)
    expect([answer.status, codeOf(answer), answer.body.error.job_id]).toEqual([404, 'not_found', job.id])
  })
})
