import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../../api/app.ts'
import { eraseUpload } from '../../../src/jobs/erase.ts'
import { findExpiredUploads } from '../../../src/uploads/uploads.ts'
import { untilFound } from '../../until-found.ts'
import { type Api, codeOf, startApi, type TestAccount } from '../api.ts'

const unit = 256 * 1024
const file = randomBytes(3 * unit + 1000)
const total = file.length

let api: Api
let port: number
let account: TestAccount
beforeAll(async () => {
  api = await startApi({ MAX_UPLOAD_BYTES: String(total), STORED_BYTES_PER_ACCOUNT: String(3 * total) })
  port = await api.listen()
})
afterAll(() => api.close())

interface Begun {
  readonly id: string
  readonly upload_url: string
}

async function begin(of?: TestAccount): Promise<Begun> {
  account = of ?? (await api.newAccount())
  const { status, body } = await account.post('/v1/uploads/presign', {
    filename: 'a.mp4',
    bytes: total,
    resumable: true,
  })
  expect([status, body.upload?.resumable, body.upload?.upload_method]).toEqual([200, true, 'PUT'])
  return body.upload
}

const addressOf = ({ upload_url }: Begun) => {
  const { pathname, search } = new URL(upload_url)
  return `http://127.0.0.1:${port}${pathname}${search}`
}

/** Sends the bytes from `start` to `end`, inclusive, or asks what has arrived. */
async function put(upload: Begun, start?: number, end = total - 1, headers: Record<string, string> = {}) {
  const range = start === undefined ? '*' : `${start}-${end}`
  const body = start === undefined ? null : file.subarray(start, end + 1)
  const answer = await fetch(addressOf(upload), {
    method: 'PUT',
    headers: { 'content-range': `bytes ${range}/${total}`, ...headers },
    body,
    redirect: 'manual',
  })
  const text = await answer.text()
  return { status: answer.status, range: answer.headers.get('range'), headers: answer.headers, text }
}
const told = ({ status, range }: Awaited<ReturnType<typeof put>>) => [status, range]

const read = async ({ id }: Begun) => (await account.get(`/v1/uploads/${id}`)).body.upload
const stored = async ({ id }: Begun) => {
  const { objectKey } = await api.db.upload.findUniqueOrThrow({ where: { id } })
  return buffer(await api.storage.read(objectKey))
}
const partsOf = ({ id }: Begun) =>
  readdir(path.join(api.config.DATA_DIR, 'objects', 'uploads', id, 'media.mp4~')).catch(() => [])

describe('a resumable upload', () => {
  it('goes on where it stopped, and is stored once all bytes have arrived', async () => {
    const upload = await begin()
    expect(told(await put(upload))).toEqual([308, null])
    expect(told(await put(upload, 0, unit - 1))).toEqual([308, `bytes=0-${unit - 1}`])
    expect(await read(upload)).toMatchObject({ status: 'waiting' })
    expect(told(await put(upload))).toEqual([308, `bytes=0-${unit - 1}`])
    // Bytes that have arrived are not taken again, and none are left out.
    expect(told(await put(upload, 2 * unit))).toEqual([308, `bytes=0-${unit - 1}`])
    expect(told(await put(upload, 0, 2 * unit - 1))).toEqual([308, `bytes=0-${2 * unit - 1}`])
    expect(told(await put(upload, unit))).toEqual([200, null])
    expect((await stored(upload)).equals(file)).toBe(true)
    const received = await read(upload)
    expect(received).toMatchObject({ status: 'received', bytes: total })
    expect(Date.parse(received.kept_until) - Date.parse(received.created_at)).toBe(
      api.config.RETENTION_DAYS * 86_400_000,
    )
    // The answer can be lost.
    expect(told(await put(upload))).toEqual([200, null])
    expect(await partsOf(upload)).toHaveLength(2)
  })

  it('lets pages of other origins read what has arrived', async () => {
    const { headers } = await put(await begin(), 0, unit - 1, { origin: 'https://page.example' })
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-expose-headers')).toMatch(/\brange\b/)
    const preflight = await fetch(addressOf(await begin()), { method: 'OPTIONS' })
    expect(preflight.headers.get('access-control-allow-headers')).toContain('content-range')
  })

  it('keeps what a broken PUT has sent, also when another API process takes the rest', async () => {
    const upload = await begin()
    const { pathname, search } = new URL(upload.upload_url)
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    const headers = `host: x\r\ncontent-range: bytes 0-${total - 1}/${total}\r\ncontent-length: ${total}`
    socket.write(`PUT ${pathname}${search} HTTP/1.1\r\n${headers}\r\n\r\n`)
    socket.write(file.subarray(0, unit + 17))
    await untilFound(async () => (await partsOf(upload)).length > 0)
    expect((await put(upload, 0)).status).toBe(409)
    socket.destroy()
    await untilFound(async () => (await put(upload)).status === 308)
    const arrived = Number((await put(upload)).range?.split('-').at(-1)) + 1
    expect(arrived).toBeGreaterThan(0)

    const again = await buildApp(api)
    const address = await again.listen({ host: '127.0.0.1', port: 0 })
    const rest = await fetch(address + pathname + search, {
      method: 'PUT',
      headers: { 'content-range': `bytes ${arrived}-${total - 1}/${total}` },
      body: file.subarray(arrived),
    })
    expect(rest.status).toBe(200)
    await again.close()
    expect((await stored(upload)).equals(file)).toBe(true)
  })

  it('is sent by one PUT at a time', async () => {
    const upload = await begin()
    const answers = await Promise.all(Array.from({ length: 8 }, () => put(upload, 0)))
    const statuses = answers.map(({ status }) => status)
    expect(statuses).toContain(200)
    for (const status of statuses) expect([200, 409]).toContain(status)
    expect((await stored(upload)).equals(file)).toBe(true)
  })

  it.each([
    ['none', undefined],
    ['another size', `bytes 0-${unit - 1}/${total + 1}`],
    ['no size', 'bytes 0-99/*'],
    ['a range past the end', `bytes 0-${total}/${total}`],
    ['a range that ends before it begins', `bytes 5-4/${total}`],
    ['a part that is no multiple of 256 KiB', `bytes 0-99/${total}`],
    ['another unit', `lines 0-9/${total}`],
  ])('refuses a Content-Range of %s', async (_what, range) => {
    const answer = await fetch(addressOf(await begin()), {
      method: 'PUT',
      headers: range === undefined ? {} : { 'content-range': range },
      body: Buffer.from('x'),
    })
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: { code: 'invalid_request' } }])
  })

  it('takes no more bytes than the range says', async () => {
    const headers = { 'content-range': `bytes 0-${unit - 1}/${total}` }
    const answer = await fetch(addressOf(await begin()), { method: 'PUT', headers, body: file })
    expect([answer.status, await answer.json()]).toMatchObject([413, { error: { code: 'payload_too_large' } }])
  })

  it('is sent again from its beginning if more has arrived than it has bytes', async () => {
    const upload = await begin()
    const { objectKey: key } = await api.db.upload.findUniqueOrThrow({ where: { id: upload.id } })
    async function* tooMany() {
      yield Buffer.alloc(total + 1)
    }
    await api.storage.parts?.append({ key, session: 1 }, tooMany(), 0)
    expect(told(await put(upload))).toEqual([308, null])
    expect((await put(upload, 0)).status).toBe(200)
    expect(await stored(upload)).toEqual(file)
  })

  it('needs the size of the file', async () => {
    const of = await api.newAccount()
    const answer = await of.post('/v1/uploads/presign', { filename: 'a.mp4', resumable: true })
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request'])
  })

  it('counts as stored from its beginning, between its PUTs and at its end', async () => {
    const upload = await begin()
    const storedBytes = async () => (await account.get('/v1/account/limits')).body.limits.storage.stored_bytes
    expect(await storedBytes()).toBe(total)
    await put(upload, 0, unit - 1)
    expect(await storedBytes()).toBe(total)
    await put(upload, unit)
    expect(await storedBytes()).toBe(total)
    for (let count = 0; count < 2; count++) await begin(account)
    const full = await account.post('/v1/uploads/presign', { filename: 'a.mp4', bytes: total, resumable: true })
    expect([full.status, codeOf(full)]).toEqual([413, 'storage_limit_reached'])
  })

  it('is gone once it is deleted, with what has arrived', async () => {
    const upload = await begin()
    await put(upload, 0, unit - 1)
    expect(await partsOf(upload)).toEqual(['part'])
    await api.call({ method: 'DELETE', url: `/v1/uploads/${upload.id}` }, account.token)
    await eraseUpload(api, upload.id)
    expect(await partsOf(upload)).not.toContain('part')
    expect((await put(upload, unit)).status).toBe(404)
    expect((await put(upload)).status).toBe(404)
  })

  it('that is never completed is deleted a week later, and then is gone', async () => {
    const upload = await begin()
    await put(upload, 0, unit - 1)
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)
    const expired = async (at: Date) => (await findExpiredUploads(api.db, at, { limit: 100 })).map(({ id }) => id)
    expect(await expired(inDays(6.9))).not.toContain(upload.id)
    expect(await expired(inDays(7.1))).toContain(upload.id)
    const { url } = await api.storage.presignSession({
      ...{ key: 'uploads/gone', contentType: 'video/mp4', maxBytes: total, expiresInSeconds: -1 },
    })
    expect((await put({ ...upload, upload_url: url })).status).toBe(404)
  })
})
