import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { beepsWav } from '../../../lab/hostile/hostile-files.ts'
import { inputsTried, survivesMangling } from '../../mangled-bytes.ts'
import { untilFound } from '../../until-found.ts'
import { startApi, useApi } from '../api.ts'

const api = await useApi({ MAX_UPLOAD_BYTES: '200000', PRESIGNED_BYTES_PER_ACCOUNT: '1000000' })
const account = await api.newAccount()
const port = await api.listen()

const sound = beepsWav(1)

async function send(
  form: FormData | URLSearchParams | string,
  { key = account.token, type }: { key?: string; type?: string } = {},
) {
  const response = await fetch(`http://127.0.0.1:${port}/v1/uploads`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, ...(type ? { 'content-type': type } : {}) },
    body: form,
  })
  return { status: response.status, body: Object(await response.json()) }
}

function formOf(bytes: Uint8Array<ArrayBuffer>, name: string, type = ''): FormData {
  const form = new FormData()
  form.append('file', new Blob([bytes], { type }), name)
  return form
}

function withPart(form: FormData, part: Blob | string): FormData {
  if (typeof part === 'string') form.append('name', part)
  else form.append('file', part, 'b.wav')
  return form
}

const left = async () => ({
  rows: await api.db.upload.count({ where: { accountId: account.accountId } }),
  temporary: await readdir(path.join(api.config.DATA_DIR, 'objects', '.temp')),
})

describe('POST /v1/uploads', () => {
  it('stores the file of a form, whose media_url is ready for jobs', async () => {
    const { status, body } = await send(formOf(new Uint8Array(sound), 'my talk.wav', 'application/octet-stream'))
    expect([status, body]).toEqual([
      200,
      {
        request_id: expect.any(String),
        upload: {
          id: expect.stringMatching(/^upl_/),
          name: 'my talk.wav',
          media_url: `http://api.test/v1/media/${body.upload?.id}`,
          content_type: 'audio/wav',
          kept_until: expect.stringMatching(/^\d{4}-.*Z$/),
          bytes: sound.length,
        },
      },
    ])
    const row = await api.db.upload.findUniqueOrThrow({ where: { id: body.upload.id } })
    const claimed = { claimId: null, bytes: BigInt(sound.length) }
    expect(row).toMatchObject({ fileName: 'my talk.wav', ...claimed, accountId: account.accountId })
    const stored = await api.storage.stat(row.objectKey)
    expect(stored).toMatchObject({ bytes: sound.length, contentType: 'audio/wav' })
    const request = { endpoint: 'audio/detect-silence', media_url: body.upload.media_url }
    expect((await account.post('/v1/jobs', request)).status).toBe(202)
  })

  it.each([
    ['a file that is empty', () => formOf(new Uint8Array(), 'a.wav'), 400, 'The file is empty. Send all its bytes.'],
    ['a file that is too large', () => formOf(new Uint8Array(190_000 + 11_000), 'a.wav'), 413, 'larger than the limit'],
    [
      'a form far too large',
      () => formOf(new Uint8Array(400_000), 'a.wav'),
      413,
      'The form has 390.8 KiB, and the limit is 195.3 KiB',
    ],
    ['a form without a file', () => new FormData(), 400, 'Send one file'],
    ['two files', () => withPart(formOf(new Uint8Array(sound), 'a.wav'), new Blob(['b'])), 400, 'and nothing else'],
    ['a field after the file', () => withPart(formOf(new Uint8Array(sound), 'a.wav'), 'b'), 400, 'and nothing else'],
    ['JSON', () => '{}', 415, 'curl -F'],
    ['what curl --data-binary sends', () => new URLSearchParams({ file: 'a.wav' }), 415, 'curl -F'],
  ])('refuses %s, and leaves nothing', async (_what, made, status, message) => {
    const before = await left()
    const form = made()
    const answer = await send(form, typeof form === 'string' ? { type: 'application/json' } : {})
    expect([answer.status, answer.body.error?.message]).toEqual([status, expect.stringContaining(message)])
    expect(await left()).toEqual(before)
  })

  it.each([
    ['a file without a boundary after it', '', ''],
    ['a part with thousands of headers', 'a: b\r\n'.repeat(2_500), '\r\n--b--\r\n'],
  ])('refuses %s, and leaves nothing', async (_what, headers, end) => {
    const before = await left()
    const file = 'content-disposition: form-data; name="file"; filename="a.wav"\r\n\r\nsome bytes'
    const form = `--b\r\n${headers}${file}${end}`
    const { status, body } = await send(form, { type: 'multipart/form-data; boundary=b' })
    expect([status, body.error?.message]).toEqual([400, expect.stringContaining('Send one file')])
    expect(await left()).toEqual(before)
  })

  it('stores or refuses a mangled form', async () => {
    const many = String(10 * inputsTried)
    const own = await startApi({
      RATE_LIMIT_PER_ACCOUNT: many,
      RATE_LIMIT_PER_ADDRESS: many,
      PRESIGNED_BYTES_PER_ACCOUNT: '1000000000',
    })
    const [{ token }, at] = [await own.newAccount(), await own.listen()]
    const part = (name: string) =>
      `--b\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n\r\nsome bytes\r\n`
    await survivesMangling({
      samples: [`${part('a.wav')}--b--\r\n`, `${part('é"\\.wav')}${part('b.mp3')}--b--`].map((form) =>
        Buffer.from(form),
      ),
      parse: async (_, form) => {
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'multipart/form-data; boundary=b' }
        const response = await fetch(`http://127.0.0.1:${at}/v1/uploads`, {
          method: 'POST',
          headers,
          body: new Uint8Array(form),
        })
        expect([200, 400, 413, 415]).toContain(response.status)
        await response.json()
      },
      isDeclared: () => false,
      inputs: inputsTried / 10,
    })
    await own.close()
  })

  it('refuses a caller without a key before the file arrives', async () => {
    expect((await send(formOf(new Uint8Array(sound), 'a.wav'), { key: 'none' })).status).toBe(401)
  })

  it('counts against the quota of presigned URLs', async () => {
    const other = await api.newAccount()
    const statuses: number[] = []
    for (let count = 0; count < 8; count++) {
      statuses.push((await send(formOf(new Uint8Array(150_000), 'a.wav'), { key: other.token })).status)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429, 429])
  })

  it('is 409 if the upload is deleted while its form arrives, and leaves the row for upkeep', async () => {
    const other = await api.newAccount()
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    const head = `POST /v1/uploads HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${other.token}\r\n`
    const part = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\n\r\nsome '
    const rest = 'bytes\r\n--b--\r\n'
    const length = part.length + rest.length
    socket.write(`${head}content-type: multipart/form-data; boundary=b\r\ncontent-length: ${length}\r\n\r\n${part}`)
    const rows = () => api.db.upload.findMany({ where: { accountId: other.accountId } })
    await untilFound(async () => (await rows()).some(({ claimId }) => claimId !== null))
    const [upload] = await rows()
    const headers = { authorization: `Bearer ${other.token}` }
    const deleted = await fetch(`http://127.0.0.1:${port}/v1/uploads/${upload?.id}`, { method: 'DELETE', headers })
    expect(deleted.status).toBe(200)
    socket.write(rest)
    expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1.1 409 .*"conflict"/s)
    socket.destroy()
    // Its empty object is deleted with the row.
    expect(await rows()).toMatchObject([{ id: upload?.id, erasedAt: expect.any(Date) }])
  })

  it('leaves nothing of a form that breaks off, and logs no error', async () => {
    const before = await left()
    const logged = api.logLines.length
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    const head = `POST /v1/uploads HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${account.token}\r\n`
    const part = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\n\r\n'
    socket.write(
      `${head}content-type: multipart/form-data; boundary=b\r\ncontent-length: 9000\r\n\r\n${part}some bytes`,
    )
    await untilFound(async () => (await left()).rows > before.rows)
    socket.resetAndDestroy()
    await untilFound(async () => (await left()).rows === before.rows && (await left()).temporary.length === 0)
    // By the end of another request, the refusal of this one is logged.
    expect((await send(formOf(new Uint8Array(sound), 'a.wav'))).status).toBe(200)
    expect(api.logLines.slice(logged).join('')).not.toContain('server_error')
  })
})
