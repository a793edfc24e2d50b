import { afterAll, beforeAll, expect, it } from 'vitest'
import { beepsWav } from '../../lab/hostile/hostile-files.ts'
import { freePort } from '../../scripts/stack/ports.ts'
import { mediaTaskQueue } from '../../src/temporal/names.ts'
import { holdGates, installGates } from '../faults/gates.ts'
import { scrape } from '../telemetry/scrape.ts'
import { untilFound } from '../until-found.ts'
import { type Service, startService } from './service.ts'

const endpoint = 'audio/detect-silence'
let service: Service
let metrics: string

beforeAll(async () => {
  metrics = `127.0.0.1:${await freePort()}`
  service = await startService({ METRICS_ADDRESS: metrics }, { worker: false })
  await service.startWorker({ MEDIA_SLOTS: '1', METRICS_ADDRESS: `127.0.0.1:${await freePort()}` })
})

afterAll(() => service.stop())

it('a job that waits for a task slot is queued until its work begins, and the backlog of the task queue shows it', async () => {
  const { client, accountId } = service
  const databaseUrl = service.environment['DATABASE_URL'] ?? ''
  await installGates(databaseUrl)
  const gates = await holdGates(databaseUrl, [{ accountId, step: 'run' }])
  // Too long for a short run, which would go to other task slots on a busy machine.
  const [media_url, longer] = [
    await client.uploadBytes('a.wav', beepsWav(700)),
    await client.uploadBytes('b.wav', beepsWav(701)),
  ]
  const first = await client.create({ endpoint, media_url })
  await untilFound(() => gates.areReached())
  const next = await client.create({ endpoint, media_url: longer })
  await untilFound(async () => {
    const { mediaInfo, estimatedMicroUsd } = await service.db.job.findUniqueOrThrow({ where: { id: next.id } })
    return mediaInfo !== null && estimatedMicroUsd !== null
  })
  const backlog = async () =>
    (await scrape(metrics)).value('media_timeline_task_queue_backlog', { task_queue: mediaTaskQueue })
  // The count of Temporal is approximate.
  await expect.poll(backlog, { timeout: 60_000, interval: 200 }).toBeGreaterThan(0)
  const scraped = await scrape(metrics)
  const age = { task_queue: mediaTaskQueue }
  expect(scraped.value('media_timeline_task_queue_backlog_age_seconds', age)).toBeGreaterThan(0)
  expect(await client.job(next.id)).toMatchObject({ status: 'queued' })
  expect(await service.db.job.findUniqueOrThrow({ where: { id: next.id } })).toMatchObject({ startedAt: null })
  expect(scraped.value('media_timeline_open_jobs', { endpoint, status: 'queued' })).toBe(1)

  await gates.release()
  expect(await client.ended(first.id)).toMatchObject({ status: 'completed' })
  expect(await client.ended(next.id)).toMatchObject({ status: 'completed' })
  const { startedAt, createdAt } = await service.db.job.findUniqueOrThrow({ where: { id: next.id } })
  expect(Number(startedAt)).toBeGreaterThan(Number(createdAt))
  await expect.poll(backlog, { timeout: 60_000, interval: 200 }).toBe(0)
})
