import { Client, Connection } from '@temporalio/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { dayMs } from '../../src/core/time-code.ts'
import { billableActions } from '../e2e/billable-actions.ts'
import { startService } from '../e2e/service.ts'
import { storedEvents } from '../replay/stored-history.ts'
import { temporalAddress } from '../setup/temporal.ts'
import { startUpkeepPass } from '../upkeep-pass.ts'
import { startReceiver } from './receiver.ts'
import { isSignedWith } from './verify.ts'

const receiver = await startReceiver()
// The test itself makes time pass.
const service = await startService({ WEBHOOK_ALLOW_HOSTS: receiver.host }, { upkeepEverySeconds: 3_600 })
const { db } = service
let connection: Connection
beforeAll(async () => {
  connection = await Connection.connect({ address: temporalAddress })
})
afterAll(async () => {
  await connection.close()
  await service.stop()
  receiver.stop()
})

const temporal = () => new Client({ connection, namespace: service.environment['TEMPORAL_NAMESPACE'] ?? '' })

const made = z.object({ webhook_endpoint: z.object({ id: z.string() }), secret: z.string() })
const minuteMs = 60_000

/** A webhook endpoint of an account with this many events, of which it has got none. */
async function newEndpoint(events: number) {
  const { accountId, client } = await service.newAccount()
  const wanted = { url: receiver.url, event_types: ['job.completed'] }
  const { webhook_endpoint, secret } = made.parse((await client.send('POST', '/v1/webhook-endpoints', wanted)).body)
  const { id } = webhook_endpoint
  const prefix = `evt_${accountId.slice(-16)}`
  await db.$executeRaw`INSERT INTO events (id, account_id, type, subject_id, payload)
    SELECT ${prefix} || lpad(n::text, 8, '0'), ${accountId}, 'job.completed', ${prefix} || n, '{"type":"job.completed","data":{"n":' || n || '}}'
    FROM generate_series(1, ${events}::int) AS n`
  receiver.received.length = 0
  const replayed = await client.send('POST', `/v1/webhook-endpoints/${id}/replay`, {})
  expect(replayed.body).toMatchObject({ replayed: events })
  return { id, secret, accountId, client }
}

type Endpoint = Awaited<ReturnType<typeof newEndpoint>>

/** Until nothing more is sent now. */
async function settled({ id }: Endpoint): Promise<void> {
  await temporal().workflow.getHandle(`webhooks/${id}`).result()
}

/** Makes what is planned as much earlier as if this time had passed, and runs upkeep. */
async function pass(milliseconds: number, endpoint: Endpoint): Promise<void> {
  const seconds = milliseconds / 1000
  await db.$executeRaw`UPDATE webhook_endpoints SET retry_at = retry_at - make_interval(secs => ${seconds}),
    failing_since = failing_since - make_interval(secs => ${seconds}) WHERE id = ${endpoint.id}`
  await db.$executeRaw`UPDATE webhook_deliveries SET next_attempt_at = next_attempt_at - make_interval(secs => ${seconds})
    WHERE endpoint_id = ${endpoint.id} AND status = 'pending'`
  await (await startUpkeepPass(temporal())).result()
  await settled(endpoint)
}

const countOf = ({ id }: Endpoint, status: 'pending' | 'delivered' | 'canceled') =>
  db.delivery.count({ where: { endpointId: id, status } })

const fail: Parameters<typeof receiver.answerWith>[0] = (response) => response.writeHead(500).end()
const hangUp: typeof fail = (response) => response.destroy()
const accept: typeof fail = (response) => response.end()
/** Longer than the longest pause between two tries of an endpoint. */
const pauseMs = 33 * minuteMs

const idsOf = (requests: typeof receiver.received) => new Set(requests.map(({ headers }) => headers['webhook-id']))

describe('every event arrives', () => {
  it('at a receiver that was down for an hour', async () => {
    receiver.answerWith(hangUp)
    const endpoint = await newEndpoint(40)
    await settled(endpoint)
    for (const minutes of [6, 33, 33]) await pass(minutes * minuteMs, endpoint)
    expect(await countOf(endpoint, 'pending')).toBe(40)
    const refused = receiver.received.length
    receiver.answerWith(accept)
    for (let hours = 0; (await countOf(endpoint, 'pending')) > 0; hours += 1) {
      expect(hours).toBeLessThan(6)
      await pass(60 * minuteMs, endpoint)
    }
    const accepted = receiver.received.slice(refused)
    expect([accepted.length, idsOf(accepted).size]).toEqual([40, 40])
    expect(accepted.every((each) => isSignedWith(endpoint.secret, each))).toBe(true)
  })

  it('at a receiver that answers half of the requests with 500', async () => {
    const accepted = new Set<unknown>()
    receiver.answerWith((response, request, count) => {
      if (count % 2 === 0) return fail(response, request, count)
      accepted.add(request.headers['webhook-id'])
      return accept(response, request, count)
    })
    const endpoint = await newEndpoint(40)
    await settled(endpoint)
    for (let passes = 0; (await countOf(endpoint, 'pending')) > 0; passes += 1) {
      expect(passes).toBeLessThan(40)
      await pass(pauseMs, endpoint)
    }
    expect([accepted.size, await countOf(endpoint, 'delivered')]).toEqual([40, 40])
  })

  it('at a slow receiver, once, four at a time', async () => {
    let open = 0
    let most = 0
    receiver.answerWith((response) => {
      open += 1
      most = Math.max(most, open)
      setTimeout(() => {
        open -= 1
        response.end()
      }, 500)
    })
    const endpoint = await newEndpoint(12)
    await settled(endpoint)
    expect([receiver.received.length, await countOf(endpoint, 'delivered'), most]).toEqual([12, 12, 4])
  })
})

it('a receiver that answers 410 gets nothing more', async () => {
  receiver.answerWith((response) => response.writeHead(410).end())
  const endpoint = await newEndpoint(20)
  await settled(endpoint)
  expect([receiver.received.length, await countOf(endpoint, 'canceled')]).toEqual([4, 20])
  await pass(pauseMs, endpoint)
  expect(receiver.received.length).toBe(4)
  expect((await endpoint.client.send('GET', `/v1/webhook-endpoints/${endpoint.id}`)).body).toMatchObject({
    webhook_endpoint: { status: 'disabled', disabled_reason: 'gone' },
  })
})

it('10,000 events to a dead receiver cost two actions every half an hour for five days, and then nothing', async () => {
  receiver.answerWith(hangUp)
  const endpoint = await newEndpoint(10_000)
  await settled(endpoint)
  const [first, probes] = [receiver.received.length, 20]
  for (let probe = 0; probe < probes; probe += 1) await pass(pauseMs, endpoint)
  expect(receiver.received.length - first).toBe(probes)
  await pass(5 * dayMs, endpoint)
  await pass(pauseMs, endpoint)
  expect(receiver.received.length - first).toBe(probes + 1)
  const { workflow } = temporal()
  const actions: string[] = []
  for await (const { workflowId, runId } of workflow.list({ query: `WorkflowId = 'webhooks/${endpoint.id}'` }))
    actions.push(...billableActions(storedEvents(await workflow.getHandle(workflowId, runId).fetchHistory())))
  // The first workflow also waits for five seconds, and tries again.
  expect(actions.length).toBe(2 * (probes + 2) + 2)
  expect(await countOf(endpoint, 'canceled')).toBe(10_000)
  const notices = await db.notice.findMany({ where: { accountId: endpoint.accountId }, orderBy: { createdAt: 'asc' } })
  expect(notices.map(({ kind }) => kind)).toEqual(['webhook_created', 'webhook_disabled'])
})
