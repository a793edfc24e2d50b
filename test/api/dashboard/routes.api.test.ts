import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readBuiltPages } from '../../../api/dashboard/routes.ts'
import { required } from '../../setup/required.ts'
import { startApi } from '../api.ts'

const script = `console.log('${'x'.repeat(1000)}')`

describe('GET /dashboard', () => {
  let api: Awaited<ReturnType<typeof startApi>>
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(path.join(required('TEST_FOLDER'), 'pages-'))
    await mkdir(path.join(folder, 'assets'))
    await writeFile(path.join(folder, 'index.html'), '<meta content="nonce-of-this-response"><div id="root"></div>')
    await writeFile(path.join(folder, 'linked.html'), '<div id="root"></div>')
    await writeFile(path.join(folder, 'assets', 'index-abc.js'), script)
    api = await startApi({}, { pages: await readBuiltPages(folder) })
  })
  afterAll(() => api.close())

  const get = (url: string, headers: Record<string, string> = {}) =>
    api.app.inject({ url, headers: { host: 'api.test', ...headers } })

  it('answers each page with the same document, under a policy that allows files of the service only', async () => {
    const page = await get('/dashboard/sign-up')
    expect(page.statusCode).toBe(200)
    const nonce = /content="([^"]+)"/.exec(page.body)?.[1]
    expect(page.headers['content-security-policy']).toBe(
      `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self'; media-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
    )
    expect(page.headers).toMatchObject({ 'cache-control': 'no-cache', 'x-frame-options': 'SAMEORIGIN' })
    expect((await get('/dashboard/sign-up')).body).not.toBe(page.body)
  })

  it('allows the bucket, if the media is there', async () => {
    const gcs = { STORAGE: 'gcs', GCS_BUCKET: 'our-media', GCS_PUBLIC_ENDPOINT: 'https://storage.test' }
    const other = await startApi(gcs, { pages: await readBuiltPages(folder) })
    try {
      const { headers } = await other.app.inject({ url: '/dashboard/sign-up', headers: { host: 'api.test' } })
      const policy = headers['content-security-policy']
      expect(policy).toContain(
        "; img-src 'self' https://storage.test/our-media/; media-src 'self' https://storage.test/our-media/ blob:; connect-src 'self' https://storage.test; ",
      )
    } finally {
      await other.close()
    }
  })

  it('leads to the sign-in without a session, and back after it', async () => {
    expect((await get('/dashboard/keys')).headers.location).toBe('/dashboard/sign-in?next=%2Fkeys')
    expect((await get('/dashboard/')).headers.location).toBe('/dashboard')
    const cookie = 'media_timeline.session_token=some'
    expect((await get('/dashboard/keys', { cookie })).statusCode).toBe(200)
  })

  it('is where a browser gets from /, and a program to the reference', async () => {
    const browser = await get('/', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
    expect([browser.statusCode, browser.headers.location, browser.headers['vary']]).toEqual([
      302,
      '/dashboard',
      'accept',
    ])
    for (const accept of ['*/*', 'application/json'])
      expect((await get('/', { accept })).headers.location).toBe('/docs/')
    expect((await get('/')).headers.location).toBe('/docs/')
  })

  it('leads to BASE_URL from the fallback, where no session works', async () => {
    const { headers } = await get('/dashboard/sign-in?next=%2F', { host: 'fallback.test' })
    expect(headers.location).toBe('http://api.test/dashboard/sign-in?next=%2F')
  })

  it('sends files that browsers keep for ever, compressed for those that can', async () => {
    const plain = await get('/dashboard/assets/index-abc.js')
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(plain.headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(plain.body).toBe(script)
    const gzipped = await get('/dashboard/assets/index-abc.js', { 'accept-encoding': 'gzip, br' })
    expect(gzipped.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
    expect(gunzipSync(gzipped.rawPayload).toString()).toBe(script)
  })

  it('answers every other path with the document too, whose script knows the pages', async () => {
    expect((await get('/dashboard/nothing/here')).headers.location).toBe('/dashboard/sign-in?next=%2Fnothing%2Fhere')
    const { statusCode, body } = await get('/dashboard/nothing', { cookie: 'media_timeline.session_token=some' })
    expect([statusCode, body]).toEqual([200, expect.stringContaining('<div id="root">')])
  })

  it.each(['/dashboard/assets/other.js', '/dashboard/assets/..%2Findex.html', '/nothing'])(
    'answers %s with the error envelope',
    async (url) => {
      const { statusCode, body } = await get(url)
      expect([statusCode, JSON.parse(body).error.code]).toEqual([404, 'not_found'])
    },
  )
})
