import { describe, expect, it } from 'vitest'
import { newId } from '../../../src/core/ids.ts'
import { markRunning, recordDraft } from '../../../src/jobs/job-changes.ts'
import { settleJob } from '../../../src/jobs/settle-job.ts'
import { mediaUrl, useApi } from '../api.ts'

const jobs = { heard: '', silences: '', pictures: '', open: '', failed: '', foreign: '' }

const api = await useApi()
const account = await api.newAccount()
const stranger = await api.newAccount()
jobs.heard = await complete(await account.create({ endpoint: 'audio/find-words' }))
jobs.silences = await complete(await account.create({ endpoint: 'audio/detect-silence' }))
jobs.pictures = await complete(await account.create({ endpoint: 'video/best-frames' }))
jobs.foreign = await complete(await stranger.create({ endpoint: 'audio/find-words' }))
jobs.open = await account.create({ endpoint: 'audio/find-words', start: 1 })
jobs.failed = await account.create({ endpoint: 'audio/find-words', start: 2 })
await settleJob(api.db, jobs.failed, { code: 'media_unreachable', message: 'The media URL could not be read.' })

async function complete(jobId: string): Promise<string> {
  await markRunning(api.db, jobId)
  await recordDraft(api.db, jobId, { result: {}, files: [], billedMilliseconds: 0 })
  await settleJob(api.db, jobId)
  return jobId
}

type Name = keyof typeof jobs

const clip = (job_id: string) => ({
  ...{ endpoint: 'video/clip-window', media_url: mediaUrl, start: 0 },
  settings: { captions: { job_id } },
})
const near = (job_id: string) => ({ ...clip(job_id), endpoint: 'video/clip-near' })
const thumbnails = (job_id: string) => ({
  endpoint: 'video/thumbnail-score',
  media_url: mediaUrl,
  settings: { job_id },
})
const ranges = (job_id: string) => ({ endpoint: 'timeline/suggest-ranges', settings: { job_id } })
const cuts = (job_id: string) => ({
  ...{ endpoint: 'timeline/suggest-ranges', settings: { job_id, remove_repeats: true } },
})
const merge = (job_id: string) => ({ endpoint: 'timeline/merge', settings: { job_ids: [jobs.silences, job_id] } })

describe('a job that a setting names', () => {
  it.each<[string, (id: string) => object, Name]>([
    ['captions', clip, 'heard'],
    ['captions of clip-near', near, 'heard'],
    ['thumbnails', thumbnails, 'pictures'],
    ['ranges', ranges, 'silences'],
    ['cuts by text', cuts, 'heard'],
    ['a merge', merge, 'heard'],
  ])('is accepted for %s if it completed with what they need', async (_what, request, name) => {
    expect((await account.post('/v1/jobs', request(jobs[name]))).status).toBe(202)
  })

  it.each<[string, (id: string) => object, Name | 'unknown', string]>([
    ['unknown', clip, 'unknown', 'captions.job_id: there is no job'],
    ["another account's", clip, 'foreign', 'captions.job_id: there is no job'],
    ['failed', near, 'failed', 'captions.job_id: ID failed, so it has no result'],
    [
      'without a transcript',
      clip,
      'silences',
      'captions.job_id: the result of ID, a job of audio/detect-silence, has no transcript. Use a job of audio/find-words.',
    ],
    ['without frames', thumbnails, 'heard', 'job_id: the result of ID, a job of audio/find-words, has no frames'],
    ['without segments', ranges, 'pictures', 'job_id: the result of ID, a job of video/best-frames, has no segments'],
    ['without words', cuts, 'silences', 'job_id: the result of ID, a job of audio/detect-silence, has no transcript'],
    ['unknown in a list', merge, 'unknown', 'job_ids[1]: there is no job'],
  ])('is refused before a job is made if it is %s', async (_what, request, name, message) => {
    const id = name === 'unknown' ? newId('job') : jobs[name]
    const count = () => api.db.job.count({ where: { accountId: account.accountId } })
    const before = await count()
    const expected = expect.stringContaining(`settings.${message.replace('ID', id)}`)
    for (const path of ['/v1/jobs', '/v1/estimate']) {
      const { status, body } = await account.post(path, request(id))
      expect([status, body.error.code, body.error.message]).toEqual([400, 'invalid_request', expected])
    }
    expect(await count()).toBe(before)
  })

  it('is a conflict while it is queued', async () => {
    const expected = expect.stringContaining(`settings.captions.job_id: ${jobs.open} is queued. Wait until`)
    for (const path of ['/v1/jobs', '/v1/estimate']) {
      const { status, body } = await account.post(path, clip(jobs.open))
      expect([status, body.error.code, body.error.message]).toEqual([409, 'conflict', expected])
    }
  })

  it('is refused before a chain is charged for the steps ahead', async () => {
    const { settings } = clip(jobs.foreign)
    const run = { media_url: mediaUrl, media_seconds: 60, settings: { 'video/clip-window': settings } }
    const { status, body } = await account.post('/v1/workflows/remove-dead-space/runs', run)
    const place = expect.stringContaining('settings["video/clip-window"].captions.job_id: there is no job')
    expect([status, body.error.message]).toEqual([400, place])
  })
})
