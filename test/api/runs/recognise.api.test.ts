import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { stepJobId } from '../../../src/chains/step-request.ts'
import { acceptStep } from '../../../src/jobs/accept.ts'
import { markRunning, type NewDraft, recordDraft } from '../../../src/jobs/job-changes.ts'
import { settleJob } from '../../../src/jobs/settle-job.ts'
import { canceledRun, settleRun } from '../../../src/jobs/start-and-end.ts'
import { type Api, codeOf, useApi } from '../api.ts'
import { createAgent } from '../mcp/agent.ts'

const api = await useApi()
const account = await api.newAccount()

const runsOf = (chain: string) => `/v1/workflows/${chain}/runs`
const url = runsOf('remove-dead-space')
const media_url = 'https://media.example/talk.mp3?token=secret'
const run = { mode: 'run_all', media_url, media_seconds: 60 }

async function startRun(fields: object = {}, from = account, chain = 'remove-dead-space'): Promise<string> {
  const answer = await from.post(runsOf(chain), { ...run, ...fields })
  expect(answer.status, answer.text).toBe(202)
  return answer.body.run.id
}

async function complete(jobId: string, draft: NewDraft): Promise<void> {
  await markRunning(api.db, jobId)
  await recordDraft(api.db, jobId, draft)
  await settleJob(api.db, jobId)
}

/** Completes the run's step like a worker. */
async function completeStep(
  runId: string,
  position: number,
  result: Record<string, unknown>,
  files: NewDraft['files'] = [],
) {
  const jobId = stepJobId(runId, position)
  const endpoint = ['', 'timeline/suggest-ranges', 'video/clip-window'][position] ?? ''
  if (position > 0)
    await acceptStep(api.db, runId, {
      ...{ jobId, endpoint, rateMicroUsdPerMinute: 0n, maxPriceMicroUsd: 0n, settings: { join: true } },
      ...{ window: { startSeconds: null, endSeconds: null }, warnings: [] },
      reference: position === 2 ? { url: media_url, object: null, name: 'talk.mp3' } : null,
    })
  await complete(jobId, { result, files, billedMilliseconds: 0 })
}

const suggested = {
  media_seconds: 60,
  ranges: [
    { start: 10, end: 20 },
    { start: 30, end: 40 },
  ],
}

const receipt = {
  presented: { start: 10, end: 40 },
  ranges: [
    { presented: { start: 10, end: 20 }, at: 0 },
    { presented: { start: 30, end: 40 }, at: 10 },
  ],
}

/** Completes a run like a worker. */
async function completeRun(runId: string, found: object = { segments: [] }): Promise<void> {
  await completeStep(runId, 0, { media_seconds: 60, ...found })
  await completeStep(runId, 1, suggested)
  const objectKey = `outputs/${stepJobId(runId, 2)}/1/clip.mp3`
  await api.storage.write(objectKey, Readable.from(['clip']), 'audio/mpeg')
  const file = { objectKey, fileName: 'talk-without-pauses.mp3', contentType: 'audio/mpeg', bytes: 4 }
  await completeStep(runId, 2, { media_seconds: 60, receipt }, [
    { ...file, durationSeconds: 20.01, width: null, height: null },
    // Captions beside the clip take no time.
    {
      ...file,
      objectKey: `${objectKey}.srt`,
      fileName: 'talk.srt',
      contentType: 'application/x-subrip',
      durationSeconds: 20.01,
      width: null,
      height: null,
    },
  ])
  await settleRun(api.db, { runId, lastJobId: stepJobId(runId, 2) })
}

const read = async (runId: string) => (await account.get(`/v1/workflow-runs/${runId}`)).body.run

describe('a run', () => {
  it('returns what was asked, and its jobs have its metadata', async () => {
    const asked = {
      settings: { 'timeline/suggest-ranges': { preset: 'tight' } },
      metadata: { episode: '12' },
      start: 5,
    }
    const runId = await startRun(asked)
    expect(await read(runId)).toMatchObject({ ...asked, media: { name: 'talk.mp3', host: 'media.example' } })
    const [listed] = (await account.get('/v1/workflow-runs?limit=1')).body.runs
    expect(listed).toMatchObject({ id: runId, metadata: { episode: '12' }, start: 5 })
    expect(listed).not.toHaveProperty('settings')
    const { jobs } = (await account.get('/v1/jobs?metadata[episode]=12')).body
    expect(jobs).toEqual([expect.objectContaining({ run_id: runId, metadata: { episode: '12' } })])
    const { job } = (await account.get(`/v1/jobs/${stepJobId(runId, 0)}`)).body
    expect(job.settings).toMatchObject({ threshold: 'auto', min_silence_seconds: 0.25, padding_seconds: 0 })
  })

  it('has the result of its last completed step, its files, and what it saved', async () => {
    const runId = await startRun()
    expect(await read(runId)).not.toHaveProperty('result')
    await completeStep(runId, 0, { media_seconds: 60, segments: [] })
    expect(await read(runId)).toMatchObject({ result: { segments: [] } })
    expect(await read(runId)).not.toHaveProperty('output_url')

    const doneId = await startRun()
    await completeRun(doneId)
    const done = await read(doneId)
    expect(done).toMatchObject({
      status: 'completed',
      result: { receipt, output_url: done.output_url },
      outputs: [{ name: 'talk-without-pauses.mp3', url: done.output_url, duration: 20.01 }, { name: 'talk.srt' }],
      saved: { seconds_in: 60, seconds_out: 20.01, cuts: 3 },
    })
    expect((await api.call({ url: done.output_url })).text).toBe('clip')
    const [listed] = (await account.get('/v1/workflow-runs?limit=1')).body.runs
    expect(listed).not.toHaveProperty('result')
  })

  it('is exported as the times of its last step that has any', async () => {
    const runId = await startRun()
    const exported = (query: string, from = account) => from.get(`/v1/workflow-runs/${runId}/export?${query}`)
    expect(codeOf(await exported('as=csv'))).toBe('conflict')
    await completeRun(runId)
    const ranges = await exported('as=csv')
    expect(ranges.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(ranges.text).toContain('10.000,20.000,10.000,"range 1"\r\n30.000,40.000,10.000,"range 2"')
    expect((await exported('as=csv&list=words')).body.error.message).toContain('this result has no words')
    expect(codeOf(await exported('as=csv', await api.newAccount()))).toBe('not_found')
    const { content } = await createAgent(api, account.token).use('svc.get_job_result', { job_id: runId })
    const uri = `http://api.test/v1/workflow-runs/${runId}/export?as=csv`
    expect(content).toContainEqual(expect.objectContaining({ type: 'resource_link', uri, mimeType: 'text/csv' }))
    expect(content[0]?.['text']).toContain(uri)
  })

  it('is exported with the times in its own file, which has its name', async () => {
    const runId = await startRun({}, account, 'clean-speech')
    await completeRun(runId, { transcript: { sentences: [{ start: 15, end: 35, text: 'Hello there.' }] } })
    const exported = (as: string) => account.get(`/v1/workflow-runs/${runId}/export?as=${as}&output_of=${runId}`)
    const chapters = await exported('chapters')
    expect([chapters.status, chapters.text]).toEqual([200, '0:00 Part 1\n0:10 Part 2\n'])
    expect(chapters.headers['content-disposition']).toBe('attachment; filename=talk-without-pauses-chapters.txt')
    // Captions are of the step that heard them, not of the last one with times.
    expect((await exported('srt')).text).toBe('1\n00:00:05,000 --> 00:00:15,000\nHello there.\n\n')
  })

  it('whose end is failed is not exported: its completed job or another run is', async () => {
    const runId = await startRun()
    const exported = (path: string) => account.get(`/v1/${path}`)
    const message = async (path: string) => (await exported(path)).body.error.message
    const ofRun = `workflow-runs/${runId}/export?as=csv`
    expect(await message(ofRun)).toContain(`Wait for it with GET /v1/workflow-runs/${runId}?wait=20.`)
    await completeStep(runId, 0, { media_seconds: 60, segments: [{ start: 1, end: 2 }] })
    await settleRun(api.db, { runId, lastJobId: stepJobId(runId, 2), failure: canceledRun })
    const detection = stepJobId(runId, 0)
    const why = 'This run is failed, and only a completed run can be exported.'
    expect(await message(ofRun)).toBe(
      `${why} Create another one, or export a completed job of it: GET /v1/jobs/${detection}/export.`,
    )
    const cut = `jobs/${detection}/export?as=srt&output_of=${runId}`
    const { status } = await exported(cut)
    expect([status, await message(cut)]).toEqual([409, `${why} Create another one.`])

    const without = await startRun()
    await settleJob(api.db, stepJobId(without, 0), { code: 'no_audio_track', message: 'No audio.' })
    await settleRun(api.db, { runId: without, lastJobId: stepJobId(without, 2) })
    expect(await message(`workflow-runs/${without}/export?as=csv`)).toBe(`${why} Create another one.`)
  })

  it('is accepted by svc.get_job_result with its id', async () => {
    const agent = createAgent(api, account.token)
    const runId = await startRun()
    expect(await agent.failure('svc.get_job_result', { job_id: runId })).toBe('conflict')
    await completeRun(runId)
    const { structuredContent, content } = await agent.use('svc.get_job_result', { job_id: runId })
    expect(structuredContent).toMatchObject({ job_id: stepJobId(runId, 2), result: { outputs: [{ receipt }, {}] } })
    expect(content).toContainEqual(expect.objectContaining({ type: 'resource_link', name: 'talk-without-pauses.mp3' }))

    const failed = await startRun()
    await settleJob(api.db, stepJobId(failed, 0), { code: 'no_audio_track', message: 'No audio.' })
    await settleRun(api.db, { runId: failed, lastJobId: stepJobId(failed, 2) })
    expect(await agent.failure('svc.get_job_result', { job_id: failed })).toBe('no_audio_track')
    const stranger = createAgent(api, (await api.newAccount()).token)
    expect(await stranger.failure('svc.get_job_result', { job_id: runId })).toBe('not_found')
  })

  it('is described by svc.get_job with what it saved, and with one page of a long result', async () => {
    const agent = createAgent(api, account.token)
    const runId = await startRun()
    const segments = Array.from({ length: 250 }, (_, at) => ({ start: at, end: at + 0.5, duration: 0.5 }))
    await completeStep(runId, 0, { media_seconds: 250, segments: [] })
    await completeStep(runId, 1, suggested)
    await completeStep(runId, 2, { media_seconds: 250, segments })
    await settleRun(api.db, { runId, lastJobId: stepJobId(runId, 2) })
    const long = (await agent.use('svc.get_job', { job_id: runId })).structuredContent
    const { lists, next_from_seconds: shown } = long['page']
    expect(lists).toEqual({ segments: { total: 250, shown } })
    expect(long['run'].steps[2].job.result.segments).toEqual(segments.slice(0, shown))

    const doneId = await startRun()
    await completeRun(doneId)
    const { structuredContent, content } = await agent.use('svc.get_job', { job_id: doneId })
    expect(structuredContent['run'].saved).toEqual((await read(doneId)).saved)
    expect(content[0]?.['text']).toContain('3 parts cut out: 60 seconds of media became 20.01.')
    const result = await agent.use('svc.get_job_result', { job_id: doneId })
    expect(result.content[0]?.['text']).toContain('3 parts cut out: 60 seconds of media became 20.01.')
  })

  it('that failed has the error of its table, with the request and the page about it', async () => {
    const runId = await startRun()
    await settleJob(api.db, stepJobId(runId, 0), { code: 'no_audio_track', message: 'No audio.' })
    await settleRun(api.db, { runId, lastJobId: stepJobId(runId, 2) })
    const error = {
      ...{ code: 'no_audio_track', message: 'No audio.', docs_url: 'http://api.test/docs/errors#no_audio_track' },
      request_id: expect.stringMatching(/^req_/),
    }
    expect((await read(runId)).error).toEqual(error)
    const { structuredContent } = await createAgent(api, account.token).use('svc.get_job', { job_id: runId })
    expect(structuredContent['run'].error).toEqual(error)
  })

  it('that was canceled says so beside failed', async () => {
    const runId = await startRun()
    await settleJob(api.db, stepJobId(runId, 0), { code: 'canceled', message: 'Canceled.' })
    await settleRun(api.db, { runId, lastJobId: stepJobId(runId, 2), failure: canceledRun })
    expect(await read(runId)).toMatchObject({ status: 'failed', status_detail: 'canceled' })
  })
})

describe('POST with wait', () => {
  const untilWaiting = (on: Api, id: string) => expect.poll(() => on.waits.has(id)).toBe(true)

  it('200 with the ended run, as soon as it ends', async () => {
    const mine = await api.newAccount()
    const waiting = mine.post(`${url}?wait=30`, run)
    await expect.poll(() => api.db.workflowRun.count({ where: { accountId: mine.accountId } })).toBe(1)
    const { id } = await api.db.workflowRun.findFirstOrThrow({ where: { accountId: mine.accountId } })
    await untilWaiting(api, id)
    await completeRun(id)
    const { status, body, headers } = await waiting
    expect([status, headers['retry-after']]).toEqual([200, undefined])
    expect(body).toMatchObject({ plan: { media_seconds: 60 }, run: { id, status: 'completed', saved: { cuts: 3 } } })
  })

  it('202 with the open run when the time is over, and a repeat waits for the same run', async () => {
    const headers = { 'idempotency-key': 'a-run' }
    const first = await account.post(`${url}?wait=0.2`, run, headers)
    expect([first.status, first.headers['retry-after'], first.body.run.status]).toEqual([202, '1', 'queued'])
    const again = account.post(`${url}?wait=30`, run, headers)
    await untilWaiting(api, first.body.run.id)
    await completeRun(first.body.run.id)
    const { status, body } = await again
    expect([status, body.run.id, body.run.status]).toEqual([200, first.body.run.id, 'completed'])
    expect((await again).headers['idempotent-replayed']).toBe('true')
  })

  it('of queue_first waits for the first job', async () => {
    const mine = await api.newAccount()
    const waiting = mine.post(`${url}?wait=30`, { ...run, mode: 'queue_first' })
    await expect.poll(() => api.db.job.count({ where: { accountId: mine.accountId } })).toBe(1)
    const { id } = await api.db.job.findFirstOrThrow({ where: { accountId: mine.accountId } })
    await untilWaiting(api, id)
    await complete(id, { result: { media_seconds: 60 }, files: [], billedMilliseconds: 0 })
    const { status, body } = await waiting
    expect([status, body.job.status]).toEqual([200, 'completed'])
  })

  it('401 when its key is revoked while it waits', async () => {
    const mine = await api.newAccount()
    const waiting = mine.post(`${url}?wait=30`, run)
    await expect.poll(() => api.db.workflowRun.count({ where: { accountId: mine.accountId } })).toBe(1)
    await expect.poll(() => api.db.openWait.count({ where: { accountId: mine.accountId } })).toBe(1)
    expect((await mine.post(`/v1/keys/${mine.keyId}/revoke`)).status).toBe(200)
    const answer = await waiting
    expect([answer.status, codeOf(answer)]).toEqual([401, 'invalid_api_key'])
  })

  it.each(['61', '-1', 'soon'])('400 invalid_request for wait=%s, before anything is created', async (wait) => {
    const mine = await api.newAccount()
    const answer = await mine.post(`${url}?wait=${wait}`, run)
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request'])
    expect(await api.db.workflowRun.count({ where: { accountId: mine.accountId } })).toBe(0)
  })
})

it('a list of runs is filtered by metadata, file name, status and time, in pages', async () => {
  const mine = await api.newAccount()
  const ids: string[] = []
  for (const episode of ['1', '2', '1'])
    ids.push(
      await startRun({ metadata: { episode, show: 'a' }, media_url: `https://media.example/${episode}.mp3` }, mine),
    )
  const [first, second, third] = ids
  const idsOf = async (query: string): Promise<string[]> =>
    (await mine.get(`/v1/workflow-runs?${query}`)).body.runs.map(({ id }: { id: string }) => id)
  expect(await idsOf('metadata[episode]=1')).toEqual([third, first])
  expect(await idsOf('media_name=2.mp3')).toEqual([second])
  const { body: page } = await mine.get('/v1/workflow-runs?metadata[show]=a&limit=2')
  expect(await idsOf(`metadata[show]=a&limit=2&cursor=${page.next_cursor}`)).toEqual([first])
  const { created_at: at } = (await mine.get(`/v1/workflow-runs/${second}`)).body.run
  expect(await idsOf(`created_after=${at}&metadata[episode]=1`)).toEqual([third])
  expect(await idsOf(`created_before=${at}`)).toEqual([first])
  await markRunning(api.db, stepJobId(first ?? '', 0))
  expect(await idsOf('status=running')).toEqual([first])
  expect(await idsOf('status=queued&metadata[episode]=1')).toEqual([third])
  expect(await idsOf('workflow_id=find-exact-words')).toEqual([])
  expect(codeOf(await mine.get('/v1/workflow-runs?media=2.mp3'))).toBe('invalid_request')
})
