import { describe, expect, it } from 'vitest'
import { codeOf, startApi, useApi } from '../api.ts'
import { createAgent, protocolVersions } from './agent.ts'

const api = await useApi()

const clientInfo = { name: 'test', version: '1' }

describe.each(protocolVersions)('version %s of the protocol', (version) => {
  const agent = () => createAgent(api, undefined, version)

  it('lists the tools, in JSON', async () => {
    const { status, headers, body } = await agent().send('tools/list')
    expect([status, headers['content-type']]).toEqual([200, expect.stringContaining('application/json')])
    expect(body.result.tools.map(({ name }: { name: string }) => name)).toContain('svc.get_agent_guide')
  })

  it('calls a tool, in JSON', async () => {
    const { status, headers, body } = await agent().callTool('svc.get_agent_guide')
    expect([status, headers['content-type']]).toEqual([200, expect.stringContaining('application/json')])
    expect(body.result.structuredContent.steps.length).toBeGreaterThan(3)
    const { content, structuredContent } = body.result
    expect(content[0]).toEqual({ type: 'text', text: expect.stringContaining('svc.create_job') })
    // Only the version without structured content has the same as JSON in a text.
    expect(content).toHaveLength(version === '2025-03-26' ? 2 : 1)
    for (const { text } of content.slice(1)) expect(JSON.parse(text)).toEqual(structuredContent)
  })

  it("answers an unknown method and an unknown tool with the protocol's errors", async () => {
    expect((await agent().send('tools/destroy')).body.error.code).toBe(-32601)
    expect((await agent().callTool('svc.destroy')).body.error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('Unknown tool: "svc.destroy". tools/list lists'),
    })
    expect((await agent().callTool('svc.creat_job')).body.error).toMatchObject({
      code: -32602,
      message: expect.stringContaining('Unknown tool: "svc.creat_job". Did you mean svc.create_job?'),
    })
    expect((await agent().send('tools/call', {})).body.error.code).toBe(-32602)
    expect((await agent().send('prompts/list')).body.error.code).toBe(-32601)
  })

  it('answers invalid arguments with a result that names the problem', async () => {
    const result = await agent().use('svc.estimate_cost', { media_seconds: 'long' })
    const message = expect.stringMatching(
      /^endpoint: send the id of an endpoint, .* For a chain, use svc\.create_workflow_job: .*; media_seconds: expected number, not string\.$/,
    )
    expect(result).toMatchObject({ isError: true, _meta: { error: { code: 'invalid_request', message } } })
    expect(result.content).toEqual([{ type: 'text', text: expect.stringMatching(/^invalid_request: endpoint: send/) }])
  })
})

describe.each(protocolVersions)('a call in version %s', (version) => {
  it.each(['argumnts', 'Arguments', 'argument', 'args', 'params', 'input'])(
    'with %s is refused: it would run without its arguments',
    async (name) => {
      const { status, body } = await createAgent(api, undefined, version).send('tools/call', {
        name: 'svc.list_endpoints',
        [name]: { group: 'audio' },
      })
      expect([status, body.error]).toEqual([
        200,
        { code: -32602, message: `params: unknown field "${name}". Did you mean arguments?` },
      ])
    },
  )
})

describe('a message for agents', () => {
  const failure = async (name: string, given: object) => {
    const { content } = await createAgent(api, (await api.newAccount()).token).use(`svc.${name}`, given)
    return content[0]?.['text']
  }
  const job = { endpoint: 'audio/detect-silence', media_url: 'https://media.example/a.mp3' }

  it.each([[{ endpoint: 'remove-dead-space' }, /: use svc\.create_workflow_job\. By default, it returns a plan/]])(
    'about %j names tools, and no request of REST',
    async (fields, message) => {
      for (const name of ['create_job', 'check_job_readiness']) {
        const text = await failure(name, { ...job, ...fields })
        expect(text).toMatch(message)
        expect(text).not.toMatch(/\/v1\/|Idempotency-Key/)
      }
    },
  )

  it('names the workflow or the endpoint that was meant', async () => {
    expect(await failure('create_workflow_job', { media_seconds: 60, workflow_id: 'remove-deadspace' })).toMatch(
      /workflow_id: expected one of .*\. Did you mean remove-dead-space\?$/,
    )
    expect(await failure('get_endpoint_schema', { endpoint: 'audio/detect_silence' })).toMatch(
      /Did you mean audio\/detect-silence\?$/,
    )
  })
})

describe('initialize', () => {
  it.each(['2025-03-26', '2025-06-18', '2025-11-25'])('agrees on %s', async (protocolVersion) => {
    const { body } = await createAgent(api).post({
      jsonrpc: '2.0',
      id: 'one',
      method: 'initialize',
      params: { protocolVersion, capabilities: {}, clientInfo },
    })
    expect(body).toMatchObject({
      id: 'one',
      result: { protocolVersion, serverInfo: { name: 'media-timeline' }, capabilities: { tools: {} } },
    })
  })

  it('offers the newest of its generation if the client requests an unknown version', async () => {
    const params = { protocolVersion: '2024-11-05', capabilities: {}, clientInfo }
    const { body } = await createAgent(api).post({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
    expect(body.result.protocolVersion).toBe('2025-11-25')
  })

  it('is followed by a notification, which has no answer', async () => {
    const answer = await createAgent(api).post({ jsonrpc: '2.0', method: 'notifications/initialized' })
    expect([answer.status, answer.text]).toEqual([202, ''])
  })
})

describe('POST /mcp', () => {
  it('discovers in one message, in the newest version', async () => {
    const { body } = await createAgent(api, undefined, '2026-07-28').send('server/discover')
    expect(body.result).toMatchObject({ supportedVersions: ['2026-07-28'], capabilities: { tools: {} } })
  })

  it('answers a batch of messages', async () => {
    const one = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' })
    const { body } = await createAgent(api, undefined, '2025-03-26').post([one(1), one(2)])
    expect(body).toEqual([
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', id: 2, result: {} },
    ])
    const cancellation = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
    const canceled = await createAgent(api, undefined, '2025-03-26').post([one(1), cancellation, one(2)])
    expect(canceled.body).toEqual(body)
    const twice = await createAgent(api, undefined, '2025-03-26').post([one(1), one(2), one(1)])
    const error = { code: -32600, message: 'Two messages of this batch have the same id.' }
    expect([twice.status, twice.body]).toEqual([400, { jsonrpc: '2.0', id: null, error }])
    const many = await createAgent(api).post(Array.from({ length: 11 }, (_, id) => one(id)))
    expect([many.status, codeOf(many)]).toEqual([400, 'invalid_request'])
  })

  it.each([
    ['no JSON', '{"jsonrpc"', 400, 'invalid_request'],
    ['nothing', '', 400, 'invalid_request'],
    ['a text', '"tools/list"', 400, 'invalid_request'],
    ['an empty list', '[]', 400, 'invalid_request'],
    ['a key twice', '{"id":1,"id":2}', 400, 'invalid_request'],
    ['more than it takes', `{"id":"${'a'.repeat(300_000)}"}`, 413, 'payload_too_large'],
  ])('refuses %s with the envelope', async (_what, payload, status, code) => {
    const answer = await createAgent(api).post(payload)
    expect([answer.status, codeOf(answer)]).toEqual([status, code])
  })

  it.each([
    ['another method name', { jsonrpc: '2.0', id: 1, method: 5 }],
    ['another version of JSON-RPC', { jsonrpc: '1.0', id: 1, method: 'ping' }],
    ['an id that is none', { jsonrpc: '2.0', id: {}, method: 'ping' }],
    ['no message', { hello: 'world' }],
    ['params that are none', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: 'svc' }],
  ])('answers %s with an error of the protocol', async (_what, payload) => {
    const { status, body } = await createAgent(api).post(payload)
    expect(status).toBe(400)
    expect(body).toMatchObject({ jsonrpc: '2.0', error: { code: expect.any(Number) } })
  })

  it('refuses a version that it does not speak', async () => {
    const headers = { 'mcp-protocol-version': '1999-01-01' }
    const { status, body } = await createAgent(api).post({ jsonrpc: '2.0', id: 1, method: 'ping' }, headers)
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('2025-11-25')])
  })

  it('ends a subscription with its acknowledgement, because nothing ever changes', async () => {
    const { text } = await createAgent(api, undefined, '2026-07-28').send('subscriptions/listen', {
      notifications: { toolsListChanged: true },
    })
    const [acknowledged, ended] = [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data))
    expect(acknowledged).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: {} },
    })
    expect(ended).toMatchObject({ id: 1, result: { resultType: 'complete' } })
  })
})

describe('a refused key', () => {
  const call = { jsonrpc: '2.0', id: 'seven', method: 'tools/call', params: { name: 'svc.list_jobs' } }

  it('answers 401 with an error of JSON-RPC, whose message says what to send', async () => {
    const { status, headers, body } = await createAgent(api).post(call)
    const data = { code: 'missing_api_key', request_id: headers['x-request-id'], docs_url: expect.any(String) }
    expect([status, body]).toMatchObject([401, { jsonrpc: '2.0', id: 'seven', error: { code: 401, data } }])
    expect(body.error.message).toBe(`missing_api_key: ${body.error.data.message}`)
    expect(body.error.message).toContain('http://api.test/dashboard/connectors')
    expect(body.error.message).toContain('Authorization: Bearer <API_KEY>')
    expect(headers['www-authenticate']).toMatch(/^Bearer resource_metadata=/)
  })

  it('has the id of the request, and none where a number cannot be kept', async () => {
    const idFor = async (id: string) => {
      const payload = JSON.stringify(call).replace('"seven"', id)
      return (await createAgent(api).post(payload)).body.id
    }
    expect([await idFor('9007199254740991'), await idFor('9007199254740993')]).toEqual([9007199254740991, null])
  })

  it('answers so if the key is wrong, and to a batch without an id', async () => {
    const wrong = await createAgent(api, 'mt_live_wrong').post(call)
    const error = { code: 401, message: expect.stringMatching(/^invalid_api_key: .*Use a current one/) }
    expect([wrong.status, wrong.body]).toMatchObject([401, { jsonrpc: '2.0', id: 'seven', error }])
    expect(wrong.headers['www-authenticate']).toMatch(/^Bearer error="invalid_token"/)
    expect((await createAgent(api).post([call])).body).toMatchObject({ id: null, error: { code: 401 } })
  })
})

describe('hosts', () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  const from = (headers: Record<string, string>) => createAgent(api).post(ping, headers)

  it.each(['api.test', 'fallback.test', 'localhost:3000', '127.0.0.1', '[::1]:80'])('answers for %s', async (host) => {
    expect((await from({ host })).status).toBe(200)
  })

  it.each(['evil.test', 'api.test.evil.test'])('does not answer for %j', async (host) => {
    const answer = await from({ host })
    expect([answer.status, codeOf(answer)]).toEqual([403, 'csrf_failed'])
  })

  it.each(['http://api.test', 'https://fallback.test', 'http://localhost:6274'])(
    'answers pages of %s, and lets them read the answer',
    async (origin) => {
      const answer = await from({ origin })
      expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, origin])
    },
  )

  it.each(['http://evil.test', 'null', 'http://localhost.evil.test'])('does not answer pages of %s', async (origin) => {
    const answer = await from({ origin })
    expect([answer.status, codeOf(answer)]).toEqual([403, 'csrf_failed'])
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  })

  it('answers the preflight of a known page', async () => {
    const headers = { origin: 'http://localhost:6274', 'access-control-request-headers': 'authorization, mcp-method' }
    const answer = await api.call({ method: 'OPTIONS', url: '/mcp', headers })
    expect([answer.status, answer.headers['access-control-allow-headers']]).toEqual([204, 'authorization, mcp-method'])
    const refused = await api.call({
      method: 'OPTIONS',
      url: '/mcp',
      headers: { ...headers, origin: 'http://evil.test' },
    })
    expect(refused.status).toBe(403)
  })
})

it.each(['2025-11-25', '2026-07-28'] as const)(
  'a call of version %s that waits is answered when the server closes',
  async (version) => {
    const closing = await startApi()
    const { create, token } = await closing.newAccount()
    const jobId = await create()
    const waiting = createAgent(closing, token, version).use('svc.get_job', { job_id: jobId, wait_seconds: 30 })
    await expect.poll(() => closing.waits.size, { timeout: 60_000 }).toBe(1)
    await closing.app.close()
    expect((await waiting).structuredContent['job']).toMatchObject({ id: jobId, status: 'queued' })
    await closing.close()
  },
)
