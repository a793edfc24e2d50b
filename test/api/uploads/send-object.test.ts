import { readdir } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { useSignedObjects } from './signed-objects.ts'

const { newKey, stored, getUrl } = useSignedObjects()

describe('GET', () => {
  it('serves media inline, not sniffed, unable to run anything, and uncompressed', async () => {
    const answer = await fetch(await getUrl(await stored('0123456789'), { fileName: 'Größe.mp4' }), {
      headers: { 'accept-encoding': 'gzip, br' },
    })
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'video/mp4',
      'content-length': '10',
      'content-disposition': `inline; filename=Gro_e.mp4; filename*=UTF-8''Gr%C3%B6%C3%9Fe.mp4`,
      'content-security-policy': expect.stringMatching(/^sandbox; default-src 'none'/),
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
    })
    expect(answer.headers.has('content-encoding')).toBe(false)
    expect(await answer.text()).toBe('0123456789')
  })

  it('serves an attachment of the same name and type with download=1', async () => {
    const url = await getUrl(await stored('0123456789'), { fileName: 'talk-clip-1m15s.mp4' })
    const { status, headers } = await fetch(`${url}&download=1`)
    expect([status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      200,
      'video/mp4',
      'attachment; filename=talk-clip-1m15s.mp4',
    ])
    expect((await fetch(`${url}&download=2`)).status).toBe(400)
  })

  it('never serves a type that a browser would run', async () => {
    const answer = await fetch(await getUrl(await stored('<script>'), { contentType: 'text/html' }))
    expect(answer.headers.get('content-type')).toBe('application/octet-stream')
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment/)
  })

  it.each([
    ['bytes=2-4', 206, 'bytes 2-4/10', '234'],
    ['bytes=7-', 206, 'bytes 7-9/10', '789'],
    ['bytes=-2', 206, 'bytes 8-9/10', '89'],
    ['bytes=5-99', 206, 'bytes 5-9/10', '56789'],
    ['bytes=0-1,4-5', 200, null, '0123456789'],
    ['nonsense', 200, null, '0123456789'],
  ])('answers the range %s with %i', async (range, status, contentRange, body) => {
    const answer = await fetch(await getUrl(await stored('0123456789')), { headers: { range } })
    expect([answer.status, answer.headers.get('content-range'), await answer.text()]).toEqual([
      status,
      contentRange,
      body,
    ])
    expect(answer.headers.get('content-length')).toBe(String(body.length))
  })

  it('416 range_not_satisfiable past the end, with the length', async () => {
    const answer = await fetch(await getUrl(await stored('0123456789')), { headers: { range: 'bytes=10-' } })
    expect([answer.status, answer.headers.get('content-range')]).toEqual([416, 'bytes */10'])
    expect(await answer.json()).toMatchObject({ code: 'range_not_satisfiable' })
  })

  it('honours If-Range with its own ETag only', async () => {
    const key = await stored('0123456789')
    const etag = (await fetch(await getUrl(key))).headers.get('etag') ?? ''
    const status = async (ifRange: string) =>
      (await fetch(await getUrl(key), { headers: { range: 'bytes=0-1', 'if-range': ifRange } })).status
    expect(await status(etag)).toBe(206)
    for (const other of ['"other"', `W/${etag}`, 'Tue, 09 Jun 2026 00:00:00 GMT']) expect(await status(other)).toBe(200)
  })

  it.each([
    ['the ETag', (etag: string) => etag, 304],
    ['the weak ETag', (etag: string) => `W/${etag}`, 304],
    ['a list with it', (etag: string) => `"a", ${etag}`, 304],
    ['a star', () => '*', 304],
    ['another', () => '"a"', 200],
  ])('answers If-None-Match with %s', async (_what, header, status) => {
    const url = await getUrl(await stored('x'))
    const etag = (await fetch(url)).headers.get('etag') ?? ''
    expect((await fetch(url, { headers: { 'if-none-match': header(etag) } })).status).toBe(status)
  })

  it('answers HEAD as GET, without the body', async () => {
    const url = await getUrl(await stored('0123456789'))
    const answer = await fetch(url, { method: 'HEAD' })
    expect([answer.status, answer.headers.get('content-length'), answer.headers.get('content-type')]).toEqual([
      200,
      '10',
      'video/mp4',
    ])
    expect(await answer.text()).toBe('')
  })

  it('serves an empty object', async () => {
    const answer = await fetch(await getUrl(await stored('')))
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([200, '0', ''])
  })

  it('answers 404 not_found for an unknown object', async () => {
    const answer = await fetch(await getUrl(newKey()))
    expect([answer.status, await answer.json()]).toEqual([404, expect.objectContaining({ code: 'not_found' })])
  })

  it('closes its file when the client disconnects', async () => {
    const key = await stored(Buffer.alloc(20_000_000))
    const openFiles = async () => (await readdir('/dev/fd')).length
    const before = await openFiles()
    const abort = new AbortController()
    await fetch(await getUrl(key), { signal: abort.signal })
    abort.abort()
    await expect.poll(() => openFiles()).toBeLessThanOrEqual(before)
  })
})
