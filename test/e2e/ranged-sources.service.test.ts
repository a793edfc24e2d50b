import { readdir, readFile, stat } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { fixture } from '../fixtures/make.ts'
import { type RangedServer, rangedServer } from '../media/source/ranged-server.ts'
import { mediaPort, type SharedService, useSharedService } from './shared-service.ts'

const headers = { etag: '"1"' }
let service: SharedService
let server: Server
let origin: RangedServer
let film: string
let url: string

beforeAll(async () => {
  film = await fixture('long-film.mp4')
  const port = mediaPort('ranged sources')
  origin = rangedServer(await readFile(film), { headers })
  server = createServer((request, response) => {
    if (request.method === 'HEAD') response.writeHead(200, headers).end()
    else origin.listener(request, response)
  }).listen(port, '127.0.0.1')
  url = `http://127.0.0.1:${port}/film.mp4`
  service = await useSharedService()
})

afterAll(async () => {
  server.closeAllConnections()
  server.close()
})

async function result(job: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { id } = await service.client.create(job)
  const { status, result: found, error } = await service.client.ended(id)
  if (status !== 'completed' || !found) throw new Error(`${status}: ${error?.message}`)
  return found
}

describe('a film on a server that sends ranges', () => {
  it('is analysed while it downloads, once, and a second job downloads nothing', async () => {
    const remote = await result({ endpoint: 'audio/detect-silence', media_url: url })
    expect(remote['analysis']).toBe('computed')
    // The index at the end, the start of the film, and the film.
    expect(origin.ranges.length).toBeLessThanOrEqual(4)

    const { length } = origin.ranges
    const again = await result({ endpoint: 'audio/detect-silence', media_url: url, settings: { threshold: -30 } })
    expect(again['analysis']).toBe('reused')
    expect(origin.ranges).toHaveLength(length)

    const upload = await service.client.upload(film)
    const stored = await result({ endpoint: 'audio/detect-silence', media_url: upload })
    expect(remote['silences']).toEqual(stored['silences'])
  })

  it('is cut without a full download, and the receipt states the bytes read', async () => {
    const cut = { endpoint: 'video/clip-window', start: 40, end: 42 }
    const { receipt, output } = await result({ ...cut, media_url: url })
    const { size } = await stat(film)
    expect(output).toMatchObject({ duration: 2 })
    expect(receipt).toMatchObject({ frames_encoded: 50, bytes_read: expect.any(Number) })
    const { bytes_read: bytesRead } = z.object({ bytes_read: z.int() }).parse(receipt)
    expect(bytesRead).toBeGreaterThan(size / 50)
    expect(bytesRead).toBeLessThan(size / 2)

    const stored = await result({ ...cut, media_url: await service.client.upload(film) })
    expect(stored['receipt']).toEqual({ ...z.looseObject({}).parse(receipt), bytes_read: null })
  })

  it('leaves no file on the worker’s disk', async () => {
    await expect
      .poll(async () =>
        (await readdir(path.join(service.dataDir, 'work'), { recursive: true })).filter((name) =>
          name.includes('job_'),
        ),
      )
      .toEqual([])
  })
})
