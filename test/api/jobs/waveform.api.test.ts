import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { MockActivityEnvironment } from '@temporalio/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inspectJob } from '../../../activities/inspect.ts'
import { runJob } from '../../../activities/run.ts'
import { buildApp } from '../../../api/app.ts'
import { createWaveforms } from '../../../api/jobs/waveform.ts'
import { createKeyedQueue } from '../../../src/core/concurrency.ts'
import { newId } from '../../../src/core/ids.ts'
import { hourMs } from '../../../src/core/time-code.ts'
import { nextTurn } from '../../../src/core/turns.ts'
import { getJob, findResult } from '../../../src/jobs/job-rows.ts'
import { settleJob } from '../../../src/jobs/settle-job.ts'
import { envelopeBytes } from '../../../src/media/sound/envelope.ts'
import { createEnvelopeCache } from '../../../src/media/sound/envelope-cache.ts'
import { useDependencies } from '../../activities/use-dependencies.ts'
import { bestOfThree } from '../../best-of-three.ts'
import { speech } from '../../fixtures/make.ts'
import { untilFound } from '../../until-found.ts'
import { type Api, codeOf, startApi, type TestAccount } from '../api.ts'

const steps = await useDependencies()

let api: Api
let account: TestAccount
let media_url: string
/** A completed search for silence in a minute of speech. */
let jobId: string

beforeAll(async () => {
  api = await startApi()
  account = await api.newAccount()
  media_url = await account.upload('talk.wav', await readFile(speech))
  jobId = await run()
})
afterAll(() => api.close())

/** Creates a job, and does the work of a worker for it. */
async function run(fields: Record<string, unknown> = {}, of = account): Promise<string> {
  const id = await of.create({ media_url, ...fields })
  const worker = { ...steps, db: api.db, storage: api.storage, envelopeCache: createEnvelopeCache(api.storage, 1e6) }
  const step = (work: () => Promise<unknown>) => new MockActivityEnvironment().run(work)
  const job = await getJob(api.db, id)
  await step(() => inspectJob(worker, job))
  await step(() => runJob(worker, { jobId: id }))
  await settleJob(api.db, id)
  return id
}

/** A tile's peaks and RMS. */
async function tileOf(level: number, tile: number) {
  const { statusCode, headers, rawPayload } = await api.app.inject({
    url: `/v1/jobs/${jobId}/waveform/${level}/${tile}`,
    headers: { authorization: `Bearer ${account.token}` },
  })
  expect([statusCode, headers['content-type'], rawPayload.length]).toEqual([200, 'application/octet-stream', 2048])
  return { peaks: rawPayload.subarray(0, 1024), rms: rawPayload.subarray(1024), headers }
}

const highest = (bytes: Buffer) => bytes.reduce((most, byte) => Math.max(most, byte), 0)

describe('GET /v1/jobs/{job_id}/waveform', () => {
  it('lists levels whose tiles show the same sound', async () => {
    const { body } = await account.get(`/v1/jobs/${jobId}/waveform`)
    expect(body).toMatchObject({ job_id: jobId, track: 0, start: 0, end: 73.35, points_per_tile: 1024 })
    expect(body.levels).toEqual([
      { level: 0, ms_per_point: 1, tiles: 72 },
      { level: 1, ms_per_point: 4, tiles: 18 },
      { level: 2, ms_per_point: 16, tiles: 5 },
      { level: 3, ms_per_point: 64, tiles: 2 },
      { level: 4, ms_per_point: 256, tiles: 1 },
    ])
    const loudest: number[] = []
    for (const { level, tiles } of body.levels) {
      const peaks: Buffer[] = []
      for (let tile = 0; tile < tiles; tile += 1) peaks.push((await tileOf(level, tile)).peaks)
      loudest.push(highest(Buffer.concat(peaks)))
    }
    expect(loudest).toEqual(loudest.map(() => loudest[0]))
    const { peaks, rms } = await tileOf(4, 0)
    expect(highest(rms)).toBeLessThan(highest(peaks))
    // 73.35 s are 287 points.
    expect([highest(peaks.subarray(280, 287)) > 0, highest(peaks.subarray(287))]).toEqual([true, 0])
  })

  it('lets a browser keep tiles of its version, and has none of another', async () => {
    const { body } = await account.get(`/v1/jobs/${jobId}/waveform`)
    const tile = `/v1/jobs/${jobId}/waveform/4/0`
    const [kept, other, current] = await Promise.all(
      [`?version=${body.version}`, '?version=other', ''].map((query) => account.get(tile + query)),
    )
    expect(kept?.headers).toMatchObject({ 'cache-control': 'private, max-age=31536000, immutable' })
    expect(other && codeOf(other)).toBe('not_found')
    expect([current?.status, current?.headers['cache-control']]).toEqual([200, 'no-store'])
  })

  it.each(['5/0', '4/1', '0/72'])('has no tile %s', async (tile) => {
    const answer = await account.get(`/v1/jobs/${jobId}/waveform/${tile}`)
    expect([answer.status, codeOf(answer)]).toEqual([404, 'not_found'])
  })

  it.each(['-1/0', 'a/0', '0/1.5', '0/0?track=x', '99/0'])('refuses the tile %s', async (tile) => {
    expect(codeOf(await account.get(`/v1/jobs/${jobId}/waveform/${tile}`))).toBe('invalid_request')
  })
})

it('a share of a job on a window shows the levels of the window alone, of all that are kept', async () => {
  const job_id = await run({ start: 20, end: 21 })
  const { status, body } = await account.post('/v1/shares', { job_id })
  expect(status).toBe(201)
  const { waveform, duration_seconds } = (await api.call({ url: `${new URL(body.url).pathname}.json` })).body.shared
  const peaks = Buffer.from(waveform.peaks, 'base64')
  const [from, points] = [20_000 / 4 ** waveform.level, 21_000 / 4 ** waveform.level]
  expect(duration_seconds).toBeCloseTo(73.35)
  expect(peaks).toHaveLength(Math.ceil(points))
  expect([highest(peaks.subarray(0, Math.floor(from))), highest(peaks.subarray(from)) > 0]).toEqual([0, true])
})

it('a share of a job on the result of another shows the levels of the window of that one alone', async () => {
  const heard = await run({ start: 30, end: 34 })
  const fields = { endpoint: 'timeline/suggest-ranges', media_url: undefined, settings: { job_id: heard } }
  const job_id = await run(fields)
  const { status, body } = await account.post('/v1/shares', { job_id })
  expect(status).toBe(201)
  const { waveform } = (await api.call({ url: `${new URL(body.url).pathname}.json` })).body.shared
  const peaks = Buffer.from(waveform.peaks, 'base64')
  const [from, points] = [30_000 / 4 ** waveform.level, 34_000 / 4 ** waveform.level]
  expect(peaks).toHaveLength(Math.ceil(points))
  expect([highest(peaks.subarray(0, Math.floor(from))), highest(peaks.subarray(from)) > 0]).toEqual([0, true])
})

it('a share of a large result counts among the loads in progress until all of it is presented', async () => {
  const owner = await api.newAccount()
  const media = await owner.upload('talk.wav', await readFile(speech))
  await run({ media_url: media }, owner)
  const paths: string[] = []
  for (let count = 0; count < 3; count += 1) {
    const job_id = await run({ media_url: media, start: 0, end: 2 }, owner)
    const result = Object(await findResult(api.db, job_id))
    await api.db.job.update({ where: { id: job_id }, data: { result: { ...result, more: 'x'.repeat(300_000) } } })
    paths.push(new URL((await owner.post('/v1/shares', { job_id })).body.url).pathname)
  }
  let end = () => {}
  const isOver = new Promise<void>((resolve) => {
    end = resolve
  })
  let reading = 0
  const read: Api['storage']['read'] = async (key, options) => {
    reading += 1
    await isOver
    return api.storage.read(key, options)
  }
  const app = await buildApp({ ...api, storage: { ...api.storage, read } })
  const load = async (path = '') => (await app.inject({ url: `${path}.json` })).statusCode
  const first = paths.slice(0, 2).map((path) => load(path))
  await untilFound(() => reading === 2)
  let isAnswered = false
  const third = load(paths[2]).finally(() => {
    isAnswered = true
  })
  await untilFound(() => isAnswered || reading === 3)
  end()
  expect([await Promise.all(first), await third]).toEqual([[200, 200], 429])
  await app.close()
})

/** What previews must not change. */
async function booksOf({ accountId }: TestAccount) {
  const [jobs, entries, limits] = await Promise.all([
    // The API records after its response when Temporal took a job.
    api.db.job.findMany({ where: { accountId }, orderBy: { id: 'asc' }, omit: { dispatchedAt: true } }),
    api.db.ledgerEntry.findMany({ where: { accountId }, orderBy: { id: 'asc' } }),
    api.db.account.findUnique({ where: { id: accountId } }),
  ])
  return { jobs, entries, limits }
}

const preview = (id: string, settings: unknown, of = account) => of.post(`/v1/jobs/${id}/preview`, { settings })

describe('POST /v1/jobs/{job_id}/preview', () => {
  it.each([
    ['audio/detect-silence', { threshold: -30, min_silence_seconds: 0.1 }],
    ['audio/detect-silence', { threshold: 'auto', padding_seconds: 0.2 }],
    ['audio/detect-energy', { threshold: -30, quiet_threshold: -40, top: 3 }],
  ])('has the result that a job of %s would have, charges nothing and writes nothing', async (endpoint, settings) => {
    const first = await run({ endpoint })
    const before = await booksOf(account)
    const { status, body } = await preview(first, settings)
    expect(status).toBe(200)
    expect(await booksOf(account)).toEqual(before)
    const {
      analysis: _analysis,
      preview: _drawing,
      ...expected
    } = Object(await findResult(api.db, await run({ endpoint, settings })))
    expect(body).toMatchObject({ job_id: first, settings, warnings: [] })
    expect(body.result).toEqual(expected)
  })

  it('keeps the settings of the job that it is not asked to change, and its window', async () => {
    const settings = { threshold: -30, min_silence_seconds: 0.2 }
    const id = await run({ settings, start: 10, end: 30 })
    const { body } = await preview(id, { min_silence_seconds: 1 })
    expect(body.settings).toMatchObject({ threshold: -30, min_silence_seconds: 1 })
    for (const { start, end } of body.result.segments) expect([start >= 10, end <= 30]).toEqual([true, true])
  })

  it.each([
    [{ treshold: -30 }, 'invalid_request'],
    [{ threshold: 'loud' }, 'invalid_request'],
    [{ threshold: 12 }, 'invalid_request'],
    [[], 'invalid_request'],
    [{ audio_track: 7 }, 'no_audio_track'],
  ])('refuses the settings %j', async (settings, code) => {
    expect(codeOf(await preview(jobId, settings))).toBe(code)
  })

  it('warns of settings of other endpoints', async () => {
    const { body } = await preview(jobId, { smart_crop: true })
    expect(body.warnings).toEqual(['Unknown setting "smart_crop" was ignored.'])
  })

  it('and waveform are not found for jobs without kept sound: open, deleted, of others, or forgotten', async () => {
    const deleted = await run()
    expect((await api.call({ method: 'DELETE', url: `/v1/jobs/${deleted}` }, account.token)).status).toBe(200)
    const forgetful = await api.newAccount()
    const own = await forgetful.upload('talk.wav', await readFile(speech))
    const forgotten = await run({ media_url: own }, forgetful)
    await api.db.analysis.deleteMany({ where: { accountId: forgetful.accountId } })
    const asked = [
      [account, await account.create({ media_url })],
      [account, deleted],
      [account, newId('job')],
      [forgetful, jobId],
      [forgetful, forgotten],
    ] as const
    for (const [of, id] of asked) {
      const answers = [preview(id, {}, of), of.get(`/v1/jobs/${id}/waveform`), of.get(`/v1/jobs/${id}/waveform/0/0`)]
      expect((await Promise.all(answers)).map(codeOf)).toEqual(['not_found', 'not_found', 'not_found'])
    }
  })
})

/** A completed job on hours of kept sound: words of 2 s, then pauses of 1 s. */
async function longJob(hours: number): Promise<string> {
  const id = await run()
  const { mediaInfo, ...job } = await api.db.job.findUniqueOrThrow({ where: { id } })
  const known = await api.db.analysis.findFirstOrThrow({
    where: { accountId: job.accountId, version: job.mediaVersion ?? '' },
  })
  const endMs = hours * hourMs
  const peaks = new Uint16Array(endMs)
  const squares = new Float32Array(endMs / 10)
  const three = Uint16Array.from({ length: 3000 }, (_, ms) => (ms < 2000 ? 9_000 + (ms % 97) : 20 + (ms % 7)))
  const cells = Float32Array.from({ length: 300 }, (_, cell) => (cell < 200 ? 1e9 : 1e3))
  for (let at = 0; at < endMs; at += 3000) {
    peaks.set(three, at)
    squares.set(cells, at / 10)
  }
  const objectKey = `analyses/${id}`
  const file = envelopeBytes({
    startMs: 0,
    endMs,
    sampleRate: 16_000,
    frames: endMs * 16,
    decodeErrors: 0,
    peaks,
    squares,
  })
  await api.storage.write(objectKey, Readable.from(file), 'application/octet-stream')
  await api.db.analysis.create({
    data: { ...known, id: newId('job'), version: id, mediaInfo: known.mediaInfo ?? {}, endMs, objectKey },
  })
  await api.db.job.update({
    where: { id },
    data: { mediaVersion: id, mediaInfo: { ...Object(mediaInfo), durationSeconds: endMs / 1000 } },
  })
  return id
}

/** Milliseconds of the processor, which other processes do not change. */
const processorMs = () => (({ user, system }) => (user + system) / 1000)(process.cpuUsage())

/** The most processor time that the work takes between two turns of the event loop, in milliseconds. */
async function longestTurnOf(work: () => Promise<unknown>): Promise<number> {
  let [longest, isDone, last] = [0, false, processorMs()]
  const turning = (async () => {
    while (!isDone) {
      await nextTurn()
      const now = processorMs()
      longest = Math.max(longest, now - last)
      last = now
    }
  })()
  await work()
  isDone = true
  await turning
  return longest
}

describe('hours of sound', () => {
  // On a machine of its own, 60 to 100 ms.
  it('are searched again within moments for 3 hours', bestOfThree, async () => {
    const id = await longJob(3)
    await preview(id, {})
    const began = processorMs()
    const { body } = await preview(id, { threshold: -40 })
    expect(processorMs() - began).toBeLessThan(250)
    expect(body.result.silences).toHaveLength(3600)
  })

  it('are searched and drawn without holding up other requests, for 12 hours', bestOfThree, async () => {
    const id = await longJob(12)
    const search = longestTurnOf(async () => {
      const { body } = await preview(id, { threshold: 'auto' })
      expect(body.result.silences).toHaveLength(14_400)
    })
    expect(await search).toBeLessThan(100)
    const draw = longestTurnOf(async () => {
      expect((await account.get(`/v1/jobs/${id}/waveform/8/0`)).status).toBe(200)
    })
    expect(await draw).toBeLessThan(100)
  })

  it('are searched for one account after the other, so that many previews of one do not delay another', async () => {
    const { search } = createWaveforms(api.storage, createKeyedQueue())
    const order: string[] = []
    const ask = (name: string) =>
      search(name, async () => {
        await Promise.resolve()
        order.push(name)
      })
    await Promise.all([ask('busy'), ask('busy'), ask('busy'), ask('busy'), ask('other')])
    expect(order.indexOf('other')).toBeLessThanOrEqual(1)
    expect(order).toHaveLength(5)
  })

  it('over 12 are not searched at once', async () => {
    const answer = await preview(await longJob(13), {})
    expect([answer.status, codeOf(answer)]).toEqual([422, 'media_too_large'])
  })
})
