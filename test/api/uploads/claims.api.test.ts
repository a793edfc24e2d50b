import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import path from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { suspend } from '../../accounts/owners.ts'
import { untilFound } from '../../until-found.ts'
import { useApi } from '../api.ts'

const api = await useApi()
const port = await api.listen()

const body = Buffer.alloc(2_000_000, 'x')

async function put(url: string, sent: Buffer): Promise<Socket> {
  const { pathname, search } = new URL(url)
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  const headers = `host: x\r\ncontent-type: video/mp4\r\ncontent-length: ${body.length}`
  socket.write(`PUT ${pathname}${search} HTTP/1.1\r\n${headers}\r\n\r\n`)
  socket.write(sent)
  return socket
}

const statusOf = async (socket: Socket) => String((await once(socket, 'data'))[0]).slice(9, 12)
const tempFiles = () => readdir(path.join(api.config.DATA_DIR, 'objects', '.temp'))

it('30 PUTs of one URL write one file: the others are 409, and after the one broke off, the next is stored', async () => {
  const account = await api.newAccount()
  const { upload } = (await account.post('/v1/uploads/presign', { filename: 'a.mp4', bytes: body.length })).body
  const half = body.subarray(1_000_000)
  const sockets = await Promise.all(Array.from({ length: 30 }, () => put(upload.upload_url, half)))
  const statuses: string[] = []
  for (const socket of sockets) void statusOf(socket).then((status) => statuses.push(status))
  await untilFound(() => statuses.length === 29)
  expect(statuses).toEqual(Array.from({ length: 29 }, () => '409'))
  expect(await tempFiles()).toHaveLength(1)

  for (const socket of sockets) socket.destroy()
  await untilFound(async () => (await tempFiles()).length === 0)
  // The claim ends in the moment after the file is deleted.
  await untilFound(async () => {
    const again = await put(upload.upload_url, body)
    const status = await statusOf(again)
    again.destroy()
    return status === '200'
  })
})

it('a PUT ends soon after its account is suspended', async () => {
  const account = await api.newAccount()
  const { upload } = (await account.post('/v1/uploads/presign', { filename: 'a.mp4', bytes: body.length })).body
  const socket = await put(upload.upload_url, body.subarray(0, 1_000_000))
  await untilFound(async () => (await tempFiles()).length === 1)
  await suspend(api, account.accountId)
  const later = performance.now() + 5_000
  const clock = vi.spyOn(performance, 'now').mockReturnValue(later)
  onTestFinished(() => clock.mockRestore())
  const answered = statusOf(socket)
  socket.write(body.subarray(1_000_000))
  expect(await answered).toBe('403')
  await untilFound(async () => (await tempFiles()).length === 0)
})
