import { existsSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type GcsEmulator, noGcsEmulator, startGcsEmulator } from '../setup/gcs-emulator.ts'
import { leftFiles, type Service, startService } from './service.ts'

const film = path.resolve('test/fixtures/film.mp4')
const clip = z.object({ output_url: z.url(), output: z.object({ bytes: z.int() }) })

const skipped = noGcsEmulator ? ` (skipped: ${noGcsEmulator})` : ''

describe.skipIf(noGcsEmulator)(`the service on Google Cloud Storage${skipped}`, () => {
  let emulator: GcsEmulator
  let service: Service

  beforeAll(async () => {
    emulator = await startGcsEmulator()
    service = await startService({
      STORAGE: 'gcs',
      GCS_BUCKET: emulator.bucket,
      GCS_API_ENDPOINT: emulator.endpoint,
    })
  })

  afterAll(async () => {
    await service.stop()
    await emulator.stop()
  })

  const cut = async (media_url: string, end: number) => {
    const { id } = await service.client.create({ endpoint: 'video/clip-window', media_url, end })
    const job = await service.client.ended(id)
    expect(job.error).toBeUndefined()
    return clip.parse(job.result)
  }

  it('uploads by presign, cuts, serves the clip, and accepts its URL as the next media_url', async () => {
    const first = await cut(await service.client.upload(film), 2)
    expect(first.output_url).toMatch(`${emulator.endpoint}/${emulator.bucket}/outputs/job_`)
    const answer = await fetch(first.output_url)
    expect(answer.status).toBe(200)
    expect((await answer.arrayBuffer()).byteLength).toBe(first.output.bytes)

    const second = await cut(first.output_url, 1)
    expect(second.output.bytes).toBeLessThan(first.output.bytes)
    const jobs = await service.db.job.findMany({ orderBy: { createdAt: 'asc' } })
    expect(jobs.map(({ mediaKey }) => mediaKey)).toEqual([
      expect.stringMatching(/^uploads\/upl_[a-zA-Z0-9]+\/media\.mp4$/),
      expect.stringMatching(/^outputs\/job_/),
    ])
    expect(jobs.every(({ mediaGeneration }) => /^\d+$/.test(mediaGeneration ?? ''))).toBe(true)
    expect(jobs.some(({ mediaUrl }) => mediaUrl?.includes('X-Goog-'))).toBe(false)
  })

  it('refuses output URLs of others, of expired signatures, and upload URLs', async () => {
    const { output_url } = await cut(await service.client.upload(film), 1)
    const { client: stranger } = await service.newAccount()
    const expired = output_url.replace(/X-Goog-Date=\d{8}/, 'X-Goog-Date=20200101')
    const presigned = await service.client.send('POST', '/v1/uploads/presign', { filename: 'a.mp4' })
    const { upload } = z.object({ upload: z.object({ upload_url: z.url() }) }).parse(presigned.body)
    const statusOf = async (client: Service['client'], media_url: string) =>
      (await client.send('POST', '/v1/jobs', { endpoint: 'video/clip-window', media_url, end: 1 })).status
    expect(await statusOf(stranger, output_url)).toBe(404)
    expect(await statusOf(service.client, expired)).toBe(400)
    expect(await statusOf(service.client, output_url.split('?', 1).join())).toBe(404)
    expect(await statusOf(service.client, upload.upload_url)).toBe(404)
  })

  it('serves no object routes and leaves no file on the worker', async () => {
    expect((await fetch(`${service.baseUrl}/storage/outputs/x`)).status).toBe(404)
    expect(existsSync(path.join(service.dataDir, 'objects'))).toBe(false)
    expect(await leftFiles(service)).toEqual([])
    expect(await (await fetch(`${service.baseUrl}/health`)).json()).toMatchObject({ storage: { ok: true } })
  })
})
