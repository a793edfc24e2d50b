import type { IncomingMessage } from 'node:http'
import path from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it, vi } from 'vitest'
import { useDownloadFolder } from './download-folder.ts'
import { mediaBytes, serveHttp, serveMedia, serveRaw } from './source-server.ts'

const { fetchFrom, downloaded, files } = useDownloadFolder()
const fastTimeouts = { connectMs: 100, headersMs: 100, idleMs: 100 }

describe('a download', () => {
  it('writes the body to the file and names its version', async () => {
    const port = await serveHttp(
      (_request, response) =>
        void response.writeHead(200, { 'content-length': mediaBytes.length, etag: '"v1"' }).end(mediaBytes),
    )
    expect(await fetchFrom(`http://127.0.0.1:${port}/a.mp4`)).toEqual({ bytes: mediaBytes.length, etag: '"v1"' })
    expect(await downloaded()).toEqual(mediaBytes)
  })

  it('takes a body of unknown length, an empty one, and one of exactly the limit', async () => {
    const port = await serveHttp(serveMedia)
    expect(await fetchFrom(`http://127.0.0.1:${port}/`, { maxBytes: mediaBytes.length })).toEqual({
      bytes: mediaBytes.length,
    })
    const empty = await serveHttp((_request, response) => void response.end())
    expect(await fetchFrom(`http://127.0.0.1:${empty}/`)).toEqual({ bytes: 0 })
  })

  it('asks for the bytes as they are, without cookies, and sends the query but no fragment', async () => {
    const requests: IncomingMessage[] = []
    const port = await serveHttp((request, response) => {
      requests.push(request)
      response.writeHead(200, { 'set-cookie': 'a=b' }).end()
    })
    const url = `http://127.0.0.1:${port}/a%20b?c=d&e#f`
    await fetchFrom(url)
    await fetchFrom(url)
    expect(requests[1]?.url).toBe('/a%20b?c=d&e')
    expect(requests[1]?.headers).toMatchObject({ host: `127.0.0.1:${port}`, 'accept-encoding': 'identity' })
    expect(requests[1]?.headers.cookie).toBeUndefined()
  })

  it('goes to the checked address and to no proxy, and resolves a name once', async () => {
    const port = await serveHttp(serveMedia)
    const answers = ['127.0.0.1', '127.0.0.99']
    const resolveHost = vi.fn(async () => [{ address: answers.shift() ?? '', family: 4 }])
    vi.stubEnv('http_proxy', 'http://127.0.0.1:9').stubEnv('HTTP_PROXY', 'http://127.0.0.1:9')
    try {
      expect(await fetchFrom(`http://media.test:${port}/`, { resolveHost })).toEqual({ bytes: mediaBytes.length })
    } finally {
      vi.unstubAllEnvs()
    }
    expect(resolveHost).toHaveBeenCalledTimes(1)
  })

  it('ends when the media keeps arriving too slowly, and not before', async () => {
    const port = await serveHttp((_request, response) => {
      const timer = setInterval(() => response.write('.'), 10)
      response.once('close', () => clearInterval(timer))
    })
    const began = performance.now()
    await expect(fetchFrom(`http://127.0.0.1:${port}/`, { slowStartMs: 300 })).rejects.toMatchObject({
      code: 'media_unreachable',
      retryable: false,
    })
    expect(performance.now() - began).toBeGreaterThan(300)
    expect(await files()).toEqual([])
  })

  it('refuses a compressed body', async () => {
    const port = await serveHttp(
      (_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(mediaBytes),
    )
    await expect(fetchFrom(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({
      code: 'media_unreachable',
      retryable: false,
      message: expect.stringContaining('compressed'),
    })
  })

  it('turns a folder that cannot be written into a retryable server_error', async () => {
    const port = await serveHttp(serveMedia)
    const failing = fetchFrom(`http://127.0.0.1:${port}/`, {
      destination: path.join(import.meta.dirname, 'missing', 'media'),
    })
    await expect(failing).rejects.toMatchObject({ code: 'server_error', retryable: true, cause: { code: 'ENOENT' } })
  })
})

describe('size', () => {
  it('refuses by Content-Length without reading on', async () => {
    const port = await serveHttp((_request, response) =>
      response.writeHead(200, { 'content-length': 1001 }).flushHeaders(),
    )
    await expect(fetchFrom(`http://127.0.0.1:${port}/`, { maxBytes: 1000 })).rejects.toMatchObject({
      code: 'media_too_large',
      retryable: false,
    })
  })

  it('ends an endless body at the limit and leaves no file', async () => {
    let closed = false
    const port = await serveHttp((_request, response) => {
      response.once('close', () => {
        closed = true
      })
      Readable.from(
        (function* () {
          while (true) yield mediaBytes
        })(),
      ).pipe(response)
    })
    await expect(fetchFrom(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ code: 'media_too_large' })
    expect(await files()).toEqual([])
    await expect.poll(() => closed).toBe(true)
  })
})

describe('a slow server', () => {
  it.each([
    ['says nothing', () => {}],
    [
      'drips headers for ever',
      (socket: { write(text: string): unknown; destroyed: boolean }) => {
        socket.write('HTTP/1.1 200 OK\r\n')
        const drip = setInterval(() => (socket.destroyed ? clearInterval(drip) : socket.write('a: b\r\n')), 20)
      },
    ],
    [
      'sends interim answers for ever',
      (socket: { write(text: string): unknown; destroyed: boolean }) => {
        const drip = setInterval(
          () => (socket.destroyed ? clearInterval(drip) : socket.write('HTTP/1.1 102 Processing\r\n\r\n')),
          20,
        )
      },
    ],
    [
      'stalls before the body',
      (socket: { write(text: string): unknown }) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n'),
    ],
    [
      'stalls in the body',
      (socket: { write(text: string): unknown }) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nabc'),
    ],
  ])('that %s is given up, retryable', async (_what, answer) => {
    const port = await serveRaw(answer)
    await expect(fetchFrom(`http://127.0.0.1:${port}/`, { timeouts: fastTimeouts })).rejects.toMatchObject({
      code: 'media_unreachable',
      retryable: true,
      message: expect.stringContaining('slow'),
    })
    expect(await files()).toEqual([])
  })

  it('is given up while its name or its TLS hangs', async () => {
    const hanging = fetchFrom('http://media.test/', {
      timeouts: fastTimeouts,
      resolveHost: () => new Promise(() => {}),
    })
    await expect(hanging).rejects.toMatchObject({ code: 'media_unreachable', retryable: true })
    const port = await serveRaw(() => {})
    await expect(fetchFrom(`https://media.test:${port}/`, { timeouts: fastTimeouts })).rejects.toMatchObject({
      code: 'media_unreachable',
      retryable: true,
    })
  })

  it('that drips a body for longer than the whole download may take is given up for good', async () => {
    const port = await serveHttp((_request, response) => {
      const drip = setInterval(() => response.write('x'), 10)
      response.once('close', () => clearInterval(drip))
    })
    await expect(fetchFrom(`http://127.0.0.1:${port}/`, { totalMs: 150 })).rejects.toMatchObject({
      code: 'media_unreachable',
      retryable: false,
      message: expect.stringContaining('downloads too slowly'),
    })
  })
})

describe('a dropped connection', () => {
  it.each([
    ['before its Content-Length', `HTTP/1.1 200 OK\r\netag: "v1"\r\ncontent-length: 100\r\n\r\nabc`],
    ['inside a chunk', `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n20\r\nabc`],
    ['before its last chunk', `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n`],
    ['before its answer', ''],
  ])('%s is worth another try and leaves no file', async (_what, answer) => {
    const port = await serveRaw((socket) => socket.end(answer))
    await expect(fetchFrom(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({
      code: 'media_unreachable',
      retryable: true,
    })
    expect(await files()).toEqual([])
  })
})

describe('an abort', () => {
  it.each(['before the start', 'while waiting for the answer', 'while the body comes'])(
    '%s ends the download with its own reason',
    async (when) => {
      const abort = new AbortController()
      const reason = new Error('canceled')
      let closed = when === 'before the start'
      const port = await serveHttp((_request, response) => {
        response.once('close', () => {
          closed = true
        })
        if (when === 'while the body comes') response.write('x')
        else abort.abort(reason)
      })
      if (when === 'before the start') abort.abort(reason)
      const failing = expect(fetchFrom(`http://127.0.0.1:${port}/`, { signal: abort.signal })).rejects.toBe(reason)
      if (when === 'while the body comes') {
        await expect.poll(async () => (await downloaded()).toString()).toBe('x')
        abort.abort(reason)
      }
      await failing
      await expect.poll(() => closed).toBe(true)
      expect(await files()).toEqual([])
    },
  )
})
