import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Api, codeOf, startApi } from '../api.ts'

const perAddress = 12
let api: Api
let port: number
beforeAll(async () => {
  api = await startApi({ MAX_CONNECTIONS_PER_ADDRESS: String(perAddress) })
  port = await api.listen()
})
afterEach(() => void vi.useRealTimers())
afterAll(() => api.close())

function open(sent = ''): Socket {
  const socket = connect(port, '127.0.0.1', () => sent && socket.write(sent))
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  return socket
}

const post = (path: string) =>
  `POST ${path} HTTP/1.1\r\nhost: api.test\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n{`

describe('a request whose body does not arrive', () => {
  it.each([
    [
      'is ended',
      '/api/auth/sign-in/email',
      /^HTTP\/1.1 408 Request Timeout\r\n.*"code":"request_timeout",.*did not arrive in time/s,
    ],
    ['is ended although its refusal was sent', '/nothing', /^HTTP\/1.1 404 /],
  ])('%s', async (_what, path, answer) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const arrived = once(api.app.server, 'request')
    const socket = open(post(path))
    const answered = text(socket)
    await arrived
    if (path === '/nothing') await once(socket, 'readable')
    await vi.advanceTimersByTimeAsync(20_000)
    vi.useRealTimers()
    expect(await answered).toMatch(answer)
  })

  it('loses its connection although it reads no refusal and goes on sending', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const arrived = once(api.app.server, 'request')
    const socket = open(post('/api/auth/sign-in/email')).on('error', () => {})
    const [request]: IncomingMessage[] = await arrived
    const closed = once(request?.socket ?? socket, 'close')
    await vi.advanceTimersByTimeAsync(20_000)
    socket.write(' ')
    await vi.advanceTimersByTimeAsync(2_000)
    vi.useRealTimers()
    await closed
  })

  it('is left alone as an upload, until it is refused', async () => {
    const account = await api.newAccount()
    const { upload } = (await account.post('/v1/uploads/presign', { filename: 'a.mp4', bytes: 5 })).body
    const path = upload.upload_url.slice(api.config.BASE_URL.length)
    const fields = Object.entries({ host: 'api.test', ...upload.upload_headers, 'transfer-encoding': 'chunked' })
    const head = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const arrived = once(api.app.server, 'request')
    const socket = open(`PUT ${path} HTTP/1.1\r\n${head}\r\n1\r\na\r\n`)
    const closed = once(socket, 'close')
    const [request]: IncomingMessage[] = await arrived
    // Until the upload is read.
    while (!request || request.readableFlowing === null) await nextTurn()
    await vi.advanceTimersByTimeAsync(40_000)
    expect(socket.destroyed).toBe(false)
    socket.write('9\r\nbcdefghij\r\n')
    const [refusal] = await once(socket, 'data')
    expect(String(refusal)).toMatch(/^HTTP\/1.1 413 /)
    await vi.advanceTimersByTimeAsync(20_000)
    await closed
  })

  const file = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\n\r\nsome bytes'

  it.each([
    ['before its file', 'x'],
    ['in the head of its file', file.slice(0, 60)],
    ['after its file', `${file}\r\n--b--\r\n`],
  ])('is ended although it is a form that drips %s', async (_where, sent) => {
    const { token } = await api.newAccount()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const arrived = once(api.app.server, 'request')
    const socket = open(
      `POST /v1/uploads HTTP/1.1\r\nhost: api.test\r\nauthorization: Bearer ${token}\r\ncontent-type: multipart/form-data; boundary=b\r\ncontent-length: 90000\r\n\r\n${sent}`,
    )
    const [request]: IncomingMessage[] = await arrived
    // Until the form is read.
    while (!request?.readableFlowing) await nextTurn()
    const giveUpAt = performance.now() + 20_000
    while (!socket.destroyed && performance.now() < giveUpAt) {
      socket.write('x')
      socket.resume()
      await vi.advanceTimersByTimeAsync(1_000)
    }
    expect(socket.destroyed).toBe(true)
  })
})

it('a connection that sends no complete headers is closed', async () => {
  const began = performance.now()
  const silent = [open(), open('GET /health HTTP/1.1\r\nhost: api.test\r\n')]
  await Promise.all(silent.map(async (socket) => text(socket)))
  expect(performance.now() - began).toBeLessThan(20_000)
}, 30_000)

it('a file that its client does not read is kept for the pause of a player, and not for longer', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const watched = await startApi()
  const watchedPort = await watched.listen()
  // More than the kernel takes.
  const film = Readable.from([Buffer.alloc(16 * 1024 ** 2)])
  const file = { key: 'outputs/film.mp4', contentType: 'video/mp4', fileName: 'film.mp4' }
  await watched.storage.write(file.key, film, file.contentType)
  const { url } = await watched.storage.presignGet({ ...file, expiresInSeconds: 60 })
  const accepted = once(watched.app.server, 'connection')
  const client = connect(watchedPort, '127.0.0.1').pause()
  client.on('error', () => {})
  client.write(`GET ${url.slice(watched.config.BASE_URL.length)} HTTP/1.1\r\nhost: api.test\r\n\r\n`)
  const [socket]: Socket[] = await accepted
  await expect.poll(() => socket?.writableLength).toBeGreaterThan(0)
  await vi.advanceTimersByTimeAsync(270_000)
  expect(socket?.destroyed).toBe(false)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(socket?.destroyed).toBe(true)
  await watched.close()
})

it('an address opens only so many connections', async () => {
  const sockets = Array.from({ length: perAddress }, () => open('GET /health HTTP/1.1\r\nhost: api.test\r\n\r\n'))
  for (const socket of sockets) await once(socket, 'data')
  const refused = open('GET /health HTTP/1.1\r\nhost: api.test\r\n\r\n')
  expect(await text(refused)).toBe('')
  sockets[0]?.destroy()
  const ask = () => text(open('GET /health HTTP/1.1\r\nhost: api.test\r\nconnection: close\r\n\r\n'))
  await expect.poll(ask).toMatch(/^HTTP\/1.1 200 /)
})

it('the addresses of one network open only four times as many connections', async () => {
  const sockets = Array.from({ length: 5 * perAddress }, (_, index) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.7.${1 + Math.floor(index / perAddress)}` })
    socket.on('error', () => {})
    onTestFinished(() => void socket.destroy())
    return socket
  })
  const closed = () => sockets.filter((socket) => socket.closed).length
  await expect.poll(closed).toBe(perAddress)
})

it("behind a proxy, an address has only so many open requests, and the proxy's connections are not counted", async () => {
  const behind = await startApi({ MAX_CONNECTIONS_PER_ADDRESS: '2', TRUST_PROXY: '1' })
  const account = await behind.newAccount()
  const jobId = await account.create()
  const wait = () =>
    behind.call({ url: `/v1/jobs/${jobId}?wait=60`, headers: { 'x-forwarded-for': '203.0.113.7' } }, account.token)
  const waits = [wait(), wait()]
  await expect.poll(() => behind.db.openWait.count()).toBe(2)
  const ask = (forwarded: string) => behind.call({ url: '/v1/catalog', headers: { 'x-forwarded-for': forwarded } })
  const refused = await ask('203.0.113.7')
  expect([refused.status, codeOf(refused)]).toEqual([429, 'rate_limited'])
  expect((await ask('203.0.113.8')).status).toBe(200)
  await account.post(`/v1/jobs/${jobId}/cancel`)
  await behind.db.openWait.deleteMany()
  await behind.app.close()
  await Promise.all(waits)
  await behind.close()
})

it.each(['host', 'authorization', 'content-type', 'origin'])('400 for %s twice', async (name) => {
  const head = `GET /v1/catalog HTTP/1.1\r\nhost: api.test\r\nconnection: close\r\n`
  const lines = name === 'host' ? 'Host: other.test\r\n' : `${name}: a\r\n${name}: a\r\n`
  const answer = await text(open(`${head}${lines}\r\n`))
  expect(answer).toMatch(/^HTTP\/1.1 400 .*"invalid_request".* twice/s)
})
