import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { mediaTypeOf } from '../../../api/uploads/media-type.ts'
import { contentTypes, fontTypes, pictureTypes } from '../../../src/core/media.ts'
import { type Api, codeOf, startApi, type TestAccount } from '../api.ts'

let api: Api
let account: TestAccount
beforeAll(async () => {
  api = await startApi({ MAX_UPLOAD_BYTES: '1000' })
  account = await api.newAccount()
})
afterAll(async () => api.close())

const presign = (body: object) => account.post('/v1/uploads/presign', body)

describe('POST /v1/uploads/presign', () => {
  it('200 with everything that the PUT and the job need', async () => {
    const { status, headers, body } = await presign({ filename: 'interview.mp4', bytes: 1000 })
    expect(status).toBe(200)
    const { id, upload_url } = body.upload
    expect(body).toEqual({
      request_id: headers['x-request-id'],
      upload: {
        id: expect.stringMatching(/^upl_[a-zA-Z0-9]{24}$/),
        upload_url: expect.stringContaining(`http://api.test/storage/uploads/${id}/media.mp4?`),
        upload_method: 'PUT',
        upload_page_url: expect.stringContaining(`http://api.test/u/${id}.`),
        upload_headers: { 'content-type': 'video/mp4' },
        name: 'interview.mp4',
        media_url: `http://api.test/v1/media/${id}`,
        content_type: 'video/mp4',
        kept_until: expect.stringMatching(/^\d{4}-.*Z$/),
        expires_in_seconds: 900,
      },
    })
    expect(Number(new URL(upload_url).searchParams.get('expires')) * 1000 - Date.now()).toBeLessThanOrEqual(900_000)
  })

  it.each([
    [{ filename: 'a.MP4' }, 'video/mp4'],
    [{ filename: 'a.ogg' }, 'audio/ogg'],
    [{ filename: 'a.b.wav', content_type: 'audio/x-wav' }, 'audio/wav'],
    [{ filename: 'a.webm', content_type: 'video/webm; codecs="vp9"' }, 'video/webm'],
    [{ filename: 'recording', content_type: 'audio/mpeg' }, 'audio/mpeg'],
    [{ filename: 'C:\\Users\\me\\a.mov', bytes: 0 }, 'video/quicktime'],
    [{ filename: 'a\u0000\ud800.mp3' }, 'audio/mpeg'],
    [{ filename: 'talk.flac' }, 'audio/flac'],
    [{ filename: 'talk.opus', content_type: 'audio/opus' }, 'audio/ogg'],
    [{ filename: 'film.mkv', content_type: 'video/x-matroska' }, 'video/matroska'],
    [{ filename: 'sound.mka' }, 'audio/matroska'],
    [{ filename: 'take.AIF' }, 'audio/aiff'],
    [{ filename: 'note.amr' }, 'audio/amr'],
    [{ filename: 'face.JPEG' }, 'image/jpeg'],
    [{ filename: 'face', content_type: 'image/webp' }, 'image/webp'],
    [{ filename: 'logo.png', content_type: 'image/png' }, 'image/png'],
    [{ filename: 'Blocks.OTF' }, 'font/otf'],
    [{ filename: 'Blocks', content_type: 'application/x-font-ttf' }, 'font/ttf'],
    [{ filename: 'noextension' }, 'application/octet-stream'],
    [{ filename: 'a.mp4', content_type: 'application/octet-stream' }, 'video/mp4'],
    [{ filename: 'film.mp4', content_type: 'audio/mpeg' }, 'audio/mpeg'],
    [{ filename: 'book.m4b' }, 'audio/mp4'],
    [{ filename: 'phone.3gp' }, 'video/mp4'],
    [{ filename: 'browser.weba' }, 'video/webm'],
    [{ filename: 'camera.qt' }, 'video/quicktime'],
    [{ filename: 'radio.mpga' }, 'audio/mpeg'],
    [{ filename: 'film.ts' }, 'application/octet-stream'],
    [{ filename: 'film.ts', content_type: 'video/mp2t' }, 'video/mp2t'],
    [{ filename: 'sound.ac3', content_type: 'Audio/AC3; rate=48000' }, 'audio/ac3'],
    [{ filename: 'clip.MP4.part' }, 'application/octet-stream'],
    [{ filename: 'a.txt', content_type: 'video/mp4' }, 'video/mp4'],
    [{ filename: 'a.constructor' }, 'application/octet-stream'],
    [{ filename: 'talk v1.2 (final)' }, 'application/octet-stream'],
  ])('200 for %j with the type %s', async (body, type) => {
    const answer = await presign(body)
    expect([answer.status, answer.body.upload?.content_type]).toEqual([200, type])
  })

  it('keeps only the name of the file', async () => {
    const { body } = await presign({ filename: '/home/me/inter\nview.mp4' })
    expect((await api.db.upload.findUniqueOrThrow({ where: { id: body.upload.id } })).fileName).toBe('interview.mp4')
  })

  it.each([
    [{ filename: 'a.mp4', content_type: 'text/html' }, 'The content type text/html is not of media'],
    [{ filename: 'a', content_type: 'image/svg+xml' }, 'The content type image/svg+xml is not of media'],
    [{ filename: 'a', content_type: 'video/<b>/x' }, 'The content type is not of media'],
  ])('415 unsupported_file_type for %j', async (body, message) => {
    const answer = await presign(body)
    expect([answer.status, codeOf(answer)]).toEqual([415, 'unsupported_file_type'])
    expect(answer.body.error.message).toContain(message)
  })

  it.each([
    [{ filename: 'film.mp4', content_type: 'font/ttf' }, 'font/ttf is not the type of a .mp4 file'],
    [{ filename: 'film.mp4', content_type: 'image/jpeg' }, 'image/jpeg is not the type of a .mp4 file'],
    [{ filename: 'face.jpeg', content_type: 'video/mp4' }, 'video/mp4 is not the type of a .jpg file'],
  ])('400 for %j, of which one is a picture and the other is not', async (body, message) => {
    const answer = await presign(body)
    expect([answer.status, answer.body.error?.message]).toEqual([
      400,
      `content_type: ${message}. Send the type of the file, or leave it out.`,
    ])
  })

  it('413 payload_too_large above the limit, with the limit', async () => {
    const answer = await presign({ filename: 'a.mp4', bytes: 1001 })
    expect([answer.status, codeOf(answer)]).toEqual([413, 'payload_too_large'])
    expect(answer.body.error.message).toContain('The file has 1001 bytes, and the limit is 1000 bytes.')
  })

  it.each([
    {},
    { filename: '' },
    { filename: 5 },
    { filename: 'a.mp4', bytes: -1 },
    { filename: 'a.mp4', bytes: 1.5 },
    { filename: 'a.mp4', content_type: 7 },
  ])('400 invalid_request for %j', async (body) => {
    const answer = await presign(body)
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request'])
  })
})

describe('mediaTypeOf', () => {
  it('returns a supported format or refuses, for any name and type', () => {
    fc.assert(
      fc.property(fc.string(), fc.option(fc.string(), { nil: undefined }), (name, type) => {
        try {
          const { contentType } = mediaTypeOf(name, type)
          const all = [...Object.values(contentTypes), ...Object.values(pictureTypes), ...Object.values(fontTypes)]
          expect([...all, 'application/octet-stream']).toContain(contentType)
        } catch (error) {
          expect(error).toMatchObject({ code: 'unsupported_file_type' })
        }
      }),
      { examples: [['', '__proto__']] },
    )
  })
})

describe('GET /v1/uploads', () => {
  it('lists the uploads of the account by name, status and time, in pages, newest first', async () => {
    const mine = await api.newAccount()
    const first = await mine.upload('one.mp4', 'twelve bytes')
    const { body: waiting } = await mine.post('/v1/uploads/presign', { filename: 'two.mp4' })
    const third = await mine.upload('one.mp4')
    await account.upload('one.mp4')
    const { body } = await mine.get('/v1/uploads')
    expect(body.uploads.map(({ media_url }: { media_url: string }) => media_url)).toEqual([
      third,
      waiting.upload.media_url,
      first,
    ])
    const { id, name, media_url, content_type, kept_until } = waiting.upload
    const created_at = expect.stringMatching(/^\d{4}-.*Z$/)
    const row = { id, name, media_url, content_type, kept_until, created_at }
    expect(body.uploads[1]).toEqual({ ...row, status: 'waiting' })
    expect(body.uploads[2]).toMatchObject({ name: 'one.mp4', status: 'received', bytes: 12 })

    const urlsOf = async (query: string): Promise<string[]> =>
      (await mine.get(`/v1/uploads?${query}`)).body.uploads.map((upload: { media_url: string }) => upload.media_url)
    expect(await urlsOf('name=one.mp4')).toEqual([third, first])
    expect(await urlsOf('name=one')).toEqual([])
    expect(await urlsOf('status=waiting')).toEqual([media_url])
    expect(await urlsOf('created_before=2026-01-01')).toEqual([])
    const { body: page } = await mine.get('/v1/uploads?limit=2')
    expect(page.uploads).toHaveLength(2)
    expect(await urlsOf(`limit=2&cursor=${page.next_cursor}`)).toEqual([first])

    const headers = { authorization: `Bearer ${mine.token}` }
    await api.call({ method: 'DELETE', url: `/v1/uploads/${id}`, headers })
    expect(await urlsOf('')).toEqual([third, first])
  })

  it('asks the storage only for uploads whose bytes the service has not seen', async () => {
    const owner = await api.newAccount()
    const seen = await owner.upload()
    await api.db.upload.updateMany({ where: { accountId: owner.accountId }, data: { bytes: 5 } })
    const unseen = await owner.upload('two.mp4', 'twelve bytes')
    const stat = vi.spyOn(api.storage, 'stat')
    const { body } = await owner.get('/v1/uploads')
    expect(body.uploads).toMatchObject([
      { media_url: unseen, status: 'received', bytes: 12 },
      { media_url: seen, status: 'received', bytes: 5 },
    ])
    expect(stat).toHaveBeenCalledTimes(1)
    stat.mockRestore()
  })

  it.each(['status=open', 'limit=0', 'cursor=x', 'name=', 'filename=a.mp4'])('400 for %s', async (query) => {
    expect((await account.get(`/v1/uploads?${query}`)).status).toBe(400)
  })
})

describe('GET /v1/uploads/{upload_id}', () => {
  it('has what the list has of it, before and after its bytes arrive', async () => {
    const { body: waiting } = await account.post('/v1/uploads/presign', { filename: 'take.mp4' })
    const { status, headers, body } = await account.get(`/v1/uploads/${waiting.upload.id}`)
    const { id, name, media_url, content_type, kept_until } = waiting.upload
    const created_at = expect.stringMatching(/^\d{4}-.*Z$/)
    const row = { id, name, media_url, content_type, kept_until, created_at, status: 'waiting' }
    expect([status, body]).toEqual([200, { request_id: headers['x-request-id'], upload: row }])

    const received = await account.upload('take.mp4', 'twelve bytes')
    const read = await account.get(new URL(received).pathname.replace('media', 'uploads'))
    expect(read.body.upload).toMatchObject({ media_url: received, status: 'received', bytes: 12 })
    const { body: list } = await account.get('/v1/uploads')
    const { playback: _playback, ...listed } = read.body.upload
    expect(list.uploads).toContainEqual(listed)
  })

  it('has an address that plays what has arrived, by ranges, for an hour', async () => {
    const waiting = await presign({ filename: 'talk.mp3', bytes: 10 })
    const read = async (id: string) => (await account.get(`/v1/uploads/${id}`)).body.upload
    expect(await read(waiting.body.upload.id)).not.toHaveProperty('playback')
    const { url, expires_at } = (await read((await account.upload('talk.mp3', '0123456789')).split('/').at(-1) ?? ''))
      .playback
    expect(Math.abs(Date.parse(expires_at) - Date.now() - 3_600_000)).toBeLessThan(60_000)
    const part = await api.call({ url: url.slice('http://api.test'.length), headers: { range: 'bytes=2-4' } })
    expect([part.status, part.text, part.headers['content-range']]).toEqual([206, '234', 'bytes 2-4/10'])
    expect(part.headers).toMatchObject({
      'content-type': 'audio/mpeg',
      'content-disposition': expect.stringMatching(/^inline/),
    })
  })

  it("404 not_found for another account's, for a deleted one and for what is no id", async () => {
    const { body: theirs } = await (await api.newAccount()).post('/v1/uploads/presign', { filename: 'a.mp4' })
    const { body: deleted } = await account.post('/v1/uploads/presign', { filename: 'a.mp4' })
    const url = `/v1/uploads/${deleted.upload.id}`
    expect((await api.call({ method: 'DELETE', url }, account.token)).status).toBe(200)
    for (const id of [theirs.upload.id, deleted.upload.id, 'upl_none', 'presign', 'job_1', '%00']) {
      const answer = await account.get(`/v1/uploads/${id}`)
      expect([id, answer.status, codeOf(answer)]).toEqual([id, 404, 'not_found'])
    }
  })
})

it('404 for what is no id says how ids begin', async () => {
  const { status, body } = await account.get('/v1/uploads/presign')
  expect([status, body.error.message]).toEqual([404, expect.stringContaining('begins with upl_')])
})
