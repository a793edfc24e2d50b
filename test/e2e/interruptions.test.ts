import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { mediaTools } from '../setup/tools.ts'
import { leftFiles, type Service, startService } from './service.ts'

let service: Service
let slowMedia: string

beforeAll(async () => {
  service = await startService({}, { worker: false })
  // Noise is what takes longest to encode.
  const file = path.join(service.dataDir, 'noise.mp4')
  const made = spawnSync(mediaTools.ffmpegPath, [
    ...[
      '-v',
      'error',
      '-f',
      'lavfi',
      '-i',
      'testsrc2=size=1280x720:rate=30:duration=5',
      '-f',
      'lavfi',
      '-i',
      'sine=d=5',
    ],
    ...['-vf', 'noise=alls=40:allf=t', '-c:v', 'libx264', '-preset', 'ultrafast', '-qp', '20', '-c:a', 'aac', file],
  ])
  expect(made.status).toBe(0)
  slowMedia = await service.client.upload(file)
}, 120_000)

afterEach(() => service.stopWorkers())

afterAll(() => service.stop())

/** The media processes that work for this service, told by their command lines. */
function mediaProcesses(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const [program = '', ...rest] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
        return program === mediaTools.ffmpegPath && rest.some((argument) => argument.includes(service.dataDir))
      } catch {
        return false
      }
    })
}

async function startRender(): Promise<string> {
  const { id } = await service.client.create({ endpoint: 'video/clip-window', media_url: slowMedia })
  await vi.waitUntil(async () => mediaProcesses().length > 0 && (await service.client.job(id)).progress > 0, {
    timeout: 60_000,
    interval: 50,
  })
  return id
}

async function objectsOf(jobId: string): Promise<string[]> {
  const folder = path.join(service.dataDir, 'objects', 'outputs', jobId)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  // An object is a folder that is named by its key and a tilde.
  return entries.filter((entry) => entry.name.endsWith('.mp4~')).map((entry) => entry.name)
}

describe.skipIf(process.platform !== 'linux')('a render that is interrupted', () => {
  it('canceled: ffmpeg is gone within 2 s, the job costs nothing and leaves nothing', async () => {
    const worker = await service.startWorker()
    const id = await startRender()
    const asked = performance.now()
    await service.client.send('POST', `/v1/jobs/${id}/cancel`)
    await vi.waitUntil(() => mediaProcesses().length === 0, { timeout: 5_000, interval: 20 })
    expect(performance.now() - asked).toBeLessThan(2_000)

    const job = await service.client.ended(id)
    expect(job).toMatchObject({ status: 'failed', error: { code: 'canceled' }, final_price_usd: 0 })
    expect(await objectsOf(id)).toEqual([])
    await vi.waitUntil(async () => (await leftFiles(service)).length === 0)
    await worker.stop()
  }, 120_000)

  it('its worker killed: another completes it, with one output and one capture', async () => {
    const worker = await service.startWorker()
    const id = await startRender()
    worker.child.kill('SIGKILL')
    await once(worker.child, 'exit')
    const orphans = mediaProcesses()

    const second = await service.startWorker()
    expect(orphans.filter((pid) => mediaProcesses().includes(pid))).toEqual([])
    const job = await service.client.ended(id, 110)
    expect(job.status).toBe('completed')
    expect(await objectsOf(id)).toHaveLength(1)
    const ledger = await service.db.ledgerEntry.findMany({ where: { jobId: id } })
    expect(ledger.filter((entry) => entry.kind === 'capture')).toHaveLength(1)
    expect(await service.db.output.count({ where: { jobId: id } })).toBe(1)
    await second.stop()
    expect(await leftFiles(service)).toEqual([])
  }, 180_000)

  it('its worker stopped by a deploy: the next one completes it', async () => {
    const worker = await service.startWorker()
    const id = await startRender()
    await worker.stop()
    expect(mediaProcesses()).toEqual([])
    expect((await service.client.job(id)).status).toBe('running')
    const second = await service.startWorker()
    expect((await service.client.ended(id, 110)).status).toBe('completed')
    await second.stop()
  }, 180_000)

  it('canceled before any worker took it: ends canceled', async () => {
    const { id } = await service.client.create({ endpoint: 'video/clip-window', media_url: slowMedia, end: 1 })
    await service.client.send('POST', `/v1/jobs/${id}/cancel`)
    const worker = await service.startWorker()
    expect(await service.client.ended(id)).toMatchObject({ status: 'failed', error: { code: 'canceled' } })
    await worker.stop()
  }, 60_000)
})
