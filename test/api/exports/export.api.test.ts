import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { newId } from '../../../src/core/ids.ts'
import { exportFormatNames, exportFormats } from '../../../src/exports/export-formats.ts'
import { markRunning, recordDraft } from '../../../src/jobs/job-changes.ts'
import { settleJob } from '../../../src/jobs/settle-job.ts'
import { type Api, codeOf, startApi, type TestAccount } from '../api.ts'

let api: Api
let account: TestAccount
let silences: string
beforeAll(async () => {
  api = await startApi()
  account = await api.newAccount()
  silences = await complete(await account.create({ endpoint: 'audio/detect-silence' }), {
    media_seconds: 20,
    silences: [{ start: 0, end: 1, duration: 1 }],
    segments: [{ start: 1, end: 20, duration: 19 }],
  })
  const video = { codec: 'h264', width: 640, height: 360, frameRate: 25, hasVariableFrameRate: false }
  const mediaInfo = { format: 'mp4', durationSeconds: 20, bytes: 1, audio: [], timecode: '10:00:00:00', video }
  await api.db.job.update({ where: { id: silences }, data: { mediaInfo, mediaName: 'my “talk”.mp4' } })
})
afterAll(async () => api.close())

async function complete(jobId: string, result: object): Promise<string> {
  await markRunning(api.db, jobId)
  await recordDraft(api.db, jobId, { result: { ...result }, files: [], billedMilliseconds: 0 })
  await settleJob(api.db, jobId)
  return jobId
}

const exported = (jobId: string, query: string) => account.get(`/v1/jobs/${jobId}/export?${query}`)

describe('GET /v1/jobs/{job_id}/export', () => {
  it.each(exportFormatNames)('200 with a file to save, as %s', async (name) => {
    const { status, headers, text } = await exported(silences, `as=${name}`)
    const { extension, contentType } = exportFormats[name]
    expect([status, headers['content-type']]).toEqual([200, `${contentType}; charset=utf-8`])
    const said = name === extension ? '' : `-${name}`
    expect(headers['content-disposition']).toMatch(
      new RegExp(
        `^attachment; filename="my _talk_${said}\\.${extension}"; filename\\*=UTF-8''my%20%E2%80%9Ctalk%E2%80%9D${said}\\.${extension}$`,
      ),
    )
    expect(text).toMatch(/\n$/)
  })

  it('counts from the timecode of the media, which a timeline job takes from the job that it was given', async () => {
    expect((await exported(silences, 'as=edl')).text).toContain(' 10:00:01:00 10:00:20:00 01:00:00:00 01:00:19:00')
    const request = { endpoint: 'timeline/suggest-ranges', media_url: undefined, settings: { job_id: silences } }
    const ranges = await complete(await account.create(request), { ranges: [{ start: 2, end: 3, duration: 1 }] })
    const { text } = await exported(ranges, 'as=edl')
    expect(text).toContain(' 10:00:02:00 10:00:03:00 ')
    expect(text).toContain('FROM CLIP NAME: my “talk”.mp4')
  })

  it('describes the media of which highlights, merges and ranges of merges were made', async () => {
    const onJobs = async (endpoint: string, settings: object, result: object) =>
      complete(await account.create({ endpoint, media_url: undefined, settings }), result)
    const segments = [{ start: 2, end: 3, duration: 1 }]
    const words = await complete(await account.create({ endpoint: 'audio/find-words', start: 0, end: 20 }), {
      segments,
    })
    const { mediaInfo, mediaName } = await api.db.job.findUniqueOrThrow({ where: { id: silences } })
    await api.db.job.update({ where: { id: words }, data: { mediaInfo: mediaInfo ?? {}, mediaName } })
    const highlights = await onJobs('timeline/find-highlights', { words_job_id: words }, { ranges: segments })
    const job_ids = [silences, words]
    const merged = await onJobs('timeline/merge', { job_ids }, { segments })
    const ranges = await onJobs('timeline/suggest-ranges', { job_id: merged }, { ranges: segments })
    for (const id of [highlights, merged, ranges]) {
      const { text } = await exported(id, 'as=edl')
      expect(text).toContain(' 10:00:02:00 10:00:03:00 ')
      expect(text).toContain('FROM CLIP NAME: my “talk”.mp4')
    }
    const recordings = job_ids.map((job_id) => ({ ...{ job_id, synced: true, confidence: 1 }, offset_seconds: 0 }))
    const apart = await onJobs('timeline/merge', { job_ids, recordings }, { segments })
    expect((await exported(apart, 'as=edl')).text).toContain('FROM CLIP NAME: media\n')
  })

  it('has the audio track that was searched, also for the ranges that a timeline job made of it', async () => {
    const track = { codec: 'aac', sampleRate: 48_000, channels: 2, isDefault: true }
    const mediaInfo = {
      format: 'wav',
      durationSeconds: 20,
      bytes: 1,
      audio: [track, { ...track, isDefault: false }],
      video: null,
    }
    const job = await complete(
      await account.create({ endpoint: 'audio/detect-silence', settings: { audio_track: 1 } }),
      {
        ...{ media_seconds: 20, segments: [{ start: 1, end: 20, duration: 19 }] },
      },
    )
    await api.db.job.update({ where: { id: job }, data: { mediaInfo } })
    const request = { endpoint: 'timeline/suggest-ranges', media_url: undefined, settings: { job_id: job } }
    const ranges = await complete(await account.create(request), { ranges: [{ start: 2, end: 3, duration: 1 }] })
    for (const id of [job, ranges]) expect((await exported(id, 'as=ffmpeg')).text).toContain('[0:a:1]atrim=')
  })

  it('has a reference that says why chapters can be fewer than the entries of the list', async () => {
    const { text } = await api.call({ url: '/openapi.json' })
    expect(text).toContain(
      'A chapter has at least 10 seconds: an entry that begins less than that after a chapter, or before the end, gets no line.',
    )
  })

  it('has a header that says what YouTube will not show of chapters', async () => {
    const { headers, text } = await exported(silences, 'as=chapters')
    expect(text).toBe('0:00 Part 1\n')
    expect(headers['x-export-warning']).toBe('YouTube shows chapters if there are at least 3: this list has 1.')
    expect((await exported(silences, 'as=csv')).headers['x-export-warning']).toBeUndefined()
  })

  it('names the recording whose job was deleted', async () => {
    const recordings = [await account.create(), await account.create()].map((job_id, index) => ({
      ...{ job_id, synced: true, offset_seconds: index, drift_ppm: 0, confidence: 1 },
    }))
    const [, gone] = recordings
    const mediaInfo = { format: 'mp4', durationSeconds: 20, bytes: 1, audio: [], video: null }
    for (const { job_id, offset_seconds } of recordings) {
      await complete(job_id, {})
      await api.db.job.update({ where: { id: job_id }, data: { mediaInfo, mediaName: `${offset_seconds}.mp4` } })
    }
    const timelines = [{ segments: [] }, { segments: [] }]
    const request = { endpoint: 'timeline/sync', media_url: undefined, settings: { timelines } }
    const sync = await complete(await account.create(request), { recordings })
    expect((await exported(sync, 'as=otio')).status).toBe(200)
    await api.call({ method: 'DELETE', url: `/v1/jobs/${gone?.job_id}` }, account.token)
    const { status, body } = await exported(sync, 'as=otio')
    expect([status, body.error.job_id]).toEqual([404, gone?.job_id])
    expect(body.error.message).toContain(gone?.job_id)
  })

  it('takes the list and the frame rate', async () => {
    expect((await exported(silences, 'as=csv&list=silences')).text).toContain('0.000,1.000,1.000,"pause 1"')
    expect((await exported(silences, 'as=xmeml&fps=23.976')).text).toContain('<timebase>24</timebase>')
  })

  it('marks the media instead of cutting it, also with the entries of other jobs, and moments without being asked', async () => {
    const marked = (await exported(silences, 'as=otio&what=markers&list=silences')).text
    expect(marked).toMatch(/"name": "pause 1",\s+"color": "BLUE",\s+"comment": "pause"/)
    const frames = await complete(await account.create({ endpoint: 'video/best-frames' }), {
      ...{ media_seconds: 20, frames: [{ time: 7.52 }, { time: 2 }] },
    })
    expect((await exported(frames, 'as=edl')).text).toContain('\nframe |C:ResolveColorGreen |M:frame 2 |D:1\n')
    const laughs = await complete(await account.create({ endpoint: 'audio/detect-laughter' }), {
      ...{ media_seconds: 20, segments: [{ start: 7, end: 8, kind: 'giggle' }] },
    })
    const others = `${laughs},${frames}:frames,${silences}:segments`
    const { text } = await exported(silences, `as=csv&list=silences&jobs=${others}`)
    expect(text.split('\r\n').slice(1, -1)).toEqual([
      '0.000,1.000,1.000,"pause 1",pause,blue,10:00:00:00',
      '1.000,20.000,19.000,"sound 1",sound,red,10:00:01:00',
      '2.000,2.000,0.000,"frame 2",frame,green,10:00:02:00',
      '7.000,8.000,1.000,"giggle 1",laugh,yellow,10:00:07:00',
      '7.520,7.520,0.000,"frame 1",frame,green,10:00:07:13',
    ])
    const twice = (await exported(laughs, `as=labels&jobs=${laughs}`)).text
    expect(twice).toBe('7.000\t8.000\tgiggle 1\n7.000\t8.000\tgiggle 1\n')
    for (const [query, message] of [
      ['as=ffmpeg', 'ffmpeg has no markers.'],
      ['as=edl&what=cuts', 'moments have no length to cut.'],
      [`as=edl&what=cuts&jobs=${laughs}`, 'the entries of several jobs are markers.'],
      [`as=vtt&jobs=${laughs}`, 'vtt has no markers.'],
      [`as=csv&jobs=${newId('run')}`, 'jobs: expected up to 5 job ids'],
      [`as=csv&jobs=${laughs}:words`, 'this result has no words. It has segments.'],
    ]) {
      const { status, body } = await exported(frames, query ?? '')
      expect([status, body.error?.message]).toEqual([400, expect.stringContaining(message ?? '')])
    }
    const shorter = { format: 'mp4', durationSeconds: 12, bytes: 1, audio: [], video: null }
    await api.db.job.update({ where: { id: laughs }, data: { mediaInfo: shorter } })
    const { body } = await exported(silences, `as=csv&jobs=${laughs}`)
    expect(body.error?.message).toContain(`jobs: ${laughs} is of media of 12 s, this media has 20 s.`)
    const stranger = await api.newAccount()
    const theirs = await stranger.create({ endpoint: 'audio/detect-silence' })
    expect(codeOf(await exported(silences, `as=csv&jobs=${theirs}`))).toBe('not_found')
  })

  it.each([
    ['as=avid', 'as: '],
    ['', 'as: '],
    ['as=csv&list=words', 'this result has no words. It has segments, silences.'],
    ['as=edl&fps=26', 'fps: '],
    ['as=edl&record_start=24:00:00:00', 'record_start: '],
    ['as=csv&format=a', 'format'],
  ])('400 for %s', async (query, message) => {
    const { status, body } = await exported(silences, query)
    expect([status, body.error?.message]).toEqual([400, expect.stringContaining(message)])
  })

  it('200 while the responses of four others wait to be read', async () => {
    const open = await account.create({ endpoint: 'audio/detect-silence' })
    const client = connect(await api.listen(), '127.0.0.1')
    onTestFinished(() => void client.destroy())
    const get = (path: string) =>
      `GET /v1/jobs/${path} HTTP/1.1\r\nhost: api.test\r\nauthorization: Bearer ${account.token}\r\n\r\n`
    // A connection sends its responses in order: these exports wait behind the end of the job.
    const four = Array.from({ length: 4 }, () => get(`${silences}/export?as=csv`))
    client.write(`${get(`${open}?wait=60`)}${four.join('')}`)
    await expect.poll(() => api.waits).toContain(open)
    const fifth = async () => (await exported(silences, 'as=csv')).status
    await expect.poll(fifth, { timeout: 10_000 }).toBe(200)
    expect(client.bytesRead).toBe(0)
  })

  it('409 before the end, and 404 for the job of another account', async () => {
    const open = await account.create({ endpoint: 'audio/detect-silence' })
    expect(codeOf(await exported(open, 'as=csv'))).toBe('conflict')
    const other = await api.newAccount()
    for (const id of [silences, newId('job'), 'nonsense'])
      expect(codeOf(await other.get(`/v1/jobs/${id}/export?as=csv`))).toBe('not_found')
  })
})

describe('output_of', () => {
  const receipt = (presented: object, ranges?: object[]) => ({ presented, ranges })
  const joined = receipt({ start: 2, end: 14 }, [
    { presented: { start: 2, end: 4 }, at: 0 },
    { presented: { start: 9, end: 14 }, at: 2 },
  ])
  const cut = async (result: object, request: object = {}) =>
    complete(await account.create({ endpoint: 'video/clip-window', start: 2, end: 14, ...request }), {
      media_seconds: 20,
      ...result,
    })
  const chunks = async (list: object[]) =>
    complete(await account.create({ endpoint: 'audio/semantic-chunks', start: 0, end: 20 }), {
      media_seconds: 20,
      chunks: list,
    })

  it('gives the times in the file that a job cut from the same media, without what is not in it', async () => {
    const clip = await cut({ receipt: joined })
    const topics = await chunks([
      { start: 1, end: 6, title: 'Rockets' },
      { start: 6, end: 8, title: 'Fuel' },
      { start: 8, end: 20, title: 'Bread' },
    ])
    const csv = await exported(topics, `as=csv&output_of=${clip}`)
    expect(csv.text.split('\r\n').slice(1, -1)).toEqual(['0.000,2.000,2.000,"Rockets"', '2.000,7.000,5.000,"Bread"'])
    expect((await exported(topics, 'as=csv')).text).toContain('6.000,8.000,2.000,"Fuel"')
    expect((await exported(topics, `as=vtt&output_of=${clip}`)).text).toContain('00:00:02.000 --> 00:00:07.000\nBread')
  })

  it('puts the words that are in the file together to lines that can be read, as its own captions are', async () => {
    const clip = await cut({ receipt: joined })
    const said = 'this goes on and on without an end and nobody knows where the speaker could take a breath at last.'
    const words = said.split(' ').map((text, index) => ({ text, start: index, end: index + 0.9, confidence: 1 }))
    const transcript = { text: said, sentences: [{ text: said, start: 0, end: 20 }], words }
    const job = await complete(await account.create({ endpoint: 'audio/find-words', start: 0, end: 20 }), {
      ...{ media_seconds: 20, matches: [], segments: [], transcript },
    })
    const whole = (await exported(job, 'as=srt')).text
    expect(whole).toMatch(/^1\n00:00:00,000 --> 00:00:06,900\nthis goes on and on without an\n\n2\n/)
    const { text } = await exported(job, `as=srt&output_of=${clip}`)
    expect(text).toMatch(/^1\n00:00:00,000 --> 00:00:06,900\non and nobody knows where the speaker\n\n$/)
    expect((await exported(job, 'as=srt&list=sentences')).text).toContain(`00:00:20,000\n${said}`)
  })

  it.each(['edl', 'fcpxml', 'xmeml', 'otio', 'ffmpeg'])('400 as %s, which is an edit of the source', async (format) => {
    const clip = await cut({ receipt: joined })
    const { status, body } = await exported(silences, `as=${format}&output_of=${clip}`)
    expect([status, body.error?.message]).toEqual([400, expect.stringMatching(/csv, vtt, srt, labels, chapters\.$/)])
  })

  it('is of the same media if the lengths differ as containers round them', async () => {
    const clip = await cut({ receipt: joined, media_seconds: 20.0005 })
    expect((await exported(silences, `as=csv&output_of=${clip}`)).status).toBe(200)
  })

  it.each([
    ['several files', { receipt: joined, receipts: [joined, joined] }, 'made 2 files'],
    [
      'a cut of other media',
      { receipt: joined, media_seconds: 194.6975 },
      'is of media of 194.7 s, this media has 20 s.',
    ],
    ['nothing of the list', { receipt: receipt({ start: 1.5, end: 1.8 }) }, 'nothing of this list'],
  ])('400 for %s', async (_what, result, message) => {
    const { status, body } = await exported(silences, `as=csv&list=silences&output_of=${await cut(result)}`)
    expect([status, body.error?.message]).toEqual([400, expect.stringContaining(message)])
  })

  it('400 for a job that cut nothing, 409 for an open one, 404 for another account', async () => {
    const open = await account.create({ endpoint: 'video/clip-window', start: 2, end: 14 })
    const stranger = await api.newAccount()
    const theirs = await stranger.create({ endpoint: 'video/clip-window', start: 2, end: 14 })
    const codes: unknown[] = []
    for (const id of [silences, open, theirs, newId('run'), 'nonsense'])
      codes.push(codeOf(await exported(silences, `as=csv&output_of=${id}`)))
    expect(codes).toEqual(['invalid_request', 'conflict', 'not_found', 'not_found', 'not_found'])
  })
})
