import { describe, expect, it } from 'vitest'
import { settleJob } from '../../../src/jobs/settle-job.ts'
import { codeOf, useApi } from '../api.ts'
import { presentDraft } from './drafts.ts'

const api = await useApi()
const account = await api.newAccount()

const defaults = {
  threshold: -35,
  min_silence_seconds: 0.5,
  min_segment_seconds: 0.1,
  padding_seconds: 0,
  audio_track: 'default',
}
const silence = { endpoint: 'audio/detect-silence', media_url: 'https://media.example/talk.mp3' }

async function created(fields: object, from = account) {
  const answer = await from.post('/v1/jobs', { ...silence, ...fields })
  expect(answer.status, answer.text).toBe(202)
  return answer.body.job
}

describe('a job returns what was asked', () => {
  it('start and end in seconds, all settings with their defaults, and the metadata', async () => {
    const metadata = { episode: '12', 'show.name': 'Größe 🎙' }
    const settings = { threshold: -40, min_silence_seconds: 0.7, colour: 'red' }
    const asked = { start: '00:01:15', end: 90, settings, metadata }
    const complete = { ...defaults, threshold: -40, min_silence_seconds: 0.7 }
    const expected = { start: 75, end: 90, metadata }
    const job = await created(asked)
    expect(job).toMatchObject(expected)
    expect(job.settings).toEqual(complete)
    const { job: read } = (await account.get(`/v1/jobs/${job.id}`)).body
    expect(read).toMatchObject(expected)
    expect(read.settings).toEqual(complete)
    const [listed] = (await account.get('/v1/jobs?limit=1')).body.jobs
    expect(listed).toMatchObject({ id: job.id, start: 75, end: 90, metadata })
    expect(listed).not.toHaveProperty('settings')
  })

  it('nothing that was left out, but the defaults of its settings', async () => {
    const job = await created({})
    for (const field of ['start', 'end', 'metadata', 'status_detail', 'run_id']) expect(job).not.toHaveProperty(field)
    expect(job.settings).toEqual(defaults)
  })

  it.each([
    ['http://media.example:443/a/talk%20one.mp3?token=secret#t', { name: 'talk one.mp3', host: 'media.example:443' }],
    ['https://media.example/gr%C3%B6%C3%9Fe.mp3', { name: 'größe.mp3', host: 'media.example' }],
    ['https://media.example/%FF.mp3', { name: '%FF.mp3', host: 'media.example' }],
    ['https://media.example/a%2F..%2Fb%00%0A.mp3', { name: 'b.mp3', host: 'media.example' }],
    ['https://media.example/watch', { name: 'watch', host: 'media.example' }],
    ['https://media.example/share/4f9aK2mZ81qLp03xTb77', { host: 'media.example' }],
    ['https://media.example/', { host: 'media.example' }],
  ])('the media of %s, without what can be a secret', async (media_url, media) => {
    expect((await created({ media_url })).media).toEqual(media)
  })

  it('the name of an upload, as it was sent, and its id', async () => {
    const media_url = await account.upload('Folge 12 – Größe.mp3')
    const media = { name: 'Folge 12 – Größe.mp3', upload_id: media_url.split('/').at(-1) }
    expect((await created({ media_url })).media).toEqual(media)
  })

  it('no media where it reads none', async () => {
    const settings = { segments: [{ start: 0, end: 1 }], media_seconds: 2 }
    const metadata = { a: 'b' }
    const answer = await account.post('/v1/jobs', { endpoint: 'timeline/suggest-ranges', settings, metadata })
    expect(answer.body.job).toMatchObject({ settings, metadata })
    expect(answer.body.job).not.toHaveProperty('media')
  })

  it('by its direct path too', async () => {
    const settings = { segments: [{ start: 0, end: 1 }], media_seconds: 2, _run_on_worker: true }
    const { body } = await account.post('/v1/timeline/suggest-ranges', { settings, metadata: { a: 'b' } })
    expect(body.job).toMatchObject({ metadata: { a: 'b' } })
    expect(body.job.settings).not.toHaveProperty('_run_on_worker')
  })
})

describe('metadata', () => {
  const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']))

  it('of 16 pairs, the longest names and values is accepted', async () => {
    const longest = { ...pairs(15), ['k'.repeat(40)]: 'ü'.repeat(500) }
    expect((await created({ metadata: longest })).metadata).toEqual(longest)
    expect((await created({ metadata: {} })).metadata).toEqual({})
  })

  it.each([
    [pairs(17), 'metadata: at most 16 pairs'],
    [{ ['k'.repeat(41)]: 'v' }, 'a name has 1 to 40 of the characters'],
    [{ '': 'v' }, 'a name has 1 to 40 of the characters'],
    [{ 'my key': 'v' }, 'metadata["my key"]: a name has 1 to 40 of the characters'],
    [{ constructor: 'v' }, 'constructor'],
    [{ episode: 'v'.repeat(501) }, 'metadata.episode'],
    [{ episode: 12 }, 'metadata.episode: expected string, not number'],
    [{ episode: null }, 'metadata.episode: expected string'],
    [{ episode: 'a\u0000b' }, 'metadata: a text contains a NUL character'],
    [['a'], 'metadata: expected object, not array'],
    ['a', 'metadata: expected object, not string'],
  ])('400 invalid_request for %j', async (metadata, message) => {
    const answer = await account.post('/v1/jobs', { ...silence, metadata })
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request'])
    expect(answer.body.error.message).toContain(message)
  })

  it('is part of what an Idempotency-Key repeats', async () => {
    const headers = { 'idempotency-key': 'one' }
    const send = (metadata: object) => account.post('/v1/jobs', { ...silence, metadata }, headers)
    const first = await send({ episode: '1' })
    expect((await send({ episode: '1' })).body.job_id).toBe(first.body.job_id)
    expect(codeOf(await send({ episode: '2' }))).toBe('idempotency_conflict')
  })
})

describe('a list of jobs', () => {
  it('is filtered by metadata, file name, endpoint, status and time, in pages and alone for the account', async () => {
    const mine = await api.newAccount()
    const twelve = { metadata: { episode: '12', show: 'a' }, media_url: await mine.upload('twelve.mp3') }
    const ids: string[] = []
    for (const fields of [twelve, { metadata: { episode: '13', show: 'a' } }, twelve, { metadata: {} }, {}])
      ids.push((await created(fields, mine)).id)
    await created({ metadata: twelve.metadata }, account)
    const [first, second, third] = ids
    const idsOf = async (query: string): Promise<string[]> =>
      (await mine.get(`/v1/jobs?${query}`)).body.jobs.map(({ id }: { id: string }) => id)

    expect(await idsOf('metadata[episode]=12')).toEqual([third, first])
    expect(await idsOf('metadata%5Bshow%5D=a')).toEqual([third, second, first])
    expect(await idsOf('metadata[show]=a&metadata[episode]=13')).toEqual([second])
    expect(await idsOf('metadata[episode]=1')).toEqual([])
    const { body: refused } = await mine.get('/v1/jobs?metadata=12')
    expect(refused.error.message).toBe('metadata: send metadata[name]=value.')
    const { body: dotted } = await mine.get('/v1/jobs?metadata.episode=12')
    expect(dotted.error.message).toBe('query: unknown parameter "metadata.episode". Did you mean metadata[episode]?')
    expect(await idsOf('media_name=twelve.mp3')).toEqual([third, first])
    expect(await idsOf('media_name=twelve')).toEqual([])

    const { body: page } = await mine.get('/v1/jobs?metadata[show]=a&limit=2')
    expect(page.jobs.map(({ id }: { id: string }) => id)).toEqual([third, second])
    expect(await idsOf(`metadata[show]=a&limit=2&cursor=${page.next_cursor}`)).toEqual([first])

    const { created_at: at } = (await mine.get(`/v1/jobs/${third}`)).body.job
    expect(await idsOf(`created_after=${at}&media_name=twelve.mp3`)).toEqual([third])
    expect(await idsOf(`created_before=${at}&media_name=twelve.mp3`)).toEqual([first])
    expect(await idsOf('created_after=1999-01-01')).toHaveLength(5)
    expect(await idsOf('created_before=0001-01-01T00:00:00Z')).toEqual([])

    await settleJob(api.db, first ?? '', { code: 'no_audio_track', message: 'No audio.' })
    expect(await idsOf('status=failed&metadata[episode]=12&endpoint=audio/detect-silence')).toEqual([first])
    expect(await idsOf('metadata[episode]=12&endpoint=video/clip-window')).toEqual([])
  })

  it('has only the endpoints that the key covers, whatever the filter', async () => {
    const mine = await api.newAccount()
    const { id } = await created({ metadata: { a: 'b' } }, mine)
    const idsOf = async () => (await mine.get('/v1/jobs?metadata[a]=b')).body.jobs.map((job: { id: string }) => job.id)
    await api.db.apiKey.update({ where: { id: mine.keyId }, data: { scope: 'video/*' } })
    expect(await idsOf()).toEqual([])
    await api.db.apiKey.update({ where: { id: mine.keyId }, data: { scope: 'audio/*' } })
    expect(await idsOf()).toEqual([id])
  })

  it.each([
    ['metadata=12', 'metadata'],
    ['metadata[my key]=12', 'metadata'],
    ['metadata[__proto__]=12', 'metadata[__proto__]'],
    ['metadata[a]=1&metadata[a]=2', 'metadata'],
    ['metadata[a][b]=1', 'metadata'],
    ['metadata[]=1', 'metadata[]'],
    ['cursor[a]=1', 'cursor'],
    ['metadat[a]=1', 'Did you mean metadata?'],
    ['media_name=', 'media_name'],
    ['media_name=a%00b', 'media_name'],
    ['metadata[a]=b%00', 'metadata'],
    ['created_after=yesterday', 'created_after: expected a date such as'],
    ['created_after=2026-02-30', 'created_after'],
    ['file=talk.mp4', 'unknown parameter "file"'],
  ])('400 invalid_request for %s', async (query, message) => {
    const answer = await account.get(`/v1/jobs?${query}`)
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request'])
    expect(answer.body.error.message).toContain(message)
  })
})

it('a canceled job says so beside failed; another failure does not', async () => {
  const canceled = await created({})
  await settleJob(api.db, canceled.id, { code: 'canceled', message: 'The job was canceled. It costs nothing.' })
  const failed = await created({})
  await settleJob(api.db, failed.id, { code: 'timed_out', message: 'Too long.' })
  expect((await account.get(`/v1/jobs/${canceled.id}`)).body.job).toMatchObject({
    status: 'failed',
    status_detail: 'canceled',
  })
  expect((await account.get(`/v1/jobs/${failed.id}`)).body.job).not.toHaveProperty('status_detail')
})

it('an output has its name, and a URL by which browsers save it', async () => {
  const { result } = await presentDraft(api, account)
  const { name, url, download_url } = result.output
  expect(name).toBe('clip-0.mp4')
  expect(download_url).toBe(`${url}&download=1`)
  const { headers, text } = await api.call({ url: download_url })
  expect([headers['content-disposition'], text]).toEqual(['attachment; filename=clip-0.mp4', 'clip 0'])
  // As media it is the same file.
  const again = await account.post('/v1/jobs', { ...silence, media_url: download_url })
  expect(again.body.job.media).toEqual({ name: 'clip-0.mp4' })
})
