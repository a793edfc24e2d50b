import { on, once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import fastify from 'fastify'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { allowPlayerPauses, limitResponses } from '../../../api/http/responses.ts'

/** More than the kernel takes of a response that nobody reads. */
const bytes = 16 * 1024 ** 2
const secondsOfText = bytes / (32 * 1024)

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
afterEach(() => void vi.useRealTimers())

async function serve(maxBytes?: number) {
  const app = fastify({ trustProxy: true })
  limitResponses(app, maxBytes)
  const polls: (() => void)[] = []
  app.get('/text', async () => 'x'.repeat(bytes))
  app.get('/parts', async () => {
    const parts = new ReadableStream<Uint8Array>({
      start: (sender) => {
        sender.enqueue(Buffer.alloc(bytes / 2))
        sender.enqueue(Buffer.alloc(bytes / 2))
        sender.close()
      },
    })
    return new Response(parts)
  })
  app.get('/file', async ({ raw }, reply) => {
    allowPlayerPauses(raw)
    return reply.send(Readable.from(Array.from({ length: bytes / 65_536 }, () => Buffer.alloc(65_536))))
  })
  app.get('/poll', async () => {
    await new Promise<void>((resolve) => polls.push(resolve))
    return 'ended'
  })
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
  onTestFinished(async () => {
    app.server.closeAllConnections()
    await app.close()
  })
  return {
    app,
    endPolls: () => polls.map((end) => end()),
    /** Sends a request. Reads nothing of the response before the test does. */
    get: async (path: string, network = '203.0.113.7') => {
      const accepted = once(app.server, 'connection')
      const client = connect(Number(port), '127.0.0.1').pause()
      client.on('error', () => {})
      onTestFinished(() => void client.destroy())
      client.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${network}\r\n\r\n`)
      const [socket]: Socket[] = await accepted
      if (!socket) throw new Error('no connection')
      return { client, socket }
    },
  }
}

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000)
/** Until the kernel takes no more. */
const filled = (socket: Socket) => expect.poll(() => socket.writableLength).toBeGreaterThan(0)

/** Reads this many bytes, and little more. */
async function read(client: Socket, wanted: number): Promise<void> {
  let got = 0
  client.resume()
  for await (const [chunk] of on(client, 'data')) {
    got += chunk.length
    if (got > wanted) break
  }
  client.pause()
}

it('a client that reads nothing of a text loses its connection after 30 seconds and the time of a slow reader', async () => {
  const { get } = await serve()
  const { socket } = await get('/text')
  await filled(socket)
  await pass(secondsOfText)
  expect(socket.destroyed).toBe(false)
  await pass(40)
  expect(socket.destroyed).toBe(true)
})

it('a player may pause for minutes, and loses its connection when it pauses for longer', async () => {
  const { get } = await serve()
  const { client, socket } = await get('/file')
  await filled(socket)
  await pass(270)
  expect(socket.destroyed).toBe(false)
  await read(client, 1024 ** 2)
  await filled(socket)
  await pass(270)
  expect(socket.destroyed).toBe(false)
  await pass(60)
  expect(socket.destroyed).toBe(true)
})

it('of a file that its client does not read, less than 200 KB are in memory', async () => {
  const { get } = await serve()
  const { socket } = await get('/file')
  await filled(socket)
  expect(socket.writableLength).toBeLessThan(200_000)
})

it('the next request of the connection is no longer of a player', async () => {
  const { get } = await serve()
  const { client, socket } = await get('/file')
  client.resume()
  await expect.poll(() => client.bytesRead).toBeGreaterThan(bytes)
  client.pause()
  client.write('GET /text HTTP/1.1\r\nhost: x\r\n\r\n')
  await filled(socket)
  await pass(secondsOfText + 40)
  expect(socket.destroyed).toBe(true)
})

it('a response that has not begun keeps its connection, and arrives', async () => {
  const { get, endPolls } = await serve()
  const { client, socket } = await get('/poll')
  await pass(3_600)
  expect(socket.destroyed).toBe(false)
  await expect.poll(endPolls).toHaveLength(1)
  client.resume()
  expect(String((await once(client, 'data'))[0])).toMatch(/ended$/)
})

it('of too many unread bytes, the network whose bytes have waited most loses its oldest', async () => {
  const { get } = await serve(3 * bytes)
  const other = await get('/text', '203.0.113.8')
  await filled(other.socket)
  const first = await get('/text')
  await filled(first.socket)
  const second = await get('/text')
  await filled(second.socket)
  await pass(1)
  const third = await get('/text')
  await filled(third.socket)
  const open = () => [other, first, second, third].map(({ socket }) => !socket.destroyed)
  expect(open()).toEqual([true, false, true, true])
  // What a client has read or left counts no longer.
  second.client.destroy()
  await expect.poll(() => second.socket.closed).toBe(true)
  await pass(1)
  const fourth = await get('/text')
  await filled(fourth.socket)
  expect(open()).toEqual([true, false, false, true])
})

it('the parts of a streamed answer are unread bytes, also those that wait until another is read', async () => {
  const { get } = await serve(3 * bytes)
  const sockets: Socket[] = []
  while (sockets.length < 4) {
    const { socket } = await get('/parts')
    await filled(socket)
    sockets.push(socket)
    await pass(1)
  }
  expect(sockets.map(({ destroyed }) => !destroyed)).toEqual([false, true, true, true])
})

it('a larger answer that was just sent is not closed for those that wait', async () => {
  const { get } = await serve(4 * bytes)
  const waiting = [
    await get('/text', '203.0.113.8'),
    await get('/text', '203.0.113.9'),
    await get('/text', '203.0.113.10'),
  ]
  for (const { socket } of waiting) await filled(socket)
  await pass(1)
  const fresh = [await get('/text'), await get('/text')]
  for (const { socket } of fresh) await filled(socket)
  expect([...waiting, ...fresh].map(({ socket }) => !socket.destroyed)).toEqual([false, true, true, true, true])
})
