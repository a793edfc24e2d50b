import { expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { buildApp } from '../../../api/app.ts'
import { markRunning, recordProgress } from '../../../src/jobs/job-changes.ts'
import type { Failure } from '../../../src/jobs/job-rows.ts'
import { settleJob } from '../../../src/jobs/settle-job.ts'
import { signedIn } from '../account/sign-in/sign-in.ts'
import { useApi } from '../api.ts'
import { openStream } from './open-stream.ts'

const api = await useApi()
const baseUrl = `http://127.0.0.1:${await api.listen()}`

const failure: Failure = { code: 'no_audio_track', message: 'The media has no sound.' }

/** An owner with a stream that is ready, and a key with which programs of theirs create jobs. */
async function owner() {
  const page = await signedIn(api)
  const cookie = page.cookie() ?? ''
  const stream = await openStream(baseUrl, cookie)
  return { page, cookie, stream, ready: await stream.until('ready'), ...(await api.accountOf(page.accountId)) }
}

it('shows a job of any key from its creation to its end, and its progress', async () => {
  const { stream, ready, create } = await owner()
  expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(ready.data).toEqual({ resumed: false })
  const id = await create()
  expect((await stream.until('job')).data).toEqual({
    ...{ id, run_id: null, endpoint: 'audio/detect-silence', status: 'queued', progress: 0 },
  })
  await markRunning(api.db, id)
  await recordProgress(api.db, id, 0.25)
  expect((await stream.until('job', ({ progress }) => progress !== 0)).data).toMatchObject({
    ...{ id, status: 'running', progress: 0.25 },
  })
  await settleJob(api.db, id, failure)
  const { data } = await stream.until('event')
  expect(data).toMatchObject({ type: 'job.failed', data: { id, object: 'job' } })
  stream.leave()
})

it('shows progress at most once a second', async () => {
  const { stream, create } = await owner()
  const id = await create()
  await markRunning(api.db, id)
  const seen: unknown[] = []
  const watching = stream.until('job', ({ progress }) => {
    seen.push(progress)
    return progress === 0.5
  })
  for (let percent = 1; percent <= 50; percent++) await recordProgress(api.db, id, percent / 100)
  await watching
  expect(seen.length).toBeLessThan(10)
  stream.leave()
})

it('ends when its process closes, and another process goes on after the last event without losing one', async () => {
  const first = await buildApp(api)
  await first.listen({ host: '127.0.0.1', port: 0 })
  const { port } = z.object({ port: z.number() }).parse(first.server.address())
  const { cookie, create, stream: other } = await owner()
  other.leave()
  const stream = await openStream(`http://127.0.0.1:${port}`, cookie)
  const beforeAll = await stream.until('ready')
  await settleJob(api.db, await create(), failure)
  const seen = await stream.until('event')
  const closing = performance.now()
  await Promise.all([first.close(), stream.end()])
  expect(performance.now() - closing).toBeLessThan(5_000)

  const missed = [await create(), await create()]
  for (const id of missed) await settleJob(api.db, id, failure)
  const resumed = await openStream(baseUrl, cookie, seen.id)
  expect((await resumed.until('ready')).data).toEqual({ resumed: true })
  for (const id of missed) expect((await resumed.until('event')).data).toMatchObject({ data: { id } })
  resumed.leave()
  // From before the first event of the account.
  const all = await openStream(baseUrl, cookie, beforeAll.id)
  expect((await all.until('ready')).data).toEqual({ resumed: true })
  expect((await all.until('event')).id).toBe(seen.id)
  all.leave()
})

it('says when it cannot go on, because the last event is gone', async () => {
  const { stream, cookie } = await owner()
  stream.leave()
  const fresh = await openStream(baseUrl, cookie, `evt_${'a'.repeat(24)}`)
  expect((await fresh.until('ready')).data).toEqual({ resumed: false })
  fresh.leave()
})

it('that is asked for by HEAD waits for nothing after its answer', async () => {
  const { cookie, stream } = await owner()
  stream.leave()
  const next = vi.spyOn(api.announcements, 'next')
  onTestFinished(() => next.mockRestore())
  const ask = () => fetch(`${baseUrl}/v1/stream`, { method: 'HEAD', headers: { cookie } })
  const answers = await Promise.all([ask(), ask(), ask()])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  await expect.poll(() => next.mock.calls.every(([, , signal]) => signal?.aborted)).toBe(true)
})

it('ends with the session', async () => {
  const { stream, page, create } = await owner()
  await page.post('/api/auth/sign-out')
  await create()
  await stream.end()
  expect((await openStream(baseUrl, page.cookie() ?? '')).response.status).toBe(401)
})

it('is one of at most four of an account, and tells nobody of another account', async () => {
  const { cookie, stream, create } = await owner()
  const more = await Promise.all([1, 2, 3].map(() => openStream(baseUrl, cookie)))
  expect((await openStream(baseUrl, cookie)).response.status).toBe(429)
  more[0]?.leave()
  const last = await vi.waitFor(async () => {
    const opened = await openStream(baseUrl, cookie)
    expect(opened.response.status).toBe(200)
    return opened
  }, 60_000)
  const stranger = await owner()
  await create()
  const own = await stranger.create()
  expect((await stranger.stream.until('job')).data.id).toBe(own)
  for (const each of [stream, ...more, last, stranger.stream]) each.leave()
})

it('has no body for HEAD', async () => {
  const { page, stream } = await owner()
  const answer = await api.call({ method: 'HEAD', url: '/v1/stream', headers: { cookie: page.cookie() ?? '' } })
  expect([answer.status, answer.text]).toEqual([200, ''])
  stream.leave()
})
