import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../src/core/ids.ts'
import { exportFormatNames, exportFormats } from '../../../src/exports/export-formats.ts'
import { settleJob } from '../../../src/jobs/settle-job.ts'
import { recordDraft } from '../../../src/store/drafts.ts'
import { markRunning } from '../../../src/store/job-changes.ts'
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
      new RegExp(`^attachment; .*filename\\*=UTF-8''my%20%E2%80%9Ctalk%E2%80%9D${said}\\.${extension}$`),
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

  it('takes the list and the frame rate', async () => {
    expect((await exported(silences, 'as=csv&list=silences')).text).toContain('0.000,1.000,1.000,"silence 1"')
    expect((await exported(silences, 'as=xmeml&fps=23.976')).text).toContain('<timebase>24</timebase>')
  })

  it.each([
    ['as=avid', 'as: '],
    ['', 'as: '],
    ['as=csv&list=words', 'this result has no words. It has segments, silences.'],
    ['as=edl&fps=26', 'fps: '],
    ['as=csv&format=a', 'format'],
  ])('400 for %s', async (query, message) => {
    const { status, body } = await exported(silences, query)
    expect([status, body.error?.message]).toEqual([400, expect.stringContaining(message)])
  })

  it('409 before the end, and 404 for the job of another account', async () => {
    const open = await account.create({ endpoint: 'audio/detect-silence' })
    expect(codeOf(await exported(open, 'as=csv'))).toBe('conflict')
    const other = await api.newAccount()
    for (const id of [silences, newId('job'), 'nonsense'])
      expect(codeOf(await other.get(`/v1/jobs/${id}/export?as=csv`))).toBe('not_found')
  })
})
