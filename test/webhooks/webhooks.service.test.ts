import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startService } from '../e2e/service.ts'
import { speech } from '../fixtures/make.ts'
import { noMcpClients } from '../setup/mcp-clients.ts'
import { untilFound } from '../until-found.ts'
import { startReceiver } from './receiver.ts'
import { acceptedByLibrary, isSignedWith } from './verify.ts'

const receiver = await startReceiver()
const service = await startService({ WEBHOOK_ALLOW_HOSTS: receiver.host }, { upkeepEverySeconds: 1 })
const { baseUrl, client, newAccount, token } = service
afterAll(async () => {
  await service.stop()
  receiver.stop()
})

const made = z.object({ webhook_endpoint: z.object({ id: z.string() }), secret: z.string() })

async function send(path: string, body?: object, method = body ? 'POST' : 'GET') {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: response.status, body: z.record(z.string(), z.unknown()).parse(await response.json()) }
}

const received = (type: string, id: string) =>
  untilFound(() =>
    receiver.received.find(
      ({ body, headers }) => body.includes(`"${type}"`) && `${headers['webhook-id']} ${body}`.includes(id),
    ),
  )

const { webhook_endpoint, secret } = made.parse((await send('/v1/webhook-endpoints', { url: receiver.url })).body)

it('tells of an upload and of the end of its job, signed, and lists both deliveries', async () => {
  const media_url = await client.upload(speech)
  const uploadId = media_url.split('/').at(-1) ?? ''
  const { id } = await client.create({
    endpoint: 'audio/detect-silence',
    media_url,
    metadata: { title: 'Ä 日本 \u2028' },
  })
  const upload = await received('upload.received', uploadId)
  const job = await received('job.completed', id)
  expect([upload, job].map((each) => isSignedWith(secret, each))).toEqual([true, true])
  expect(isSignedWith(secret, { ...job, body: `${job.body} ` })).toBe(false)
  expect(JSON.parse(job.body)).toMatchObject({
    type: 'job.completed',
    data: { id, object: 'job', endpoint: 'audio/detect-silence', status: 'completed', error: null },
  })
  const path = `/v1/webhook-endpoints/${webhook_endpoint.id}/deliveries`
  const listed = await untilFound(async () => {
    const { body } = await send(`${path}?status=delivered`)
    return z.array(z.unknown()).parse(body.deliveries).length >= 2 && body
  })
  expect(listed.deliveries).toMatchObject([
    { event_id: job.headers['webhook-id'], type: 'job.completed', attempts: 1, last_status: 200 },
    { event_id: upload.headers['webhook-id'], type: 'upload.received', attempts: 1, last_status: 200 },
  ])
})

it('sends an event that failed again, with the same id and body', async () => {
  receiver.answerWith((response, { body }, count) => {
    response.statusCode = body.includes('webhook.test') && count % 2 === 0 ? 500 : 204
    response.end()
  })
  const sent = await send(`/v1/webhook-endpoints/${webhook_endpoint.id}/test`, {})
  expect(sent.status).toBe(202)
  const attempts = await untilFound(async () => {
    const found = receiver.received.filter(({ headers }) => headers['webhook-id'] === sent.body.event_id)
    const { body } = await send(`/v1/webhook-endpoints/${webhook_endpoint.id}/deliveries?status=pending`)
    return z.array(z.unknown()).parse(body.deliveries).length === 0 && found.length > 0 && found
  })
  expect(new Set(attempts.map(({ body }) => body)).size).toBe(1)
  expect(attempts.every((each) => isSignedWith(secret, each))).toBe(true)
  receiver.answerWith((response) => response.end())
})

it('lists the same events as a feed, and wakes a wait with the next one', async () => {
  const all = z.object({
    events: z.array(z.looseObject({ id: z.string(), type: z.string() })),
    next_after: z.string().optional(),
  })
  const { events } = all.parse((await send('/v1/events')).body)
  const first = receiver.received[0]
  expect(events.map(({ type }) => type)).toEqual(['upload.received', 'job.completed', 'webhook.test'])
  expect({ ...JSON.parse(first?.body ?? ''), id: first?.headers['webhook-id'] }).toEqual(events[0])
  const waiting = send(`/v1/events?after=${events.at(-1)?.id}&wait=60`)
  const { body } = await send(`/v1/webhook-endpoints/${webhook_endpoint.id}/test`, {})
  expect(all.parse((await waiting).body).events.map(({ id }) => id)).toEqual([body.event_id])

  // From now on, whether something happened before or nothing.
  expect(all.parse((await send('/v1/events?after=latest')).body)).toEqual({ events: [], next_after: body.event_id })
  const idle = await newAccount()
  expect(all.parse((await idle.client.send('GET', '/v1/events?after=latest')).body)).toEqual({ events: [] })
  // What was looked at in vain is not looked at again.
  const none = all.parse((await send('/v1/events?type=job.failed')).body)
  expect(none).toEqual({ events: [], next_after: body.event_id })
})

describe.skipIf(noMcpClients)('the library of Standard Webhooks', () => {
  let current = secret
  it.each(['node', 'python'] as const)(
    'for %s accepts what was sent, in a rotation by either secret, and nothing changed',
    async (language) => {
      const job = await received('job.completed', 'job_')
      const { headers } = job
      const later = String(Number(headers['webhook-timestamp']) + 1)
      const changed = [
        { headers, body: `${job.body} ` },
        { body: job.body, headers: { ...headers, 'webhook-id': 'evt_other' } },
        { body: job.body, headers: { ...headers, 'webhook-timestamp': later } },
      ]
      expect(await acceptedByLibrary(language, secret, [job, ...changed])).toEqual([true, false, false, false])
      const rotated = made.parse((await send(`/v1/webhook-endpoints/${webhook_endpoint.id}/rotate-secret`, {})).body)
      const { body } = await send(`/v1/webhook-endpoints/${webhook_endpoint.id}/test`, {})
      const sent = await received('webhook.test', String(body.event_id))
      const verdicts = [rotated.secret, current].map((each) => acceptedByLibrary(language, each, [sent]))
      expect(await Promise.all(verdicts)).toEqual([[true], [true]])
      current = rotated.secret
    },
  )
})
