import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { createServer, type Server } from 'node:http'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { endpoints } from '../../src/endpoints/catalog.ts'
import { mediaPort, type SharedService, useSharedService } from './shared-service.ts'

const film = path.resolve('test/fixtures/film.mp4')
const estimate = z.object({ estimated_price_usd: z.number(), media_seconds: z.number(), billable_seconds: z.number() })

let service: SharedService
let server: Server
let remote: string

beforeAll(async () => {
  const port = mediaPort('estimate')
  server = createServer((request, response) => {
    if (request.url?.startsWith('/film.mp4')) createReadStream(film).pipe(response)
    else response.writeHead(404).end()
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  remote = `http://127.0.0.1:${port}`
  service = await useSharedService()
})

afterAll(async () => {
  server.close()
})

const windows: Readonly<Record<string, object>> = {
  'video/clip-near': { start: 1 },
  'video/clip-window': { start: 0.5 },
  'video/thumbnail-score': { start: 1 },
}

it.each(endpoints.filter(({ readsMedia }) => readsMedia).map(({ id }) => id))(
  'the estimate for %s is the one that the job gets',
  async (endpoint) => {
    const uploaded = await service.client.upload(film)
    for (const media_url of [uploaded, `${remote}/film.mp4?token=abcdef1234567890`]) {
      const request = { endpoint, media_url, ...windows[endpoint] }
      const answer = await service.client.send('POST', '/v1/estimate', request)
      expect(answer).toMatchObject({ status: 200 })
      const estimated = estimate.parse(answer.body)
      const job = await service.client.ended((await service.client.create(request)).id)
      expect(job).toMatchObject({ status: 'completed', estimated_price_usd: estimated.estimated_price_usd })
      expect(job.media_seconds).toBe(estimated.media_seconds)
      expect(job.final_price_usd).toBeLessThanOrEqual(estimated.estimated_price_usd)
    }
  },
)

it('fails like a job, and leaves no file', async () => {
  const answer = await service.client.send('POST', '/v1/estimate', {
    endpoint: 'audio/detect-silence',
    media_url: `${remote}/gone.mp4`,
  })
  expect(answer).toMatchObject({ status: 422, body: { error: { code: 'media_unreachable' } } })
  expect(await service.leftFiles()).toEqual([])
})
