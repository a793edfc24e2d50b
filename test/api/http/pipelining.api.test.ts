import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished, vi } from 'vitest'
import { useApi } from '../api.ts'

const api = await useApi()
const port = await api.listen()

/** Before garbage collection closes files, and before a wait is over. */
const soon = <T>(read: () => T) => expect.poll(read, { timeout: 20_000 })

/** Sends one request this many times in one packet. */
function pipeline(path: string, count: number, headers = ''): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  return socket.once('connect', () => socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n${headers}\r\n`.repeat(count)))
}

async function storedPath(): Promise<string> {
  // More than the kernel takes.
  const film = Readable.from([Buffer.alloc(16 * 1024 ** 2)])
  const file = { key: 'outputs/film.mp4', contentType: 'video/mp4', fileName: 'film.mp4' }
  await api.storage.write(file.key, film, file.contentType)
  const { url } = await api.storage.presignGet({ ...file, expiresInSeconds: 60 })
  return url.slice(api.config.BASE_URL.length)
}

/** Says of each file that was read since whether it is still open. */
function watchFiles(): () => Promise<boolean[]> {
  const read = vi.spyOn(api.storage, 'read')
  onTestFinished(() => read.mockRestore())
  return async () => {
    const files = await Promise.all(read.mock.results.map(({ value }) => value))
    return files.map((file: Readable) => !file.closed)
  }
}

const all = (isOpen: boolean) => Array.from({ length: 8 }, () => isOpen)

it('200 requests in one packet lose their connection, and leave no file open', async () => {
  const path = await storedPath()
  const openFiles = watchFiles()
  await once(pipeline(path, 200).resume(), 'close')
  await soon(openFiles).toEqual(all(false))
})

it('files whose responses wait for an earlier one are closed with the connection', async () => {
  const path = await storedPath()
  const openFiles = watchFiles()
  const socket = pipeline(path, 8).pause()
  await soon(openFiles).toEqual(all(true))
  socket.destroy()
  await soon(openFiles).toEqual(all(false))
})

it('a long poll that waits for an earlier response ends with the connection', async () => {
  const account = await api.newAccount()
  const path = `/v1/jobs/${await account.create()}?wait=60`
  const socket = pipeline(path, 2, `authorization: Bearer ${account.token}\r\n`)
  await soon(() => api.db.openWait.count()).toBe(2)
  socket.destroy()
  await soon(() => api.db.openWait.count()).toBe(0)
})

it('a few requests in one packet, and any number one after the other, are answered', async () => {
  const socket = pipeline('/health', 8)
  let answers = ''
  socket.on('data', (chunk) => {
    answers += String(chunk)
  })
  const answered = () => answers.split('HTTP/1.1 200').length - 1
  await expect.poll(answered).toBe(8)
  for (let count = 9; count < 20; count++) {
    socket.write('GET /health HTTP/1.1\r\nhost: x\r\n\r\n')
    await expect.poll(answered).toBe(count)
  }
  expect(await text(pipeline('/health', 1, 'connection: close\r\n'))).toMatch(/^HTTP\/1.1 200/)
})
