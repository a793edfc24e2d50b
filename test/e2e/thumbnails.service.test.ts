import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { liveEndpoint } from '../../src/endpoints/catalog.ts'
import { astronaut, fixture, portrait } from '../fixtures/make.ts'
import { models, whySkipped } from '../setup/models.ts'
import { type SharedService, useSharedService } from './shared-service.ts'

const picture = z.object({ url: z.url(), bytes: z.number(), content_type: z.string(), name: z.string() })
const found = z.object({
  analysis: z.string(),
  frames: z.array(z.object({ time: z.number() })),
  output: picture,
  outputs: z.array(picture),
})

const run = z.object({
  status: z.string(),
  price_usd: z.number(),
  steps: z.array(z.unknown()),
  outputs: z.array(picture),
  result: z.looseObject({ frames: z.array(z.looseObject({ rank: z.number(), crops: z.array(z.unknown()) })) }),
})
const named = z.object({ id: z.string() })
const toolAnswer = z.object({ workflow: named.optional(), job: named.optional() })

describe.skipIf(!models.has('find-faces'))(`the best frames${whySkipped}`, () => {
  let service: SharedService
  let media_url: string
  beforeAll(async () => {
    service = await useSharedService()
    media_url = await service.client.upload(await fixture('shots.mp4'))
  })

  const pick = async (settings: object) => {
    const job = await service.client.create({ endpoint: 'video/best-frames', media_url, settings })
    const { result, error, final_price_usd } = await service.client.ended(job.id)
    expect(error).toBeUndefined()
    liveEndpoint('video/best-frames').result.parse(result)
    return { ...found.parse(result), final_price_usd }
  }

  it('are JPEGs that open, and the same ones are found again without another look', async () => {
    const first = await pick({ count: 3 })
    expect([first.analysis, first.frames.length, first.outputs.length]).toEqual(['computed', 3, 3])
    for (const { url, bytes, content_type, name } of first.outputs) {
      const response = await fetch(url)
      const body = Buffer.from(await response.arrayBuffer())
      expect([response.headers.get('content-type'), body.length]).toEqual([content_type, bytes])
      expect([content_type, body.subarray(0, 2).toString('hex')]).toEqual(['image/jpeg', 'ffd8'])
      expect(name).toMatch(/^shots-frame-0m\d\d(\.\d+)?s\.jpg$/)
    }
    // 14 seconds at 0.005 USD a minute.
    expect(first.final_price_usd).toBeCloseTo(0.001167, 5)
    const again = await pick({ count: 2 })
    expect(again.analysis).toBe('reused')
    expect(again.frames.map(({ time }) => time)).toEqual(first.frames.slice(0, 2).map(({ time }) => time))
  })

  it('become ranked thumbnails in one run, whose plan had the most that they cost', async () => {
    const settings = { 'video/best-frames': { count: 2 }, 'video/thumbnail-score': { crops: ['9:16', '1:1'] } }
    const { body } = await service.client.send('POST', '/v1/workflows/pick-thumbnails/runs?wait=60', {
      ...{ mode: 'run_all', media_url, settings },
    })
    const { status, result, outputs, steps, price_usd } = z.object({ run }).parse(body).run
    expect([status, steps.length, outputs.length]).toEqual(['completed', 2, 4])
    liveEndpoint('video/thumbnail-score').result.parse(result)
    expect(result.frames.map(({ rank, crops }) => [rank, crops.length])).toEqual([
      [1, 2],
      [2, 2],
    ])
    // 14 seconds of media, and two frames.
    expect(price_usd).toBeCloseTo(0.001167 + 0.002, 5)
  })

  it('are ranked, if they are uploaded pictures, which no other endpoint takes', async () => {
    const upload = async (file: string) => (await service.client.upload(file)).split('/').at(-1) ?? ''
    const upload_ids = [await upload(astronaut), await upload(portrait)]
    const endpoint = 'video/thumbnail-score'
    const settings = { upload_ids, crops: ['1:1'] }
    const job = await service.client.create({ endpoint, settings })
    const { result, error, final_price_usd } = await service.client.ended(job.id)
    expect(error).toBeUndefined()
    liveEndpoint(endpoint).result.parse(result)
    const scored = z.object({ frames: z.array(z.object({ upload_id: z.string() })), outputs: z.array(picture) })
    const { frames, outputs } = scored.parse(result)
    expect(frames.map(({ upload_id }) => upload_id).toSorted()).toEqual(upload_ids.toSorted())
    expect([outputs.length, final_price_usd]).toEqual([2, 0.002])

    const asMedia = await service.client.create({
      endpoint: 'audio/detect-silence',
      media_url: `${service.baseUrl}/v1/media/${upload_ids[0]}`,
    })
    expect((await service.client.ended(asMedia.id)).error?.code).toBe('unsupported_file_type')
  })

  it('are picked, and then scored, by the tools of an agent', async () => {
    const client = new Client({ name: 'agent', version: '1' })
    const headers = { authorization: `Bearer ${service.token}` }
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${service.baseUrl}/mcp`), { requestInit: { headers } }),
    )
    const use = async (name: string, given: Record<string, unknown>) => {
      const answer = await client.callTool({ name: `svc.${name}`, arguments: given })
      expect([name, answer.isError ?? false, answer.content[0]]).toEqual([name, false, expect.anything()])
      return { ...answer, structured: toolAnswer.parse(answer.structuredContent) }
    }
    const plan = await use('plan_integration', { goal: 'a thumbnail for the video', media: 'url' })
    expect(plan.structured.workflow?.id).toBe('pick-thumbnails')
    const first = await use('create_job', { endpoint: 'video/best-frames', media_url, settings: { count: 1 } })
    const picked = { job_id: first.structured.job?.id ?? '' }
    await use('get_job', { ...picked, wait_seconds: 60 })
    const next = await use('continue_workflow_job', { ...picked, media_url, queue: true })
    const scored = { job_id: next.structured.job?.id ?? '' }
    await use('get_job', { ...scored, wait_seconds: 60 })
    const { content } = await use('get_job_result', scored)
    const linked = content.flatMap((one) => (one.type === 'resource_link' ? [one.mimeType] : []))
    expect(linked).toEqual(['image/jpeg', 'image/jpeg', 'image/jpeg', 'text/csv'])
    await client.close()
  })
})
