import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { codeOf, mediaUrl, useApi } from '../api.ts'

const api = await useApi({ MAX_UPLOAD_BYTES: '1000' })
const account = await api.newAccount()

const json = { 'content-type': 'application/json' }

describe('every response', () => {
  it.each(['/health', '/ready', '/v1/catalog', '/v1/jobs', '/nothing', '/docs/', '/docs/errors', '/openapi.json', '/'])(
    'of %s carries its request id, the version and security headers',
    async (url) => {
      const { headers } = await api.call({ url })
      expect(headers['x-request-id']).toMatch(/^req_[a-zA-Z0-9]{24}$/)
      expect(headers['x-api-version']).toBe('2026-06-09-beta')
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['content-security-policy']).toContain("default-src 'none'")
      expect(headers['access-control-allow-origin']).toBeUndefined()
    },
  )

  it('has its own request id, whatever the client sends', async () => {
    const [one, two] = await Promise.all(
      [1, 2].map(() => api.call({ url: '/health', headers: { 'x-request-id': 'mine' } })),
    )
    expect(one?.headers['x-request-id']).not.toBe(two?.headers['x-request-id'])
    expect(one?.headers['x-request-id']).not.toBe('mine')
    expect(one?.body.request_id).toBe(one?.headers['x-request-id'])
  })

  it('has no body for HEAD', async () => {
    const answer = await api.call({ method: 'HEAD', url: '/v1/catalog' })
    expect([answer.status, answer.text]).toEqual([200, ''])
  })
})

describe('x-api-version', () => {
  it('200 when it is the current one', async () => {
    expect((await api.call({ url: '/v1/catalog', headers: { 'x-api-version': '2026-06-09-beta' } })).status).toBe(200)
  })
  it.each(['2020-01-01', '', '2026-06-09-beta, 2026-06-09-beta'])('400 unsupported_version for %j', async (version) => {
    const answer = await api.call({ url: '/v1/catalog', headers: { 'x-api-version': version } })
    expect([answer.status, codeOf(answer)]).toEqual([400, 'unsupported_version'])
  })
})

describe('paths and methods', () => {
  it.each(['/nope', '/v1', '/v1/jobs/', '/v1/jobs/job_a/b', '/v1/audio/nothing', '//v1/jobs'])(
    '404 not_found for %s',
    async (url) => {
      const answer = await api.call({ method: 'POST', url, payload: 'text', headers: { 'content-type': 'text/plain' } })
      expect([answer.status, codeOf(answer)]).toEqual([404, 'not_found'])
    },
  )

  it('404 as a page where a browser asks outside the API', async () => {
    const ask = (url: string) => api.call({ url, headers: { accept: 'text/html,*/*;q=0.8' } })
    const page = await ask('/nope?a=<b>')
    expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    expect(page.text).toContain('<h1>Page not found</h1>')
    // No dashboard was built.
    expect(page.text).not.toContain('/dashboard')
    for (const url of ['/v1/nope', '/v1', '/mcp/nope', '/oauth/nope'])
      expect([url, codeOf(await ask(url))]).toEqual([url, 'not_found'])
  })

  it.each([
    ['PUT', '/v1/jobs', 'GET, HEAD, OPTIONS, POST'],
    ['PUT', '/v1/jobs/job_abc', 'DELETE, GET, HEAD, OPTIONS'],
    ['GET', '/v1/jobs/job_abc/cancel', 'OPTIONS, POST'],
    ['GET', '/v1/estimate', 'OPTIONS, POST'],
    ['GET', '/v1/audio/detect-silence', 'OPTIONS, POST'],
    ['POST', '/health', 'GET, HEAD, OPTIONS'],
    ['PATCH', '/v1/catalog', 'GET, HEAD, OPTIONS'],
    ['POST', '/storage/uploads/x', 'GET, HEAD, OPTIONS, PUT'],
  ] as const)('405 method_not_allowed for %s %s', async (method, url, allow) => {
    const answer = await api.call({ method, url, payload: 'x' })
    expect([answer.status, codeOf(answer), answer.headers['allow']]).toEqual([405, 'method_not_allowed', allow])
  })

  it('204 with Allow, and no CORS, for OPTIONS', async () => {
    const answer = await api.call({ method: 'OPTIONS', url: '/v1/jobs' })
    expect([answer.status, answer.headers['allow'], answer.text]).toEqual([204, 'GET, HEAD, OPTIONS, POST', ''])
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  })

  it.each(['/v1/jobs/%zz', '/%'])('400 invalid_request for the badly encoded %s', async (url) => {
    const answer = await api.call({ url })
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request'])
    expect(answer.headers['x-api-version']).toBe('2026-06-09-beta')
  })

  it('404 not_found for a media_url, which serves no file', async () => {
    const answer = await api.call({ url: '/v1/media/upl_abc' })
    expect([answer.status, codeOf(answer)]).toEqual([404, 'not_found'])
  })
})

describe('authentication', () => {
  it.each([undefined, '', '   ', 'Bearer', 'bearer '])('401 missing_api_key for %j', async (authorization) => {
    const answer = await api.call({ url: '/v1/jobs', headers: authorization === undefined ? {} : { authorization } })
    expect([answer.status, codeOf(answer)]).toEqual([401, 'missing_api_key'])
    expect(answer.headers['www-authenticate']).toBe('Bearer')
  })

  it.each([
    'Bearer nonsense',
    'Basic dXNlcjpwYXNz',
    'mt_live_x',
    `Bearer mt_con_${'a'.repeat(24)}_${'b'.repeat(43)}`,
    'Bearer a b',
  ])('401 invalid_api_key for %j', async (authorization) => {
    const answer = await api.call({ url: '/v1/jobs', headers: { authorization } })
    expect([answer.status, codeOf(answer)]).toEqual([401, 'invalid_api_key'])
    expect(answer.headers['www-authenticate']).toContain('Bearer')
  })

  it('401 invalid_api_key from the next request after the revocation', async () => {
    const { accountId, keyId, get } = await api.newAccount()
    expect((await get('/v1/jobs')).status).toBe(200)
    await api.db.apiKey.update({ where: { id: keyId, accountId }, data: { revokedAt: new Date() } })
    expect(codeOf(await get('/v1/jobs'))).toBe('invalid_api_key')
  })

  it('accepts the scheme in any case', async () => {
    const answer = await api.call({ url: '/v1/jobs', headers: { authorization: `bEARER ${account.token}` } })
    expect(answer.status).toBe(200)
  })

  it.each(['/v1/jobs', '/v1/uploads/presign', '/v1/audio/detect-silence', '/v1/timeline/merge', '/v1/jobs/x/cancel'])(
    'comes before validation and body reading on %s',
    async (url) => {
      const answer = await api.call({ method: 'POST', url, payload: '{"broken', headers: json })
      expect(codeOf(answer)).toBe('missing_api_key')
    },
  )

  it('403 connector_scope_denied outside the scope of the key', async () => {
    const { keyId, post } = await api.newAccount()
    await api.db.apiKey.update({ where: { id: keyId }, data: { scope: 'video/*' } })
    const denied = await post('/v1/jobs', { endpoint: 'audio/detect-silence', media_url: mediaUrl })
    expect([denied.status, codeOf(denied)]).toEqual([403, 'connector_scope_denied'])
    expect((await post('/v1/jobs', { endpoint: 'video/clip-window', media_url: mediaUrl, start: 0 })).status).toBe(202)
  })
})

describe('bodies', () => {
  it.each([
    ['{"endpoint": ', 'JSON'],
    ['', 'body'],
    ['null', 'body'],
    ['[]', 'body'],
    ['"text"', 'body'],
    ['{"endpoint": "a", "endpoint": "b"}', 'twice'],
    ['{"endpoint": "audio/detect-silence", "settings": {"__proto__": {"x": 1}}}', '__proto__'],
    [`{"settings": ${'['.repeat(50_000)}${']'.repeat(50_000)}}`, 'nested'],
    ['{"media_url": "https://a.example/b.mp4"}', 'endpoint'],
    ['{"endpoint": 5}', 'endpoint'],
    ['{"endpoint": "audio/detect-silence", "media_url": 5}', 'media_url'],
    ['{"endpoint": "audio/detect-silence", "settings": []}', 'settings'],
    ['{"endpoint": "audio/detect-silence", "settings": null}', 'settings'],
    ['{"endpoint": "audio/detect-silence", "start": true}', 'start'],
    ['{"endpoint": "audio/detect-silence", "start": -1}', 'start'],
    ['{"endpoint": "audio/detect-silence", "end": 1e999}', 'end'],
  ])('400 invalid_request for %.60s, naming what is wrong', async (payload, named) => {
    const answer = await account.post('/v1/jobs', payload, json)
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request'])
    expect(answer.body.error.message).toContain(named)
  })

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/xml',
    'application/jsonx',
    'multipart/form-data; boundary=x',
  ])('415 unsupported_content_type for %s', async (type) => {
    const answer = await account.post('/v1/jobs', '{}', { 'content-type': type })
    expect([answer.status, codeOf(answer)]).toEqual([415, 'unsupported_content_type'])
  })

  it('400 invalid_request without a body, saying so', async () => {
    const answer = await account.post('/v1/jobs')
    expect([answer.status, answer.body.error.message]).toEqual([400, 'The request has no body. Send a JSON object.'])
  })

  it('413 payload_too_large above 256 KiB', async () => {
    const answer = await account.post('/v1/jobs', {
      endpoint: 'audio/detect-silence',
      settings: { x: 'y'.repeat(256 * 1024) },
    })
    expect([answer.status, codeOf(answer)]).toEqual([413, 'payload_too_large'])
  })
})

describe('a connection without a readable request', () => {
  it.each([
    ['GET / HTTP/9.9\r\n\r\n', /readable HTTP request/],
    [`GET /health HTTP/1.1\r\nhost: x\r\nx-large: ${'a'.repeat(20_000)}\r\n\r\n`, /headers are too large/],
    [
      'POST /v1/jobs HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n',
      /readable HTTP request/,
    ],
  ])('400 invalid_request for %.40j', async (bytes, message) => {
    const port = await api.listen()
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(bytes)
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 400 /)
    expect(head).toMatch(/x-request-id: req_/)
    expect(JSON.parse(body)).toMatchObject({
      error: { code: 'invalid_request', message: expect.stringMatching(message) },
    })
  })
})

describe('logs', () => {
  it('name the request, its account and its job, and contain no key, media URL or signature', async () => {
    const secret = `https://media.example/private-${Math.random()}.mp4?signature=abc`
    const jobId = await account.create({ media_url: secret, settings: { note: 'private note' } })
    await account.get(`/v1/jobs/${jobId}?wait=0`)
    const lines = api.logLines.join('')
    expect(lines).toContain(`"jobId":"${jobId}"`)
    expect(lines).toContain(`"accountId":"${account.accountId}"`)
    expect(lines).toContain('"route":"/v1/jobs/:job_id"')
    expect(lines).not.toContain(account.token)
    expect(lines).not.toContain('media.example')
    expect(lines).not.toContain('private note')
  })
})
