import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { buildApp } from '../../../api/app.ts'
import { suspendAccount } from '../../../src/accounts/suspension.ts'
import { signUploadLink } from '../../../src/uploads/upload-links.ts'
import { type Answer, codeOf, useApi } from '../api.ts'

const pages = { index: '', linked: '<div id="root"></div>', assets: new Map() }

const api = await useApi({}, { pages })
const account = await api.newAccount()

async function presign(fields: object = {}, owner = account) {
  const { body } = await owner.post('/v1/uploads/presign', { filename: 'talk.mp4', bytes: 1000, ...fields })
  const { upload } = body
  return { id: String(upload.id), path: new URL(upload.upload_page_url).pathname, upload }
}
const rowOf = (id: string) => api.db.upload.findUniqueOrThrow({ where: { id } })

const open = (url: string): Promise<Answer> => api.call({ url, headers: { accept: 'text/html' } })
const openSession = (path: string, bytes: number) =>
  api.call({ method: 'POST', url: `${path}/session`, payload: { bytes } })
const put = async (url: unknown, headers: Record<string, string>, body: string) => {
  const { pathname, search } = new URL(String(url))
  const address = `http://127.0.0.1:${await api.listen()}${pathname}${search}`
  const answer = await fetch(address, { method: 'PUT', headers, body })
  return { status: answer.status, text: await answer.text() }
}
const send = async (...request: Parameters<typeof put>) => (await put(...request)).status

describe('the page of an upload', () => {
  it('says what it is for, takes one file, and is over then', async () => {
    const { id, path } = await presign()
    const page = await open(path)
    expect([page.status, page.headers['cache-control']]).toEqual([200, 'private, no-store'])
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'")
    const { body } = await open(`${path}.json`)
    expect(body.upload).toEqual({ name: 'talk.mp4', max_bytes: 1000, expires_at: expect.any(String) })
    for (const secret of [account.accountId, account.keyId]) expect(JSON.stringify(body)).not.toContain(secret)

    const { upload } = (await openSession(path, 6)).body
    const range = { ...upload.upload_headers, 'content-range': 'bytes 0-5/6' }
    expect(await send(upload.upload_url, range, 'a talk')).toBe(200)
    expect((await account.get(`/v1/uploads/${id}`)).body.upload).toMatchObject({ status: 'received', bytes: 6 })
    for (const answer of [await open(path), await open(`${path}.json`), await openSession(path, 6)])
      expect(answer.status).toBe(404)
  })

  it('begins again with another file, of which nothing is mixed with the first', async () => {
    const { id, path } = await presign({ bytes: 1_000_000 })
    const first = (await openSession(path, 300_000)).body.upload
    const range = (text: string) => ({ ...first.upload_headers, 'content-range': text })
    expect(await send(first.upload_url, range('bytes 0-262143/300000'), 'a'.repeat(262_144))).toBe(308)
    const second = (await openSession(path, 4)).body.upload
    expect(await send(second.upload_url, range('bytes 0-3/4'), 'bbbb')).toBe(200)
    const { objectKey } = await rowOf(id)
    expect(String(Buffer.concat(await (await api.storage.read(objectKey)).toArray()))).toBe('bbbb')
  })

  it('takes the file of one of two people, and tells the other that theirs is not taken', async () => {
    const { id, path } = await presign({ bytes: 1_000_000 })
    const part = 262_144
    const [one, other] = [await openSession(path, part + 4), await openSession(path, part + 4)]
    const sendTo = ({ body: { upload } }: Answer, from: number, text: string) => {
      const range = `bytes ${from}-${from + text.length - 1}/${part + 4}`
      return put(upload.upload_url, { ...upload.upload_headers, 'content-range': range }, text)
    }
    expect((await sendTo(other, 0, 'b'.repeat(part))).status).toBe(308)
    const refused = await sendTo(one, part, 'aaaa')
    expect(refused).toMatchObject({ status: 404, text: expect.stringContaining('Another file is sent to this upload') })
    expect((await sendTo(other, part, 'bbbb')).status).toBe(200)
    const stored = Buffer.concat(await (await api.storage.read((await rowOf(id)).objectKey)).toArray())
    expect(String(stored)).toBe('b'.repeat(part + 4))
  })

  it('leaves no parts beside a file that another PUT sends, and is told of it', async () => {
    const { id, path, upload } = await presign({ bytes: 1_000_000 })
    const session = (await openSession(path, 300_000)).body.upload
    const headers = { ...session.upload_headers, 'content-range': 'bytes 0-262143/300000' }
    const files = () => readdir(join(api.config.DATA_DIR, 'objects', 'uploads', id, 'media.mp4~'))
    expect(await send(session.upload_url, headers, 'a'.repeat(262_144))).toBe(308)
    expect(await files()).toHaveLength(1)
    expect(await send(upload.upload_url, upload.upload_headers, 'a talk')).toBe(200)
    expect(await files()).toEqual(expect.arrayContaining(['object.json']))
    expect(await files()).toHaveLength(2)
    const told = { status: 404, text: expect.stringContaining('Another file is sent to this upload') }
    for (const range of ['bytes 262144-299999/300000', 'bytes */300000'])
      expect(await put(session.upload_url, { ...headers, 'content-range': range }, '')).toMatchObject(told)
  })

  it('keeps parts as long as they count as stored, and what arrived by any PUT as long as every upload', async () => {
    const { id, path, upload } = await presign()
    const keptDays = async () => {
      const { createdAt, expiresAt } = await rowOf(id)
      return Math.round((expiresAt.getTime() - createdAt.getTime()) / 86_400_000)
    }
    expect(await keptDays()).toBe(api.config.RETENTION_DAYS)
    expect((await openSession(path, 6)).status).toBe(200)
    expect(await keptDays()).toBe(7)
    expect(await send(upload.upload_url, upload.upload_headers, 'a talk')).toBe(200)
    expect(await keptDays()).toBe(api.config.RETENTION_DAYS)
  })

  it('deletes no file that arrives after it has looked', async () => {
    const { id, path, upload } = await presign()
    const { objectKey } = await rowOf(id)
    await api.storage.write(objectKey, Readable.from(['bytes']), 'video/mp4')
    const unseen = { ...api.storage, stat: async () => undefined }
    const { parts: _, ...ofOthers } = unseen
    for (const storage of [unseen, ofOthers]) {
      const app = await buildApp({ ...api, storage })
      const { statusCode } = await app.inject({ method: 'POST', url: `${path}/session`, payload: { bytes: 5 } })
      const { pathname, search } = new URL(upload.upload_url)
      const address = `${await app.listen({ host: '127.0.0.1', port: 0 })}${pathname}${search}`
      const { status } = await fetch(address, { method: 'PUT', headers: upload.upload_headers, body: 'other' })
      await app.close()
      expect([statusCode, status, (await api.storage.stat(objectKey))?.bytes]).toEqual([200, 409, 5])
    }
  })

  it('takes no larger file than was asked for', async () => {
    const { path } = await presign()
    expect(codeOf(await openSession(path, 1001))).toBe('payload_too_large')
    expect(codeOf(await openSession(path, 0))).toBe('invalid_request')
  })

  it('has one answer for links that are wrong, over, of what was deleted or has arrived, or of a suspended account', async () => {
    const { id, path } = await presign()
    const link = { uploadId: id, maxBytes: 1000 }
    const over = signUploadLink(api.config, { ...link, expiresAt: new Date(Date.now() - 1000) })
    const larger = path.replace('.1000.', '.9999.')
    const deleted = await presign()
    await api.call({ method: 'DELETE', url: `/v1/uploads/${deleted.id}` }, account.token)
    const arrived = await presign()
    const { objectKey } = await rowOf(arrived.id)
    await api.storage.write(objectKey, Readable.from(['bytes']), 'video/mp4')
    const owner = await api.newAccount()
    const suspended = await presign({}, owner)
    await suspendAccount(api.db, { accountId: owner.accountId, reason: 'test', hashMailbox: (email) => email })
    const dead = [`/u/${over}`, larger, '/u/x', deleted.path, arrived.path, suspended.path]
    const answers = await Promise.all(dead.map(open))
    expect(answers.map(({ status }) => status)).toEqual(dead.map(() => 404))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    for (const each of dead) expect((await openSession(each, 6)).status).toBe(404)
    expect((await open(path)).status).toBe(200)
  })
})
