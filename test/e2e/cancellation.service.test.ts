import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { bestOfThree } from '../best-of-three.ts'
import { mediaProcessesIn } from '../faults/processes.ts'
import { fixture } from '../fixtures/make.ts'
import { untilFound } from '../until-found.ts'
import { leftFiles, type Service, startService } from './service.ts'

let service: Service
let slowMedia: string

beforeAll(async () => {
  service = await startService({}, { worker: false })
  slowMedia = await service.client.upload(await fixture('noise.mp4'))
})

afterEach(() => service.stopWorkers())

afterAll(() => service.stop())

const mediaProcesses = () => mediaProcessesIn(service.dataDir)

async function startRender(): Promise<string> {
  const { id } = await service.client.create({ endpoint: 'video/clip-window', media_url: slowMedia, start: 0 })
  await untilFound(async () => mediaProcesses().length > 0 && (await service.client.job(id)).progress > 0)
  return id
}

async function objectsOf(jobId: string): Promise<string[]> {
  const folder = path.join(service.dataDir, 'objects', 'outputs', jobId)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  // An object is a folder that is named by its key and a tilde.
  return entries.filter((entry) => entry.name.endsWith('.mp4~')).map((entry) => entry.name)
}

describe.skipIf(process.platform !== 'linux')('a job that is canceled', () => {
  it('in mid-render: ffmpeg ends within 2 s, the job costs nothing and leaves no file', bestOfThree, async () => {
    const worker = await service.startWorker()
    const id = await startRender()
    const asked = performance.now()
    await service.client.send('POST', `/v1/jobs/${id}/cancel`)
    await vi.waitUntil(() => mediaProcesses().length === 0, { timeout: 5_000, interval: 20 })
    expect(performance.now() - asked).toBeLessThan(2_000)

    const job = await service.client.ended(id)
    expect(job).toMatchObject({ status: 'failed', error: { code: 'canceled' }, final_price_usd: 0 })
    expect(await objectsOf(id)).toEqual([])
    await untilFound(async () => (await leftFiles(service)).length === 0)
    await worker.stop()
  })

  it('before a worker took it: ends canceled', async () => {
    const { id } = await service.client.create({ endpoint: 'video/clip-window', media_url: slowMedia, end: 1 })
    await service.client.send('POST', `/v1/jobs/${id}/cancel`)
    const worker = await service.startWorker()
    expect(await service.client.ended(id)).toMatchObject({ status: 'failed', error: { code: 'canceled' } })
    await worker.stop()
  })
})
