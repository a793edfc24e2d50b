import path from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { jobResponse } from '../../scripts/client.ts'
import { checkLedger } from '../../src/billing/check-ledger.ts'
import { fixture } from '../fixtures/make.ts'
import { type SharedService, useSharedService } from './shared-service.ts'

const speech = path.resolve('test/fixtures/speech.wav')
let service: SharedService

beforeAll(async () => {
  service = await useSharedService()
})

it("a job's result becomes ranges, and several results one timeline, for free", async () => {
  const { client } = service
  const media_url = await client.upload(speech)
  const asked = ['audio/detect-silence', 'audio/detect-energy'].map((endpoint) =>
    client.create({ endpoint, media_url }),
  )
  const jobs = await Promise.all(asked.map(async (job) => client.ended((await job).id)))
  const [silence] = jobs

  const settings = { job_id: silence?.id, min_cut_seconds: 0.05 }
  const answer = await client.send('POST', '/v1/timeline/suggest-ranges', { settings })
  const { job } = jobResponse.parse(answer.body)
  expect([answer.status, job.status, job.final_price_usd]).toEqual([200, 'completed', 0])
  expect(job.result?.['media_seconds']).toBeCloseTo(73.349, 3)
  expect(job.result?.['ranges']).not.toEqual([])

  const merged = await client.send('POST', '/v1/timeline/merge', { settings: { job_ids: jobs.map(({ id }) => id) } })
  expect(jobResponse.parse(merged.body).job).toMatchObject({
    status: 'completed',
    result: { sources: jobs.map(({ id }) => ({ job_id: id })) },
  })
})

it('a job of another account is refused as an unknown one', async () => {
  const { client: stranger } = await service.newAccount()
  const { body } = await service.client.send('GET', '/v1/jobs?limit=1')
  const [{ id }] = Object(body).jobs
  const answer = await stranger.send('POST', '/v1/timeline/merge', { settings: { job_ids: [id] } })
  expect([answer.status, answer.body]).toMatchObject([
    400,
    { error: { code: 'invalid_request', message: expect.stringContaining('settings.job_ids[0]: there is no job') } },
  ])
  expect(await checkLedger(service.db)).toEqual([])
})

it('recordings of the same talk are placed on one clock by their sound, and others are not', async () => {
  const { client } = service
  const recordings = [speech, await fixture('other-recorder.wav'), await fixture('film-24.mp4')]
  const ids: string[] = []
  for (const file of recordings) {
    const media_url = await client.upload(file)
    const { id } = await client.create({ endpoint: 'audio/detect-silence', media_url })
    expect((await client.ended(id)).status).toBe('completed')
    ids.push(id)
  }
  const answer = await client.send('POST', '/v1/timeline/sync', { settings: { job_ids: ids } })
  const { job } = jobResponse.parse(answer.body)
  expect([job.status, job.final_price_usd, job.warnings]).toEqual([
    'completed',
    0,
    [expect.stringContaining(ids[2] ?? '')],
  ])
  expect(job.result?.['recordings']).toEqual([
    {
      job_id: ids[0],
      name: 'speech.wav',
      synced: true,
      offset_seconds: 0,
      drift_ppm: 0,
      residual_ms: 0,
      confidence: 1,
    },
    {
      ...{ job_id: ids[1], name: 'other-recorder.wav', synced: true, offset_seconds: expect.closeTo(12.345, 2) },
      ...{ drift_ppm: expect.any(Number), residual_ms: expect.any(Number), confidence: expect.any(Number) },
    },
    { job_id: ids[2], name: 'film-24.mp4', synced: false, confidence: 0 },
  ])
  const stranger = await service.newAccount()
  const refused = await stranger.client.send('POST', '/v1/timeline/sync', { settings: { job_ids: ids } })
  expect(refused.status).toBe(400)
  const merged = await client.send('POST', '/v1/timeline/merge', { settings: { job_ids: ids.slice(0, 1) } })
  const without = [ids[0], jobResponse.parse(merged.body).job.id]
  const failed = await client.send('POST', '/v1/timeline/sync', { settings: { job_ids: without } })
  expect(JSON.stringify(failed.body)).toContain('measured no sound')
})
