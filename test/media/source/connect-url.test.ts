import type { RequestListener } from 'node:http'
import { describe, expect, it } from 'vitest'
import { connectUrl } from '../../../src/media/source/connect-url.ts'
import type { RangedBytes, SourceConnection } from '../../../src/media/source/media-source.ts'
import { leastRate } from '../../../src/media/source/transfer-limits.ts'
import { SlowSourceError } from '../../../src/net/source-errors.ts'
import { type RangedOptions, rangedServer } from './ranged-server.ts'
import { serveHttp } from './source-server.ts'

const media = Buffer.from(Array.from({ length: 12_000_000 }, (_, index) => (index * 7 + (index >> 8)) % 253))
const access = { allowHosts: ['127.0.0.1'], maxBytes: 2e9 }
const never = new AbortController().signal

async function open(options: RangedOptions = {}) {
  const server = rangedServer(media, options)
  const url = new URL(`http://127.0.0.1:${await serveHttp(server.listener)}/film.mp4`)
  return { ...server, opened: await connectUrl(url, access, never) }
}

function rangesOf(connection: SourceConnection): RangedBytes {
  if ('save' in connection) throw new Error('no ranges')
  return connection
}

async function openRanges(options?: RangedOptions) {
  const { opened, ...server } = await open(options)
  return { ...server, opened: rangesOf(opened) }
}

/** So many bytes, or all there are. */
async function take(ranges: RangedBytes, start: number, length = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const chunks: Buffer[] = []
  let left = length
  for await (const chunk of ranges.read(start, never)) {
    chunks.push(chunk.subarray(0, left))
    left -= chunk.length
    if (left <= 0) break
  }
  return Buffer.concat(chunks)
}

describe('bytes by ranges', () => {
  it('are the file’s, from any place, with one request where reading goes on', async () => {
    const { opened, ranges } = await openRanges()
    expect(opened.bytes).toBe(media.length)
    expect(media.equals(await take(opened, 0))).toBe(true)
    expect(ranges).toEqual(['bytes=0-'])
    expect(await take(opened, 11_999_000)).toEqual(media.subarray(11_999_000))
    expect(ranges).toEqual(['bytes=0-', 'bytes=11999000-'])
    expect(opened.fetchedBytes()).toBe(12_001_000)
  })

  it('go on with the connection of a reader that stopped, past a small gap, and ask anew for a large one', async () => {
    const { opened, ranges } = await openRanges()
    await take(opened, 0, 1000)
    expect(await take(opened, 500_000, 500)).toEqual(media.subarray(500_000, 500_500))
    expect(ranges).toHaveLength(1)
    expect(await take(opened, 9_000_000, 500)).toEqual(media.subarray(9_000_000, 9_000_500))
    expect(await take(opened, 5, 500)).toEqual(media.subarray(5, 505))
    expect(ranges).toEqual(['bytes=0-', 'bytes=9000000-', 'bytes=5-'])
  })

  it('are the same for readers at the same time', async () => {
    const { opened } = await openRanges()
    const starts = [0, 1, 6_000_000, 11_999_999]
    const taken = await Promise.all(starts.map((start) => take(opened, start)))
    expect(taken.map((bytes, index) => bytes.equals(media.subarray(starts[index])))).toEqual(starts.map(() => true))
  })

  it('go on after dropped connections, a few times', async () => {
    const { opened, ranges } = await openRanges({ drops: { afterBytes: 3_000_000, times: 3 } })
    expect(media.equals(await take(opened, 0))).toBe(true)
    expect(ranges).toEqual(['bytes=0-', 'bytes=3000000-', 'bytes=6000000-', 'bytes=9000000-'])
  })

  it('end with an error where connections keep dropping, not with a part', async () => {
    const { opened } = await openRanges({ drops: { afterBytes: 1_000_000, times: 100 } })
    await expect(take(opened, 0)).rejects.toMatchObject({ code: 'media_unreachable', retryable: true })
  })

  it.each([
    ['another ETag', { etag: '"1"' }, { etag: '"2"' }],
    [
      'another date',
      { 'last-modified': 'Sat, 21 Nov 2026 10:00:00 GMT' },
      { 'last-modified': 'Sat, 21 Nov 2026 10:00:01 GMT' },
    ],
  ])('of a file that changed are refused: %s', async (_what, headers, later) => {
    const options = { headers: { ...headers } }
    const { opened } = await openRanges(options)
    await take(opened, 0, 10)
    Object.assign(options.headers, later)
    await expect(take(opened, 10_000_000)).rejects.toMatchObject({
      code: 'media_unreachable',
      message: expect.stringContaining('changed'),
    })
  })

  it('are known by what the first answer named them by, whatever else later ones say', async () => {
    const headers: Record<string, string> = { etag: '"1"' }
    const { opened } = await openRanges({ headers })
    await take(opened, 0, 10)
    delete headers['etag']
    headers['last-modified'] = 'Sat, 21 Nov 2026 10:00:00 GMT'
    expect(await take(opened, 11_999_000)).toEqual(media.subarray(11_999_000))
  })

  it('are not there where the server does not tell one file from another', async () => {
    expect((await open({ headers: {} })).opened).toHaveProperty('save')
    expect((await open({ headers: { etag: 'W/"1"' } })).opened).toHaveProperty('save')
  })

  it('do not wait for ever for a server that keeps sending too little', async () => {
    const url = new URL(
      `http://127.0.0.1:${await serveHttp((_request, response) => {
        response.writeHead(206, { etag: '"1"', 'content-range': 'bytes 0-999999/1000000' })
        const timer = setInterval(() => response.write('.'), 10)
        response.once('close', () => clearInterval(timer))
      })}/`,
    )
    const ranges = rangesOf(await connectUrl(url, { ...access, slowStartMs: 200 }, never))
    await expect(take(ranges, 0)).rejects.toMatchObject({ code: 'media_unreachable', retryable: false })
  })

  it('are asked for a bounded number of times, however often the tools jump, where the server sends next to nothing', async () => {
    let asked = 0
    const listener: RequestListener = (request, response) => {
      asked += 1
      const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1])
      response.writeHead(206, {
        etag: '"1"',
        'content-range': `bytes ${from}-999999999/1000000000`,
        'content-length': 1_000_000_000 - from,
      })
      response.write('.', () => response.destroy())
    }
    const url = new URL(`http://127.0.0.1:${await serveHttp(listener)}/`)
    const ranges = rangesOf(await connectUrl(url, access, never))
    const jump = (at: number) => take(ranges, at * 2_000_000, 1).catch((error: unknown) => error)
    for (let at = 0; at < 200; at++) await jump(at)
    expect(asked).toBeLessThan(70)
    expect(await jump(1)).toMatchObject({ code: 'media_unreachable', retryable: false })
  })

  it('may be asked for as often as the tools jump where the server sends what it announces', async () => {
    const { opened, ranges } = await openRanges()
    for (let at = 0; at < 150; at++) await take(opened, (at % 2) * 6_000_000 + at * 20_000, 10_000)
    expect(ranges.length).toBeGreaterThan(100)
  })

  it('begin a new turn after the server was too slow, with the bytes counted anew', async () => {
    let isSlow = true
    const fast = rangedServer(media)
    const listener: RequestListener = (request, response) => {
      if (!isSlow) return fast.listener(request, response)
      response.writeHead(206, { etag: '"1"', 'content-range': `bytes 0-${media.length - 1}/${media.length}` })
      const timer = setInterval(() => response.write(media.subarray(0, 1)), 10)
      response.once('close', () => clearInterval(timer))
    }
    const url = new URL(`http://127.0.0.1:${await serveHttp(listener)}/`)
    const ranges = rangesOf(await connectUrl(url, { ...access, slowStartMs: 300 }, never))
    expect(await take(ranges, 0).catch((error: unknown) => error)).toBeInstanceOf(SlowSourceError)
    isSlow = false
    ranges.beginTurn()
    expect(media.equals(await take(ranges, 0))).toBe(true)
  })
})

it('the least rate grows with the time that a source occupies a slot', () => {
  expect([0, 5, 60].map((minutes) => leastRate(minutes * 60_000) / 1024)).toEqual([16, 32, 208])
})
