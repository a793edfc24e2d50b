import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { jobResponse } from '../../scripts/client.ts'
import { checkLedger } from '../../src/billing/check-ledger.ts'
import { liveEndpoint } from '../../src/endpoints/catalog.ts'
import { mediaTools } from '../setup/tools.ts'
import { type SharedService, useSharedService } from './shared-service.ts'

const speech = path.resolve('test/fixtures/speech.wav')
const film = path.resolve('test/fixtures/film.mp4')
let service: SharedService

beforeAll(async () => {
  service = await useSharedService()
})

const segments = z.array(z.object({ start: z.number(), end: z.number() })).min(2)
const clip = z.object({
  output_url: z.url(),
  output: z.object({
    name: z.string(),
    url: z.url(),
    download_url: z.url(),
    bytes: z.int(),
    duration: z.number(),
    width: z.int(),
    height: z.int(),
  }),
  receipt: z.object({ frames_encoded: z.int() }),
})

/** Completes a job; checks its result against the declared schema, and parses it with `schema`. */
async function complete<T>(schema: z.ZodType<T>, body: { endpoint: string; [field: string]: unknown }) {
  const created = await service.client.create(body)
  const job = await service.client.ended(created.id)
  expect(job.error).toBeUndefined()
  liveEndpoint(body.endpoint).result.parse(job.result)
  return { ...job, result: schema.parse(job.result) }
}

describe('the main job, from upload to result', () => {
  it('finds the silences of real speech', async () => {
    const media_url = await service.client.upload(speech)
    const job = await complete(z.object({ silences: segments }), {
      endpoint: 'audio/detect-silence',
      media_url,
      settings: { min_silence_seconds: 0.2 },
    })
    expect(job.result.silences.length).toBeGreaterThan(5)
    expect(job.media_seconds).toBeCloseTo(73.349, 3)
    // 0.002 USD a minute, rounded up to the micro-dollar.
    const price = Math.ceil((Math.ceil((job.media_seconds ?? 0) * 1000) * 2000) / 60_000) / 1e6
    expect(job.final_price_usd).toBe(price)
    expect(job.estimated_price_usd).toBe(price)
  })

  it('finds where it is loud', async () => {
    const media_url = await service.client.upload(speech)
    const job = await complete(z.object({ segments }), {
      endpoint: 'audio/detect-energy',
      media_url,
      start: 5,
      end: '00:00:30',
    })
    expect(job.result.segments.at(0)?.start).toBeGreaterThanOrEqual(5)
    expect(job.result.segments.at(-1)?.end).toBeLessThanOrEqual(30.001)
  })

  it.each([
    ['video/clip-window', { start: 1.5, end: 3 }, 'film-clip-0m01.5s.mp4'],
    ['video/clip-near', { start: 2, settings: { before_seconds: 1, after_seconds: 1 } }, 'film-clip-0m02s.mp4'],
  ])('cuts a clip with %s that downloads, plays and can be asked for again', async (endpoint, body, name) => {
    const media_url = await service.client.upload(film)
    const job = await complete(clip, { endpoint, media_url, ...body })
    const response = await fetch(job.result.output_url)
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(response.headers.get('content-type')).toBe('video/mp4')
    expect(bytes.length).toBe(job.result.output.bytes)
    expect(job.result.output.name).toBe(name)
    const saved = await fetch(job.result.output.download_url)
    expect(saved.headers.get('content-disposition')).toBe(`attachment; filename=${name}`)
    await saved.body?.cancel()

    const file = path.join(service.dataDir, `${job.id}.mp4`)
    await writeFile(file, bytes)
    const decoded = spawnSync(mediaTools.ffmpegPath, ['-v', 'error', '-i', file, '-f', 'null', '-'], {
      encoding: 'utf8',
    })
    expect(decoded.stderr).toBe('')

    const refreshed = await service.client.send('POST', `/v1/jobs/${job.id}/outputs/refresh`)
    const fresh = clip.parse(jobResponse.parse(refreshed.body).job.result)
    expect((await fetch(fresh.output_url)).status).toBe(200)

    // A clip can be the media of another job, read from storage.
    const again = { endpoint: 'video/clip-window', media_url: job.result.output_url, start: 0, end: 0.5 }
    const next = await complete(clip, again)
    expect(next.result.receipt.frames_encoded).toBeGreaterThan(5)
  })

  it('answers a direct path with the ended job', async () => {
    const media_url = await service.client.upload(speech)
    const response = await service.client.send('POST', '/v1/audio/detect-silence', { media_url, end: 10 })
    expect(response.status).toBe(200)
    expect(jobResponse.parse(response.body).job.status).toBe('completed')
  })

  it('keeps an account’s jobs, media and outputs from another', async () => {
    const media_url = await service.client.upload(film)
    const job = await complete(clip, { endpoint: 'video/clip-window', media_url, start: 0, end: 1 })
    const { client: stranger } = await service.newAccount()
    expect((await stranger.send('GET', `/v1/jobs/${job.id}`)).status).toBe(404)
    const reused = [media_url, job.result.output_url].map((url) =>
      stranger.send('POST', '/v1/jobs', { endpoint: 'video/clip-window', media_url: url, end: 1 }),
    )
    expect((await Promise.all(reused)).map(({ status }) => status)).toEqual([404, 404])
  })

  it('leaves a consistent ledger, no hold and no temporary file', async () => {
    expect(await checkLedger(service.db)).toEqual([])
    const account = await service.db.account.findUniqueOrThrow({ where: { id: service.accountId } })
    expect(account.heldMicroUsd).toBe(0n)
    expect(await service.leftFiles()).toEqual([])
  })
})
