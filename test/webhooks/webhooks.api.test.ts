import { expect, it } from 'vitest'
import { settleJob } from '../../src/jobs/settle-job.ts'
import { useApi } from '../api/api.ts'
import { createAgent } from '../api/mcp/agent.ts'

const api = await useApi()
const owner = await api.newAccount()
const stranger = await api.newAccount()
const { body } = await owner.post('/v1/webhook-endpoints', { url: 'https://receiver.example/hook' })
const path = `/v1/webhook-endpoints/${body.webhook_endpoint.id}`
const eventId = (await owner.post(`${path}/test`, {})).body.event_id

it('nobody reads, changes, tests or replays what is another account’s', async () => {
  const before = await owner.get(path)
  const own = await stranger.post('/v1/webhook-endpoints', { url: 'https://stranger.example/hook' })
  const answers = await Promise.all([
    stranger.get(path),
    stranger.patch(path, { url: 'https://stranger.example/hook' }),
    api.call({ method: 'DELETE', url: path }, stranger.token),
    stranger.post(`${path}/rotate-secret`, {}),
    stranger.post(`${path}/test`, {}),
    stranger.post(`${path}/replay`, {}),
    stranger.post(`/v1/webhook-endpoints/${own.body.webhook_endpoint.id}/replay`, { after: eventId }),
    stranger.get(`${path}/deliveries`),
    stranger.get(`/v1/events/${eventId}`),
    stranger.get(`/v1/events?after=${eventId}`),
    stranger.post(`/v1/events/${eventId}/replay`, {}),
    stranger.post(`/v1/events/${eventId}/replay`, { webhook_endpoint_id: own.body.webhook_endpoint.id }),
    owner.post(`/v1/events/${eventId}/replay`, { webhook_endpoint_id: own.body.webhook_endpoint.id }),
  ])
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
  expect((await stranger.get('/v1/events')).body.events).toEqual([])
  expect((await owner.get(path)).body.webhook_endpoint).toEqual(before.body.webhook_endpoint)
  expect((await owner.get(`${path}/deliveries`)).body.deliveries).toMatchObject([{ event_id: eventId, attempts: 0 }])
})

it('a misspelt field is refused with its name, and changes nothing', async () => {
  const before = await owner.get(path)
  const answers = await Promise.all([
    owner.post('/v1/webhook-endpoints', { url: 'https://receiver.example/', event_type: ['job.completed'] }),
    owner.post('/v1/webhook-endpoints', { url: 'https://receiver.example/', event_types: ['job.complete'] }),
    owner.patch(path, { state: 'paused' }),
    owner.patch(path, { status: 'pause' }),
    owner.post(`${path}/replay`, { form: '2026-01-01T00:00:00Z' }),
    owner.post(`${path}/replay`, { status: 'pending' }),
    owner.post(`${path}/replay`, { after: 'latest' }),
    owner.post(`/v1/events/${eventId}/replay`, { webhook_endpoint: path }),
  ])
  const fields = ['event_type', 'event_types[0]', 'state', 'status', 'form', 'status', 'after', 'webhook_endpoint']
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 400))
  expect(answers.map(({ body }) => body.error.message)).toEqual(fields.map((field) => expect.stringContaining(field)))
  expect((await owner.get(path)).body.webhook_endpoint).toEqual(before.body.webhook_endpoint)
  expect((await owner.get('/v1/webhook-endpoints')).body.webhook_endpoints).toHaveLength(1)
})

it('a replay since a time that no clock shows has nothing to send', async () => {
  const { status, body } = await owner.post(`${path}/replay`, { since: '9999-12-31T23:59:59-23:59' })
  expect([status, body.replayed]).toEqual([202, 0])
})

it('a webhook endpoint that is deleted meanwhile is not found, by any request', async () => {
  const wanted = { url: 'https://receiver.example/' }
  const made = await Promise.all(Array.from({ length: 8 }, () => stranger.post('/v1/webhook-endpoints', wanted)))
  const statuses = made.map(async ({ body }) => {
    const own = `/v1/webhook-endpoints/${body.webhook_endpoint.id}`
    const answers = await Promise.all([
      stranger.patch(own, wanted),
      stranger.post(`${own}/rotate-secret`, {}),
      stranger.post(`${own}/replay`, {}),
      api.call({ method: 'DELETE', url: own }, stranger.token),
      stranger.patch(own, { status: 'active' }),
      stranger.post(`${own}/rotate-secret`, {}),
    ])
    return answers.map(({ status }) => status)
  })
  const wrong = (await Promise.all(statuses)).flat().filter((status) => ![200, 202, 404, 429].includes(status))
  expect(wrong).toEqual([])
})

it('an agent creates, tests, pauses and lists them by one tool, of its own account alone', async () => {
  const account = await api.newAccount()
  const use = (given: object) => createAgent(api, account.token).use('svc.manage_webhooks', given)
  const made = await use({ url: 'https://receiver.example/hook', event_types: ['job.completed'], send_test: true })
  const [endpoint] = made.structuredContent['webhook_endpoints']
  expect(made.structuredContent).toMatchObject({
    webhook_endpoints: [{ url: 'https://receiver.example/hook', event_types: ['job.completed'], status: 'active' }],
    secret: expect.stringMatching(/^whsec_/),
    test_event_id: expect.stringMatching(/^evt_/),
  })
  const paused = await use({ webhook_endpoint_id: endpoint.id, status: 'paused' })
  expect(paused.structuredContent).toEqual({ webhook_endpoints: [{ ...endpoint, status: 'paused' }] })
  expect((await use({})).structuredContent).toEqual(paused.structuredContent)
  const refused = [{ status: 'active' }, { send_test: true }, { url: 'https://10.0.0.1/' }, { urls: 'x' }]
  for (const given of refused)
    expect((await createAgent(api, account.token).callTool('svc.manage_webhooks', given)).body.result).toMatchObject({
      isError: true,
      _meta: { error: { code: 'invalid_request' } },
    })
  const another = { webhook_endpoint_id: path.split('/').at(-1) }
  for (const given of [another, { ...another, status: 'paused' }, { ...another, send_test: true }]) {
    const other = await createAgent(api, account.token).callTool('svc.manage_webhooks', given)
    expect(other.body.result._meta.error.code).toBe('not_found')
  }
})

it('a reader goes on after an event whose job was deleted, of which nothing is read or sent again', async () => {
  const account = await api.newAccount()
  const { body } = await account.post('/v1/webhook-endpoints', { url: 'https://receiver.example/hook' })
  const { id } = body.webhook_endpoint
  const silence = { endpoint: 'audio/detect-silence', media_url: 'https://media.example/talk.mp3' }
  const endJob = async () => {
    const { job_id } = (await account.post('/v1/jobs', silence)).body
    await settleJob(api.db, job_id, { code: 'timed_out', message: 'Too long.' })
    return job_id
  }
  const jobId = await endJob()
  const { events, next_after: after } = (await account.get('/v1/events')).body
  expect(events).toMatchObject([{ data: { id: jobId } }])
  await api.call({ method: 'DELETE', url: `/v1/jobs/${jobId}` }, account.token)

  expect((await account.get('/v1/events')).body.events).toEqual([])
  expect((await account.get('/v1/events?after=latest')).body.next_after).toBe(after)
  expect((await account.get(`/v1/events/${after}`)).status).toBe(404)
  expect((await account.post(`/v1/events/${after}/replay`, {})).status).toBe(404)
  expect((await account.post(`/v1/webhook-endpoints/${id}/replay`, {})).body.replayed).toBe(0)
  const later = await endJob()
  expect((await account.get(`/v1/events?after=${after}`)).body.events).toMatchObject([{ data: { id: later } }])
  expect((await account.get(`/v1/webhook-endpoints/${id}/deliveries`)).body.deliveries).toHaveLength(1)
  expect(await api.db.event.findUniqueOrThrow({ where: { id: after } })).toMatchObject({ payload: '' })
})
