import { describe, expect, it } from 'vitest'
import { useSignedObjects } from './signed-objects.ts'

const { storage, baseUrl, newKey, stored, putUrl, getUrl, put } = useSignedObjects()

describe('signature', () => {
  const query = (name: string, value: string) => (url: URL) => url.searchParams.set(name, value)
  const pathname = (from: string, to: string) => (url: URL) => {
    url.pathname = url.pathname.replace(from, to)
  }

  it.each([
    ['no signature', (url: URL) => url.searchParams.delete('signature')],
    ['another expiry', query('expires', '9999999999')],
    ['another size', query('max_bytes', '9999')],
    ['another key', pathname('upl_', 'upl_x')],
    ['the same key in other letters', pathname('upl_', 'upl%5F')],
    ['a path that climbs', pathname('uploads', 'uploads/%2e%2e')],
  ])('refuses a PUT URL with %s', async (_what, alter) => {
    const key = newKey()
    const url = new URL(await putUrl(key))
    alter(url)
    const answer = await put(url.href, 'x')
    expect([answer.status, await answer.json()]).toEqual([400, expect.objectContaining({ code: 'invalid_request' })])
    expect(await storage().stat(key)).toBeUndefined()
  })

  it('refuses an expired URL and says what to do', async () => {
    const key = await stored('x')
    for (const answer of [
      await fetch(await getUrl(key, { expiresInSeconds: -1 })),
      await put(await putUrl(key, { expiresInSeconds: -1 }), 'x'),
    ]) {
      expect([answer.status, await answer.json()]).toEqual([
        400,
        { code: 'invalid_request', message: expect.stringContaining('expired') },
      ])
    }
  })

  it('allows only one method: a GET URL cannot write, a PUT URL cannot read', async () => {
    const key = await stored('x')
    expect((await put(await getUrl(key), 'y')).status).toBe(400)
    expect((await fetch(await putUrl(key))).status).toBe(400)
  })

  it('reveals nothing about existing objects without a signature', async () => {
    const [there, missing] = await Promise.all(
      [await stored('x'), newKey()].map((key) => fetch(`${baseUrl()}/storage/${key}`)),
    )
    expect([there?.status, await there?.text()]).toEqual([missing?.status, await missing?.text()])
  })
})

describe('browsers', () => {
  it('can send and read from any origin', async () => {
    const answer = await fetch(await putUrl(newKey()), {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-method': 'PUT' },
    })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-methods')).toContain('PUT')
    expect(answer.headers.get('access-control-allow-headers')).toContain('content-type')
  })

  it('can read the range, the ETag and the reason of a refusal', async () => {
    const key = await stored('x')
    for (const answer of [
      await fetch(await getUrl(key)),
      await put(await putUrl(key), 'x'),
      await fetch(await getUrl(newKey())),
    ]) {
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      expect(answer.headers.get('access-control-expose-headers')).toMatch(/content-range.*etag/)
    }
  })
})
