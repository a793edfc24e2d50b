import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { freePort } from '../../scripts/stack/ports.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { type Scrape, scrape } from '../telemetry/scrape.ts'
import { type Service, startService } from './service.ts'

let service: Service
let workerAddress: string
let apiAddress: string
let api: Scrape
let worker: Scrape

beforeAll(async () => {
  apiAddress = `127.0.0.1:${await freePort()}`
  workerAddress = `127.0.0.1:${await freePort()}`
  service = await startService({ METRICS_ADDRESS: apiAddress }, { worker: false })
  await service.startWorker({ METRICS_ADDRESS: workerAddress })

  const media_url = await service.client.upload(path.resolve('test/fixtures/speech.wav'))
  const good = await service.client.create({ endpoint: 'audio/detect-silence', media_url, end: 30 })
  const bad = await service.client.create({ endpoint: 'video/clip-window', media_url, start: 500 })
  expect(await service.client.ended(good.id)).toMatchObject({ status: 'completed' })
  expect(await service.client.ended(bad.id)).toMatchObject({ status: 'failed', error: { code: 'invalid_request' } })
  // Metrics are counted after the rows that end the jobs.
  worker = await vi.waitFor(async () => {
    const latest = await scrape(workerAddress)
    expect(latest.samples('media_timeline_jobs_ended_total')).toHaveLength(2)
    expect(latest.value('temporal_workflow_completed_total', { workflow_type: 'mediaJob' })).toBe(1)
    return latest
  }, 60_000)
  api = await scrape(apiAddress)
})

afterAll(() => service.stop())

describe('after one completed and one failed job', () => {
  it('both processes declare every metric, with its type', async () => {
    const { registry } = createMetrics()
    const declared = await registry.getMetricsAsJSON()
    for (const { name, type } of declared) {
      expect([name, api.types.get(name), worker.types.get(name)]).toEqual([name, `${type}`, `${type}`])
    }
    expect(api.types.get('media_timeline_http_request_duration_seconds')).toBe('histogram')
  })

  it('the API counts requests by route and jobs by endpoint', () => {
    const created = { method: 'POST', route: '/v1/jobs', status: '202' }
    expect(api.value('media_timeline_http_request_duration_seconds_count', created)).toBe(2)
    expect(api.value('media_timeline_http_request_duration_seconds_bucket', { ...created, le: '+Inf' })).toBe(2)
    expect(api.value('media_timeline_jobs_created_total', { endpoint: 'audio/detect-silence' })).toBe(1)
    expect(api.value('media_timeline_jobs_created_total', { endpoint: 'video/clip-window' })).toBe(1)
  })

  it('the worker counts ends with their codes, times, media and tools', () => {
    const silence = { endpoint: 'audio/detect-silence' }
    const clip = { endpoint: 'video/clip-window' }
    expect(worker.value('media_timeline_jobs_ended_total', { ...silence, status: 'completed', code: '' })).toBe(1)
    expect(
      worker.value('media_timeline_jobs_ended_total', { ...clip, status: 'failed', code: 'invalid_request' }),
    ).toBe(1)
    expect(worker.value('media_timeline_job_queue_duration_seconds_count', silence)).toBe(1)
    // It failed before its work began.
    expect(worker.value('media_timeline_job_queue_duration_seconds_count', clip)).toBeUndefined()
    expect(worker.value('media_timeline_job_duration_seconds_count', { ...clip, status: 'failed' })).toBeUndefined()
    expect(
      worker.value('media_timeline_job_duration_seconds_sum', { ...silence, status: 'completed' }),
    ).toBeGreaterThan(0)
    expect(worker.value('media_timeline_media_seconds_total', silence)).toBe(30)
    expect(worker.value('media_timeline_processing_seconds_total', silence)).toBeGreaterThan(0)
    expect(worker.value('media_timeline_media_seconds_total', clip)).toBeUndefined()
    expect(worker.value('media_timeline_ffmpeg_runs_total', { program: 'ffmpeg', outcome: 'ok' })).toBeGreaterThan(0)
    expect(worker.value('media_timeline_ffmpeg_runs_total', { program: 'ffprobe', outcome: 'ok' })).toBeGreaterThan(0)
    expect(worker.value('media_timeline_ledger_errors_total', { transaction: 'settle' })).toBe(0)
  })

  it('the worker also exports Temporal’s metrics, and both measure their processes', () => {
    expect(worker.types.get('temporal_workflow_completed_total')).toBe('counter')
    expect(worker.types.get('temporal_activity_schedule_to_start_latency_seconds')).toBe('histogram')
    for (const process of [api, worker]) {
      expect(process.value('process_resident_memory_bytes')).toBeGreaterThan(1e7)
      expect(process.types.get('nodejs_eventloop_lag_seconds')).toBe('gauge')
      expect(process.types.get('nodejs_active_handles_total')).toBe('gauge')
    }
  })

  it('no label holds the id of an account or a job', async () => {
    const texts = await Promise.all(
      [apiAddress, workerAddress].map(async (address) => (await fetch(`http://${address}/metrics`)).text()),
    )
    expect(texts.join('')).not.toMatch(/(job|acct|upl|req|key)_[a-zA-Z0-9]{24}/)
  })

  it('metrics are not on the public port, and their port serves nothing more', async () => {
    expect((await fetch(`${service.baseUrl}/metrics`)).status).toBe(404)
    expect((await fetch(`http://${apiAddress}/health`)).status).toBe(404)
  })
})

it('shows waiting jobs, and answers scrapes without the database', async () => {
  await service.stopWorkers()
  const media_url = await service.client.upload(path.resolve('test/fixtures/film.mp4'))
  await service.client.create({ endpoint: 'video/clip-window', media_url, end: 1 })
  const queued = { endpoint: 'video/clip-window', status: 'queued' }
  await expect.poll(async () => (await scrape(apiAddress)).value('media_timeline_open_jobs', queued)).toBe(1)
  expect((await scrape(apiAddress)).value('media_timeline_oldest_open_job_age_seconds', queued)).toBeLessThan(60)

  await service.loseDatabase()
  const refused = await service.client.send('POST', '/v1/jobs', { endpoint: 'video/clip-window', media_url, end: 1 })
  expect(refused.status).toBeGreaterThanOrEqual(500)
  await expect.poll(async () => (await scrape(apiAddress)).samples('media_timeline_open_jobs')).toEqual([])
  expect((await scrape(apiAddress)).value('media_timeline_jobs_created_total', { endpoint: 'video/clip-window' })).toBe(
    2,
  )
})
