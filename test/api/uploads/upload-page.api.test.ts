import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUploadLink } from '../../../src/uploads/upload-links.ts'
import { type Answer, type Api, codeOf, startApi, type TestAccount } from '../api.ts'

const pages = { index: '', linked: '<div id="root"></div>', assets: new Map() }

let api: Api
let account: TestAccount
beforeAll(async () => {
  api = await startApi({}, { pages })
  account = await api.newAccount()
})
afterAll(() => api.close())

async function presign(fields: object = {}) {
  const { body } = await account.post('/v1/uploads/presign', { filename: 'talk.mp4', bytes: 1000, ...fields })
  const { pathname } = new URL(body.upload.upload_page_url)
  return { id: String(body.upload.id), path: pathname }
}

const open = (url: string): Promise<Answer> => api.call({ url, headers: { accept: 'text/html' } })
const openSession = (path: string, bytes: number) =>
  api.call({ method: 'POST', url: `${path}/session`, payload: { bytes } })
const send = async (url: unknown, headers: Record<string, string>, body: string) => {
  const { pathname, search } = new URL(String(url))
  const address = `http://127.0.0.1:${await api.listen()}${pathname}${search}`
  return (await fetch(address, { method: 'PUT', headers, body })).status
}

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
    const { objectKey } = await api.db.upload.findUniqueOrThrow({ where: { id } })
    expect(String(Buffer.concat(await (await api.storage.read(objectKey)).toArray()))).toBe('bbbb')
  })

  it('takes no larger file than was asked for', async () => {
    const { path } = await presign()
    expect(codeOf(await openSession(path, 1001))).toBe('payload_too_large')
    expect(codeOf(await openSession(path, 0))).toBe('invalid_request')
  })

  it('has one answer for links that are wrong, over, or of what was deleted or has arrived', async () => {
    const { id, path } = await presign()
    const link = { uploadId: id, maxBytes: 1000 }
    const over = signUploadLink(api.config, { ...link, expiresAt: new Date(Date.now() - 1000) })
    const larger = path.replace('.1000.', '.9999.')
    const deleted = await presign()
    await api.call({ method: 'DELETE', url: `/v1/uploads/${deleted.id}` }, account.token)
    const arrived = await presign()
    const { objectKey } = await api.db.upload.findUniqueOrThrow({ where: { id: arrived.id } })
    await api.storage.write(objectKey, Readable.from(['bytes']), 'video/mp4')
    const dead = [`/u/${over}`, larger, '/u/x', deleted.path, arrived.path]
    const answers = await Promise.all(dead.map(open))
    expect(answers.map(({ status }) => status)).toEqual(dead.map(() => 404))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    for (const each of dead) expect((await openSession(each, 6)).status).toBe(404)
    expect((await open(path)).status).toBe(200)
  })
})
