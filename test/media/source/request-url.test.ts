import type { RequestListener } from 'node:http'
import { describe, expect, it, vi } from 'vitest'
import { useDownloadFolder } from './download-folder.ts'
import { mediaBytes, redirectTo, serveHttp, serveHttps, serveMedia, serveRaw } from './source-server.ts'

const { fetchFrom, files } = useDownloadFolder()
const blocked = expect.objectContaining({ code: 'media_blocked', retryable: false })

describe('TLS', () => {
  it('reads over https from the name that the certificate holds', async () => {
    const port = await serveHttps(serveMedia)
    expect(await fetchFrom(`https://media.test:${port}/`)).toEqual({ bytes: mediaBytes.length })
    expect(await fetchFrom(`https://127.0.0.1:${port}/`)).toEqual({ bytes: mediaBytes.length })
  })

  it.each([
    ['another name', { allowHosts: ['other.test'] }, 'other.test'],
    ['an unknown authority', { ca: undefined }, 'media.test'],
  ])('refuses the certificate of %s, whatever the environment says', async (_what, options, host) => {
    const port = await serveHttps(serveMedia)
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    try {
      await expect(fetchFrom(`https://${host}:${port}/`, options)).rejects.toMatchObject({
        code: 'media_unreachable',
        retryable: false,
        message: expect.stringContaining('certificate'),
      })
    } finally {
      vi.unstubAllEnvs()
    }
  })
})

describe('addresses', () => {
  it('refuses a server on loopback that was not opened, without a connection', async () => {
    const requests = vi.fn(serveMedia)
    const port = await serveHttp(requests)
    for (const url of [
      `http://127.0.0.1:${port}/`,
      `http://2130706433:${port}/`,
      `http://[::ffff:127.0.0.1]:${port}/`,
      `http://example.com:${port}/`,
    ]) {
      await expect(fetchFrom(url, { allowHosts: [] })).rejects.toEqual(blocked)
    }
    expect(requests).not.toHaveBeenCalled()
    expect(await files()).toEqual([])
  })

  it.each([
    'http://127.0.0.2/',
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/',
    'http://172.16.0.1/',
    'http://192.168.1.1/',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://2852039166/',
    'http://localhost/',
    'http://name-at-loopback.example/',
    'http://8.8.8.8:22/',
    'ftp://example.com/a.mp4',
    'file:///etc/passwd',
    'http://user:secret@127.0.0.1/',
  ])('refuses a redirect to %s', async (location) => {
    const port = await serveHttp(redirectTo(location))
    await expect(fetchFrom(`http://127.0.0.1:${port}/`)).rejects.toEqual(blocked)
  })

  it('checks a name again when a redirect comes back to it', async () => {
    const port = await serveHttp((request, response) =>
      redirectTo(request.url === '/' ? `//once.test:80/` : '/')(request, response),
    )
    const resolveHost = async () => [{ address: '127.0.0.1', family: 4 }]
    await expect(fetchFrom(`http://media.test:${port}/`, { resolveHost })).rejects.toEqual(blocked)
  })
})

describe('redirects', () => {
  it.each([301, 302, 303, 307, 308])('follows a %i, relative or absolute', async (status) => {
    const port: number = await serveHttp((request, response) => {
      if (request.url === '/a/1') redirectTo('../2', status)(request, response)
      else if (request.url === '/2') redirectTo(`http://127.0.0.1:${port}/3`, status)(request, response)
      else response.end(mediaBytes)
    })
    expect(await fetchFrom(`http://127.0.0.1:${port}/a/1`)).toEqual({ bytes: mediaBytes.length })
  })

  it('follows five and no more', async () => {
    const count =
      (left: number): RequestListener =>
      (request, response) => {
        const steps = Number(request.url?.slice(1))
        if (steps === left) response.end(mediaBytes)
        else redirectTo(`/${steps + 1}`)(request, response)
      }
    const five = await serveHttp(count(5))
    expect(await fetchFrom(`http://127.0.0.1:${five}/0`)).toEqual({ bytes: mediaBytes.length })
    const six = await serveHttp(count(6))
    await expect(fetchFrom(`http://127.0.0.1:${six}/0`)).rejects.toMatchObject({
      code: 'media_unreachable',
      retryable: false,
    })
  })

  it('never goes from https to http, unless the set-up opened both hosts', async () => {
    const target = await serveHttp(serveMedia)
    const open = await serveHttps(redirectTo(`http://127.0.0.1:${target}/`))
    expect(await fetchFrom(`https://media.test:${open}/`)).toEqual({ bytes: mediaBytes.length })
    const downgrade = await serveHttps(redirectTo('http://8.8.8.8/'))
    const error = await fetchFrom(`https://media.test:${downgrade}/`).catch((thrown: unknown) => thrown)
    expect(error).toEqual(blocked)
    expect(error).toMatchObject({ cause: { message: expect.stringContaining('https to http') } })
  })

  it.each([undefined, 'http://', 'http://[::1'])(
    'calls a redirect to %j a status that carries no media',
    async (location) => {
      const port = await serveHttp(
        (_request, response) => void response.writeHead(302, location ? { location } : {}).end(),
      )
      await expect(fetchFrom(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({
        code: 'media_unreachable',
        retryable: false,
      })
    },
  )
})

describe('answers without media', () => {
  it.each([408, 425, 429, 500, 502, 503, 504, 599])('%i is worth another try', async (status) => {
    const port = await serveHttp((_request, response) => void response.writeHead(status).end())
    await expect(fetchFrom(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({
      code: 'media_unreachable',
      retryable: true,
      message: expect.stringContaining(String(status)),
    })
  })

  it.each([204, 206, 304, 400, 401, 403, 404, 410, 416])('%i is not', async (status) => {
    const port = await serveHttp((_request, response) => void response.writeHead(status).end())
    await expect(fetchFrom(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({
      code: 'media_unreachable',
      retryable: false,
      message: expect.stringContaining(String(status)),
    })
  })

  it('a 503 and then a 200 are the next attempt’s luck', async () => {
    const statuses = [503, 200]
    const port = await serveHttp(
      (_request, response) => void response.writeHead(statuses.shift() ?? 500).end(mediaBytes),
    )
    await expect(fetchFrom(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ retryable: true })
    expect(await fetchFrom(`http://127.0.0.1:${port}/`)).toEqual({ bytes: mediaBytes.length })
  })

  it('HTML is handed on: the content is judged later', async () => {
    const port = await serveHttp(
      (_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    )
    expect(await fetchFrom(`http://127.0.0.1:${port}/`)).toEqual({ bytes: 6 })
  })

  it.each([
    ['EAI_AGAIN', true],
    ['ENOTFOUND', false],
  ])('a name that fails with %s: retryable is %s', async (code, retryable) => {
    const resolveHost = async () => Promise.reject(Object.assign(new Error('dns'), { code }))
    await expect(fetchFrom('http://example.com/', { resolveHost })).rejects.toMatchObject({
      code: 'media_unreachable',
      retryable,
      cause: { code },
    })
  })

  it('a refused connection is worth another try', async () => {
    await expect(fetchFrom('http://127.0.0.1:1/')).rejects.toMatchObject({
      code: 'media_unreachable',
      retryable: true,
      cause: { code: 'ECONNREFUSED' },
    })
  })

  it.each([
    ['no HTTP', 'SSH-2.0-OpenSSH\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'],
    ['a length and chunks', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['headers without end', `HTTP/1.1 200 OK\r\na: ${'x'.repeat(100_000)}`],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'],
  ])('%s is an error, at once', async (_what, answer) => {
    const port = await serveRaw((socket) => socket.write(answer))
    await expect(fetchFrom(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ code: 'media_unreachable' })
  })

  it('tells neither the URL nor the address in its message', async () => {
    const port = await serveHttp((_request, response) => void response.writeHead(403).end())
    for (const url of [`http://127.0.0.1:${port}/secret`, 'http://127.0.0.1:1/secret', 'http://10.0.0.1/secret']) {
      const error = await fetchFrom(url).catch((thrown: unknown) => thrown)
      expect(String(error)).not.toMatch(/secret|127\.|10\.0/)
    }
  })
})
