import { once } from 'node:events'
import { connect } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { limitedUpload } from '../../../api/uploads/receive-object.ts'
import { useSignedObjects } from './signed-objects.ts'

const { storage, newKey, stored, putUrl, put, tempFiles } = useSignedObjects()

/** A raw PUT, for requests that no well-behaved client sends. */
async function rawPut(url: string, headers: string, body: string) {
  const { port, pathname, search } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1')
  await once(socket, 'connect')
  socket.write(`PUT ${pathname}${search} HTTP/1.1\r\nhost: x\r\ncontent-type: video/mp4\r\n${headers}\r\n\r\n${body}`)
  return socket
}

describe('PUT', () => {
  it('stores a body larger than the body limit of JSON routes and answers its size and ETag', async () => {
    const key = newKey()
    const body = Buffer.alloc(3_000_000, 'x')
    const answer = await put(await putUrl(key, { maxBytes: body.length }), body)
    expect([answer.status, await answer.json()]).toEqual([200, { request_id: expect.any(String), bytes: body.length }])
    expect(answer.headers.get('etag')).toBe(`"${(await storage().stat(key))?.etag}"`)
  })

  it('accepts a body of unknown length', async () => {
    const key = newKey()
    expect((await put(await putUrl(key), new Blob(['a', 'b']).stream())).status).toBe(200)
    expect(await storage().stat(key)).toMatchObject({ bytes: 2 })
  })

  it('accepts a body of exactly the limit', async () => {
    expect((await put(await putUrl(newKey(), { maxBytes: 5 }), '12345')).status).toBe(200)
  })

  it('accepts the signed type in other case, and never JSON', async () => {
    expect((await put(await putUrl(newKey()), '{}', { 'content-type': 'Video/MP4' })).status).toBe(200)
    expect((await put(await putUrl(newKey()), '{}', { 'content-type': 'application/json' })).status).toBe(415)
  })

  it.each([
    [{ 'content-type': 'video/webm' }],
    [{ 'content-type': 'video/mp4; charset=utf-8' }],
    [{ 'content-encoding': 'gzip' }],
  ])('answers 415 to %j', async (headers) => {
    const key = newKey()
    const answer = await put(await putUrl(key), 'x', headers)
    expect([answer.status, await answer.json()]).toEqual([
      415,
      expect.objectContaining({ code: 'unsupported_content_type' }),
    ])
    expect(await storage().stat(key)).toBeUndefined()
  })

  it('gives a body without a type the signed one', async () => {
    const key = newKey()
    const answer = await fetch(await putUrl(key), { method: 'PUT', body: Buffer.from('x') })
    expect(answer.status).toBe(200)
    expect(await storage().stat(key)).toMatchObject({ bytes: 1, contentType: 'video/mp4' })
  })

  it.each([
    ['of the length 0', ''],
    ['of unknown length', new Blob([]).stream()],
  ])('refuses an empty body %s, and the URL works again', async (_what, body) => {
    const key = newKey()
    const url = await putUrl(key)
    const answer = await put(url, body)
    expect([answer.status, await answer.json()]).toEqual([
      400,
      expect.objectContaining({ code: 'invalid_request', message: expect.stringContaining('The file is empty') }),
    ])
    expect(await storage().stat(key)).toBeUndefined()
    expect((await put(url, 'bytes')).status).toBe(200)
  })

  it('answers 413 by Content-Length before the body arrives', async () => {
    const key = newKey()
    const socket = await rawPut(await putUrl(key), 'content-length: 101', '')
    const [head] = await once(socket, 'data')
    expect(String(head)).toMatch(/^HTTP\/1.1 413/)
    socket.destroy()
  })

  it('answers 413 while it counts a body of unknown length, and leaves no object', async () => {
    const key = newKey()
    const answer = await put(await putUrl(key), new Blob(['x'.repeat(500_000)]).stream())
    expect([answer.status, await answer.json()]).toEqual([413, expect.objectContaining({ code: 'payload_too_large' })])
    expect(await storage().stat(key)).toBeUndefined()
    expect(await tempFiles()).toEqual([])
  })

  it('lets a client that is still sending read the refusal', async () => {
    const answer = await put(await putUrl(newKey()), Buffer.alloc(8_000_000))
    expect(answer.status).toBe(413)
  })

  it.each([
    ['more than was signed', async () => putUrl(newKey())],
    ['to an altered URL', async () => `${await putUrl(newKey())}x`],
  ])('ends the connection of one who goes on sending %s', async (_what, url) => {
    const socket = await rawPut(await url(), 'transfer-encoding: chunked', '')
    const chunk = `100000\r\n${'x'.repeat(0x100000)}\r\n`
    const send = () => {
      while (socket.writable && socket.write(chunk)) {}
    }
    socket.on('drain', send).on('error', () => {})
    socket.resume()
    send()
    await new Promise((resolve) => socket.once('close', resolve))
    expect(socket.bytesWritten).toBeLessThan(64 * 1024 ** 2)
  })

  it('answers 409 for a second body and keeps the first', async () => {
    const key = newKey()
    const url = await putUrl(key)
    await put(url, 'first')
    const answer = await put(url, 'second')
    expect([answer.status, await answer.json()]).toEqual([409, expect.objectContaining({ code: 'conflict' })])
    expect(await text(await storage().read(key))).toBe('first')
  })

  it('answers 409 before the second body arrives', async () => {
    const socket = await rawPut(await putUrl(await stored('first')), 'content-length: 50', '')
    const [head] = await once(socket, 'data')
    expect(String(head)).toMatch(/^HTTP\/1.1 409/)
    socket.destroy()
  })

  it.each([
    ['shorter than its Content-Length', 'content-length: 50', 'x'.repeat(20)],
    ['that ends inside a chunk', 'transfer-encoding: chunked', `32\r\n${'x'.repeat(20)}`],
  ])('leaves nothing of a body %s, and the URL works again', async (_what, headers, body) => {
    const key = newKey()
    const url = await putUrl(key)
    const socket = await rawPut(url, headers, body)
    await expect.poll(() => tempFiles()).toHaveLength(1)
    socket.destroy()
    await expect.poll(() => tempFiles()).toEqual([])
    expect(await storage().stat(key)).toBeUndefined()
    expect((await put(url, 'whole')).status).toBe(200)
  })
})

describe('the rate of an upload', () => {
  /** Hours until an upload of this rate, which sends every minute, is refused. */
  async function hoursAt(bytesPerSecond: number, hours: number): Promise<number> {
    let nowMs = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
    onTestFinished(() => clock.mockRestore())
    const minute = Buffer.alloc(60 * bytesPerSecond)
    async function* sent() {
      for (; nowMs < hours * 3_600_000; nowMs += 60_000) yield minute
    }
    const claim = { session: 1, arrived: async () => {}, release: async () => {} }
    const stored = buffer(limitedUpload(sent(), Number.POSITIVE_INFINITY, claim))
    await expect(stored).rejects.toThrow(/ slower than \d+ bytes a second/)
    return nowMs / 3_600_000
  }

  it('may be low at first, and has to be higher the longer the upload takes', async () => {
    expect(await hoursAt(20_000, 1)).toBeLessThan(0.1)
    expect(await hoursAt(33_000, 48)).toBeLessThan(0.5)
    const hours = await hoursAt(125_000, 48)
    expect([hours > 11, hours < 11.5]).toEqual([true, true])
  })
})
