import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { describe, expect, it, vi } from 'vitest'
import { useDownloadFolder } from './download-folder.ts'
import { mediaBytes, serveHttp, serveRaw } from './source-server.ts'

const { fetchFrom, downloaded, files } = useDownloadFolder()

/** Part of a body that promises more, and then the end of the connection. */
function breakOff(response: ServerResponse, headers: Record<string, string | number>, sent: Buffer) {
  response.writeHead(200, headers)
  response.write(sent, () => response.destroy())
}

describe('a dropped connection', () => {
  const etag = '"v1"'
  const length = { 'content-length': mediaBytes.length }

  it.each([
    ['before its Content-Length', `HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nabc`],
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

  /** Drops the first connection once some of the body has arrived; says what it was asked. */
  async function serveInParts(answer: (request: IncomingMessage, response: ServerResponse, start: number) => void) {
    const asked: (string | undefined)[] = []
    let drop = () => {}
    const port = await serveHttp((request, response) => {
      asked.push(request.headers.range && `${request.headers.range} if ${request.headers['if-range']}`)
      const start = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
      if (start > 0) return answer(request, response, start)
      drop = () => response.destroy()
      response.writeHead(200, { ...length, etag }).write(mediaBytes.subarray(0, 50_000))
    })
    return { asked, fetch: () => fetchFrom(`http://127.0.0.1:${port}/`, { onProgress: () => drop() }) }
  }

  const rest = (response: ServerResponse, start: number) =>
    void response
      .writeHead(206, { 'content-range': `bytes ${start}-${mediaBytes.length - 1}/${mediaBytes.length}`, etag })
      .end(mediaBytes.subarray(start))

  it('is taken up where it stopped, if the server names the version', async () => {
    const { fetch, asked } = await serveInParts((_request, response, start) => rest(response, start))
    expect(await fetch()).toEqual({ bytes: mediaBytes.length, etag: '"v1"' })
    expect(await downloaded()).toEqual(mediaBytes)
    expect(asked).toEqual([undefined, expect.stringMatching(/^bytes=\d+- if "v1"$/)])
  })

  it('is started over when the file has changed', async () => {
    const other = Buffer.from('another file')
    const { fetch } = await serveInParts(
      (_request, response) => void response.writeHead(200, { etag: '"v2"' }).end(other),
    )
    expect(await fetch()).toEqual({ bytes: other.length, etag: '"v2"' })
    expect(await downloaded()).toEqual(other)
  })

  const stretch = (first: number, last: number, total: number) => ({
    'content-range': `bytes ${first}-${last}/${total}`,
  })
  const total = mediaBytes.length

  it.each([
    ['another stretch', (start: number) => ({ ...stretch(start - 1, total - 1, total), etag })],
    ['another length', (start: number) => ({ ...stretch(start, total, total + 1), etag })],
    ['another version', (start: number) => ({ ...stretch(start, total - 1, total), etag: '"v2"' })],
    ['no stretch', () => ({ etag })],
  ])('is not glued to %s', async (_what, headers) => {
    const { fetch, asked } = await serveInParts(
      (_request, response, start) => void response.writeHead(206, headers(start)).end(mediaBytes.subarray(start)),
    )
    await expect(fetch()).rejects.toMatchObject({ code: 'media_unreachable', retryable: true })
    expect(asked).toHaveLength(2)
  })

  it('is not taken for whole when the rest is shorter than it says', async () => {
    const { fetch } = await serveInParts((_request, response, start) =>
      response.writeHead(206, { ...stretch(start, total - 1, total), etag }).end(mediaBytes.subarray(start, -1)),
    )
    await expect(fetch()).rejects.toMatchObject({ code: 'media_unreachable', retryable: true })
  })

  it('is not waited for once the download is aborted', async () => {
    const abort = new AbortController()
    const reason = new Error('canceled')
    const port = await serveHttp((_request, response) => {
      // Some time after the drop, while the next try is due.
      response.once('close', () => setTimeout(() => abort.abort(reason), 30))
      breakOff(response, { ...length, etag }, mediaBytes.subarray(0, 50_000))
    })
    await expect(fetchFrom(`http://127.0.0.1:${port}/`, { signal: abort.signal })).rejects.toBe(reason)
    expect(await files()).toEqual([])
  })

  it('is given up after three more tries', async () => {
    const { fetch, asked } = await serveInParts((_request, response) => void response.destroy())
    await expect(fetch()).rejects.toMatchObject({ code: 'media_unreachable', retryable: true })
    expect(asked).toHaveLength(4)
    expect(await files()).toEqual([])
  })

  it.each([
    ['a weak ETag', { etag: 'W/"v1"' }],
    ['no ETag', {}],
    ['no ranges', { etag, 'accept-ranges': 'none' }],
  ])('with %s is not taken up', async (_what, headers) => {
    const requests = vi.fn<RequestListener>((_request, response) =>
      breakOff(response, { ...length, ...headers }, mediaBytes.subarray(0, 50_000)),
    )
    const port = await serveHttp(requests)
    await expect(fetchFrom(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({
      code: 'media_unreachable',
      retryable: true,
    })
    expect(requests).toHaveBeenCalledTimes(1)
  })
})
