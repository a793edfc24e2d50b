import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  ApiError,
  FailedError,
  MediaTimeline,
  verifyWebhook,
  WaitTimeoutError,
} from '../../clients/typescript/src/index.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

const closers: (() => void)[] = []
afterAll(() => {
  for (const close of closers) close()
})

/** A service that answers each request with the next of `answers`, and with the last one from then on. */
async function serve(...answers: readonly Answer[]) {
  const seen: { readonly method: string; readonly url: string; readonly headers: IncomingMessage['headers'] }[] = []
  const server = createServer((request, response) => {
    seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers })
    request.resume()
    answers[Math.min(seen.length, answers.length) - 1]?.(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${z.object({ port: z.number() }).parse(server.address()).port}/`
  return { seen, url, client: new MediaTimeline({ apiKey: 'mt_live_1', baseUrl: url }) }
}

const json =
  (status: number, body: object, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
const refusal = (status: number, code: string, headers: Record<string, string> = {}) =>
  json(
    status,
    { error: { code, message: `It is ${code}.`, request_id: 'req_1' } },
    { 'x-request-id': 'req_1', ...headers },
  )
const job = (fields: object) =>
  json(200, { job: { id: 'job_1', endpoint: 'audio/detect-silence', status: 'queued', progress: 0, ...fields } })
/** Its headers, and half of its body. */
const halfOf =
  (text: string): Answer =>
  (_, response) => {
    response.writeHead(200, { 'content-length': text.length }).write(text.slice(0, text.length / 2))
    setTimeout(() => response.destroy(), 20)
  }
const breakOff: Answer = (request) => void request.socket.destroy()

const request = { endpoint: 'audio/detect-silence', media_url: 'https://media.example/a.mp4' } as const

// Side by side, because most of them wait before another try.
describe.concurrent('a request', () => {
  it('is tried again under the same idempotency key when the service is busy or the connection breaks', async () => {
    const { client, seen } = await serve(refusal(503, 'service_unavailable'), breakOff, job({}))
    await expect(client.jobs.create(request)).resolves.toMatchObject({ id: 'job_1' })
    const keys = seen.map(({ headers }) => headers['idempotency-key'])
    expect(keys).toHaveLength(3)
    expect(new Set(keys).size).toBe(1)
    expect(keys[0]).toMatch(/^[\da-f-]{36}$/)
  })

  it('is tried again under the same key when its answer breaks off, and so is an export', async () => {
    const { client, seen } = await serve(
      halfOf('{"job":{"id":"job_1"}}'),
      job({}),
      halfOf('0:00 One'),
      (_, response) => {
        response.end('0:00 One')
      },
    )
    await expect(client.jobs.create(request)).resolves.toMatchObject({ id: 'job_1' })
    expect(new Set(seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
    await expect(client.jobs.export('job_1', 'chapters')).resolves.toBe('0:00 One')
    expect(seen).toHaveLength(4)
  })

  it('whose answer is no JSON is not tried again', async () => {
    const { client, seen } = await serve((_, response) => void response.end('<html>'))
    await expect(client.jobs.get('job_1')).rejects.toThrow('The answer to GET /v1/jobs/job_1 is no JSON.')
    expect(seen).toHaveLength(1)
  })

  it('keeps the key of its caller', async () => {
    const { client, seen } = await serve(job({}))
    await client.jobs.create(request, { idempotencyKey: 'mine' })
    expect(seen[0]?.headers['idempotency-key']).toBe('mine')
  })

  it('waits as long as the service asks for, and no longer than a minute', async () => {
    const { client, seen } = await serve(refusal(429, 'rate_limited', { 'retry-after': '1' }), job({}))
    const began = performance.now()
    await client.jobs.get('job_1')
    expect(performance.now() - began).toBeGreaterThanOrEqual(990)
    const patient = await serve(refusal(429, 'rate_limited', { 'retry-after': '3600' }))
    await expect(patient.client.jobs.get('job_1')).rejects.toMatchObject({
      code: 'rate_limited',
      retryAfterSeconds: 3600,
    })
    expect([seen.length, patient.seen.length]).toEqual([2, 1])
  })

  it('is not tried again when it is refused', async () => {
    const { client, seen } = await serve(refusal(400, 'invalid_request'))
    const failure = await client.jobs.create(request).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ApiError)
    expect(failure).toMatchObject({
      status: 400,
      code: 'invalid_request',
      message: 'It is invalid_request.',
      requestId: 'req_1',
    })
    expect(seen).toHaveLength(1)
  })

  it('follows no redirect, which would carry the key to another host', async () => {
    const other = await serve(job({}))
    const { client } = await serve((_, response) => void response.writeHead(302, { location: other.url }).end())
    await expect(client.jobs.get('job_1')).rejects.toMatchObject({ status: 302 })
    expect(other.seen).toHaveLength(0)
  })

  it.each(['../keys/key_1/revoke?', 'job_1#', '%2e%2e'])('is not sent for what is no id: %s', async (id) => {
    const { client, seen } = await serve(job({}))
    await expect(client.jobs.cancel(id)).rejects.toThrow('contains what is no id')
    expect(seen).toEqual([])
  })

  it('ends when its caller aborts it, without another attempt', async () => {
    const ending = new AbortController()
    const { client, seen } = await serve(() => ending.abort(new Error('enough')))
    await expect(client.jobs.get('job_1', { signal: ending.signal })).rejects.toThrow('enough')
    expect(seen).toHaveLength(1)
  })

  it('takes a time limit of any seconds, such as those of a wait that asks less and less often', async () => {
    const { client } = await serve(job({}))
    await expect(client.jobs.get('job_1', { timeoutSeconds: 22.05475 })).resolves.toMatchObject({ id: 'job_1' })
  })

  it('tells what cannot be reached', async () => {
    const client = new MediaTimeline({ apiKey: 'k', baseUrl: 'http://127.0.0.1:1', maxRetries: 0 })
    await expect(client.jobs.get('job_1')).rejects.toThrow('http://127.0.0.1:1 cannot be reached.')
  })
})

it('the estimate of a job takes its request as it is', async () => {
  let body = ''
  const { client } = await serve((incoming, response) => {
    incoming.on('data', (chunk) => {
      body += String(chunk)
    })
    incoming.on('end', () => response.end('{}'))
  })
  await client.jobs.estimate({ ...request, max_price_usd: 1, callback_url: 'https://me.example/ended' })
  expect(JSON.parse(body)).toEqual(request)
})

it('a list is read page by page by a loop, and its first page by await', async () => {
  const page = (id: string, next?: string) => json(200, { jobs: [{ id }], ...(next && { next_cursor: next }) })
  const { client, seen } = await serve(page('job_1', 'c1'), page('job_2'))
  const ids: string[] = []
  for await (const { id } of client.jobs.list({ metadata: { episode: '12' }, limit: 1 })) ids.push(id)
  expect(ids).toEqual(['job_1', 'job_2'])
  expect(seen.map(({ url }) => url)).toEqual([
    '/v1/jobs?metadata%5Bepisode%5D=12&limit=1',
    '/v1/jobs?metadata%5Bepisode%5D=12&limit=1&cursor=c1',
  ])
  const first = await serve(page('job_3', 'c2'))
  await expect(first.client.jobs.list()).resolves.toEqual({ items: [{ id: 'job_3' }], nextCursor: 'c2' })
})

it('a webhook is not verified with an empty secret, with which everybody can sign', () => {
  const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': `${Math.floor(Date.now() / 1000)}` }
  for (const secret of ['', 'whsec_']) {
    const signed = { ...headers, 'webhook-signature': 'v1,AAAA' }
    expect(() => verifyWebhook('{}', signed, secret)).toThrow('The secret is empty')
  }
})

describe.concurrent('a wait', () => {
  it('ends with the result, and tells its progress', async () => {
    const { client } = await serve(
      job({ progress: 0.5 }),
      job({ status: 'completed', progress: 1, result: { silences: [] } }),
    )
    const told: number[] = []
    const found = await client.jobs.wait('job_1', { onProgress: (part) => told.push(part) })
    expect([found.result, told]).toEqual([{ silences: [] }, [0.5, 1]])
  })

  it('tells the progress of a run by that of its steps', async () => {
    const run = (fields: object) => json(200, { run: { id: 'run_1', status: 'running', ...fields } })
    const [half, whole] = [{ job: { progress: 0.5 } }, { job: { progress: 1 } }]
    const { client } = await serve(run({ steps: [half, {}] }), run({ steps: [whole, whole], status: 'completed' }))
    const told: number[] = []
    await client.workflowRuns.wait('run_1', { onProgress: (part) => told.push(part) })
    expect(told).toEqual([0.25, 1])
  })

  it('asks every two seconds at first if it tells its progress, which a long poll hides until it ends', async () => {
    const { client, seen } = await serve(job({ status: 'completed', result: {} }))
    await client.jobs.wait('job_1', { onProgress: () => {} })
    await client.jobs.wait('job_1')
    expect(seen.map(({ url }) => url)).toEqual(['/v1/jobs/job_1?wait=2', '/v1/jobs/job_1?wait=50'])
  })

  it('outlives a service that restarts', async () => {
    const { client } = await serve(
      ...Array.from({ length: 4 }, () => breakOff),
      job({ status: 'completed', result: {} }),
    )
    await expect(client.jobs.wait('job_1')).resolves.toMatchObject({ status: 'completed' })
  })

  it('throws the error of a job that failed, and names one that was canceled', async () => {
    const failed = await serve(
      job({ status: 'failed', error: { code: 'no_audio_track', message: 'It has no sound.' } }),
    )
    const failure = await failed.client.jobs.wait('job_1').catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(FailedError)
    expect(failure).toMatchObject({ code: 'no_audio_track', id: 'job_1', message: 'It has no sound.' })
    const canceled = await serve(job({ status: 'failed', status_detail: 'canceled' }))
    await expect(canceled.client.jobs.wait('job_1')).rejects.toMatchObject({ code: 'canceled' })
  })

  it('ends after the time of its caller although the service does not answer', async () => {
    const { client, seen } = await serve(() => {})
    await expect(client.jobs.wait('job_1', { timeoutSeconds: 0.2 })).rejects.toThrow(WaitTimeoutError)
    expect(seen).toHaveLength(1)
  })

  it('ends after the time of its caller, and says that the job goes on', async () => {
    const { client } = await serve(job({}))
    await expect(client.jobs.wait('job_1', { timeoutSeconds: 0.2 })).rejects.toThrow(WaitTimeoutError)
  })
})

describe.concurrent('events', () => {
  it('begin now and miss none: not the one of a wait that breaks, nor the next after those of other types', async () => {
    const page = (events: object[], next_after?: string) => json(200, { events, next_after })
    const { client, seen } = await serve(
      ...[
        page([], 'evt_1'),
        breakOff,
        page([{ id: 'evt_2' }], 'evt_2'),
        page([], 'evt_3'),
        page([{ id: 'evt_4' }], 'evt_4'),
      ],
    )
    const ids: string[] = []
    for await (const { id } of client.events({ after: 'latest', type: 'job.completed' })) {
      ids.push(id)
      if (id === 'evt_4') break
    }
    expect(ids).toEqual(['evt_2', 'evt_4'])
    const asked = seen.map(({ url }) => new URL(url, 'http://service').searchParams)
    expect(asked.map((query) => query.get('after'))).toEqual(['latest', 'evt_1', 'evt_1', 'evt_2', 'evt_3'])
    expect(asked.map((query) => query.get('wait'))).toEqual(['0', '50', '50', '50', '50'])
  })

  it('go on with the oldest that is kept when the one before is kept no more, unless only the caller knows it', async () => {
    const gone = refusal(404, 'not_found')
    const { client, seen } = await serve(
      ...[
        json(200, { events: [], next_after: 'evt_1' }),
        gone,
        json(200, { events: [{ id: 'evt_9' }], next_after: 'evt_9' }),
      ],
    )
    for await (const { id } of client.events({ after: 'evt_1' })) {
      expect(id).toBe('evt_9')
      break
    }
    expect(seen.map(({ url }) => new URL(url, 'http://service').searchParams.get('after'))).toEqual([
      'evt_1',
      'evt_1',
      null,
    ])
    const unknown = (await serve(gone)).client.events({ after: 'evt_0' })
    await expect(unknown.next()).rejects.toMatchObject({ code: 'not_found' })
  })
})

it('an upload goes on after what has arrived, part by part, also after a part that was cut off', async () => {
  const bytes = 20 * 2 ** 20
  const part = 8 * 2 ** 20
  let baseUrl = ''
  const session: Answer = (...exchange) =>
    json(201, { upload: { id: 'upl_1', upload_url: `${baseUrl}put`, upload_headers: {} } })(...exchange)
  const has =
    (count: number): Answer =>
    (request, response) =>
      void request.on('end', () => response.writeHead(308, { range: `bytes=0-${count - 1}` }).end())
  const { client, seen, url } = await serve(
    ...[session, has(part), breakOff, has(part + 5), json(200, {}), json(200, { upload: { id: 'upl_1' } })],
  )
  baseUrl = url
  const sent: number[] = []
  const uploaded = await client.uploads.upload(new Blob([new Uint8Array(bytes)]), {
    onProgress: (count) => sent.push(count),
  })
  expect(uploaded).toEqual({ id: 'upl_1' })
  const ranges = seen.flatMap(({ headers }) => headers['content-range'] ?? [])
  const second = `bytes ${part}-${2 * part - 1}/${bytes}`
  expect(ranges).toEqual([
    `bytes 0-${part - 1}/${bytes}`,
    second,
    `bytes */${bytes}`,
    `bytes ${part + 5}-${2 * part + 4}/${bytes}`,
  ])
  expect(sent).toEqual([part, bytes])
})

it('batches and directives are retried, canceled, listed, changed and deleted by their paths', async () => {
  const [batch, directive] = [json(200, { batch: { id: 'bat_1' } }), json(200, { directive: { id: 'dir_1' } })]
  const deleted = json(200, { status: 'deleted' })
  const items = json(200, { items: [{ run_id: 'run_1' }] })
  const { client, seen } = await serve(batch, batch, items, deleted, directive, items, deleted)
  expect(await client.batches.retry('bat_1', { cap_usd: 6 })).toEqual({ id: 'bat_1' })
  expect(await client.batches.cancel('bat_1')).toEqual({ id: 'bat_1' })
  expect((await client.batches.items('bat_1', { status: 'failed' })).items).toEqual([{ run_id: 'run_1' }])
  expect(await client.batches.delete('bat_1')).toEqual({ status: 'deleted' })
  expect(await client.directives.change('dir_1', { enabled: false })).toEqual({ id: 'dir_1' })
  expect((await client.directives.items('dir_1')).items).toEqual([{ run_id: 'run_1' }])
  expect(await client.directives.delete('dir_1')).toEqual({ status: 'deleted' })
  expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'POST /v1/batches/bat_1/retry',
    'POST /v1/batches/bat_1/cancel',
    'GET /v1/batches/bat_1/items?status=failed',
    'DELETE /v1/batches/bat_1',
    'PATCH /v1/directives/dir_1',
    'GET /v1/directives/dir_1/items',
    'DELETE /v1/directives/dir_1',
  ])
})
