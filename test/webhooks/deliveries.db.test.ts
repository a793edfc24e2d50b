import { afterAll, describe, expect, it } from 'vitest'
import { revokeAllKeys } from '../../src/accounts/keys.ts'
import { makeKey } from '../../src/accounts/make-key.ts'
import { createAccount } from '../../src/accounts/own-account.ts'
import { dayMs } from '../../src/core/time-code.ts'
import { openDatabase } from '../../src/db/database.ts'
import { deleteJob } from '../../src/jobs/delete.ts'
import { settleJob } from '../../src/jobs/settle-job.ts'
import {
  type Attempted,
  findDue,
  findDueEndpoints,
  recordAnswers,
  validSecrets,
} from '../../src/webhooks/deliveries.ts'
import {
  changeWebhookEndpoint,
  createWebhookEndpoint,
  findOldSeals,
  resealSecrets,
  rotateWebhookSecret,
} from '../../src/webhooks/endpoints.ts'
import { deleteOldEvents, findNewestEvent, listEvents } from '../../src/webhooks/events.ts'
import { replayDeliveries, replayEvent, writeTestEvent } from '../../src/webhooks/replay.ts'
import type { DeliveryAnswer } from '../../src/webhooks/send-webhook.ts'
import { acceptClip, draftClip } from '../billing/jobs.ts'
import { createTestDatabase } from '../setup/database.ts'

const database = await createTestDatabase()
const db = openDatabase(database.url)
afterAll(async () => {
  await db.$disconnect()
  await database.drop()
})

const signing = { SIGNING_KEY_ID: '1', SIGNING_SECRET: 'a secret of the tests, 32 characters' }

async function newEndpoint() {
  const accountId = await createAccount(db, 'webhooks')
  const wanted = { accountId, url: 'https://receiver.example/hook', description: '', eventTypes: [] }
  const { endpoint, secret } = await createWebhookEndpoint(db, signing, wanted)
  return { accountId, id: endpoint.id, secret }
}

/** Answers everything that is due at the endpoint, at a time. */
async function answerDue(id: string, answer: DeliveryAnswer, now = new Date()) {
  const batch = await findDue(db, id)
  if (!batch) return undefined
  const deliveries: Attempted[] = batch.deliveries.map((delivery) => ({ ...delivery, answer }))
  return { count: deliveries.length, next: await recordAnswers(db, { endpoint: batch.endpoint, deliveries, now }) }
}

const refused = { failure: 'unreachable' } as const

/** As if this much time had passed. */
async function makeDue(id: string) {
  await db.webhookEndpoint.updateMany({ where: { id }, data: { retryAt: null } })
  await db.delivery.updateMany({ where: { endpointId: id }, data: { nextAttemptAt: new Date(0) } })
}

const statusesOf = async (endpointId: string) =>
  (await db.delivery.findMany({ where: { endpointId }, orderBy: { createdAt: 'asc' } })).map(({ status }) => status)

describe('the end of a job', () => {
  it('writes its event and the deliveries once, although it repeats', async () => {
    const { accountId, id } = await newEndpoint()
    const other = await newEndpoint()
    const { job } = await acceptClip(db, accountId, { seconds: 1 })
    await draftClip(db, job.id, 1_000)
    const ended = await settleJob(db, job.id)
    expect(ended.endpointIds).toEqual([id])
    expect((await settleJob(db, job.id)).endpointIds).toEqual([])
    const [event, ...more] = await listEvents(db, accountId, { types: [], limit: 10 })
    expect([event?.type, event?.subjectId, more]).toEqual(['job.completed', job.id, []])
    expect(JSON.parse(event?.payload ?? '').data).toMatchObject({
      id: job.id,
      endpoint: 'video/clip-window',
      run_id: null,
    })
    expect(await statusesOf(id)).toEqual(['pending'])
    expect(await statusesOf(other.id)).toEqual([])
  })

  it('has a type of its own if it was canceled, and none for who does not take it', async () => {
    const { accountId, id } = await newEndpoint()
    await changeWebhookEndpoint(db, { accountId }, id, { eventTypes: ['job.completed', 'job.failed'] })
    const { job } = await acceptClip(db, accountId, { seconds: 1 })
    const ended = await settleJob(db, job.id, { code: 'canceled', message: 'Canceled.' })
    expect(ended.endpointIds).toEqual([])
    expect((await listEvents(db, accountId, { types: [], limit: 10 })).map(({ type }) => type)).toEqual([
      'job.canceled',
    ])
  })

  it('tells nobody of a deleted job', async () => {
    const { accountId } = await newEndpoint()
    const { job } = await acceptClip(db, accountId, { seconds: 1 })
    await db.job.update({ where: { id: job.id }, data: { deletedAt: new Date() } })
    expect((await settleJob(db, job.id)).endpointIds).toEqual([])
    expect(await listEvents(db, accountId, { types: [], limit: 10 })).toEqual([])
  })
})

describe('a webhook endpoint that fails', () => {
  it('is sent one delivery at a time, later and later, and after a success what was not attempted', async () => {
    const { accountId, id } = await newEndpoint()
    for (let count = 0; count < 6; count += 1) await writeTestEvent(db, accountId, id)
    const began = Date.now()
    const first = await answerDue(id, refused)
    expect(first?.count).toBe(4)
    expect(first?.next?.getTime()).toBeGreaterThan(began + 4_000)
    // Not before the endpoint may be tried again.
    expect(await findDue(db, id)).toBeUndefined()
    await makeDue(id)
    expect((await findDueEndpoints(db, { limit: 10 })).map((each) => each.id)).toContain(id)
    const second = await answerDue(id, refused)
    expect(second?.count).toBe(1)
    expect(second?.next?.getTime()).toBeGreaterThan(began + 4 * 60_000)
    await makeDue(id)
    await answerDue(id, { status: 204 })
    expect((await answerDue(id, { status: 200 }))?.count).toBe(4)
    expect((await answerDue(id, { status: 200 }))?.next).toBeUndefined()
    expect(await statusesOf(id)).toEqual(Array(6).fill('delivered'))
  })

  it('keeps the attempts of an event that always fails apart in time, while others succeed', async () => {
    const { accountId, id } = await newEndpoint()
    const refusedId = await writeTestEvent(db, accountId, id)
    await answerDue(id, refused)
    for (let count = 0; count < 12; count += 1) {
      await writeTestEvent(db, accountId, id)
      await db.event.updateMany({ where: { accountId }, data: { createdAt: new Date(0) } })
      await db.webhookEndpoint.update({ where: { id }, data: { retryAt: null } })
      await answerDue(id, { status: 200 })
    }
    const delivery = await db.delivery.findFirst({ where: { endpointId: id, eventId: refusedId } })
    expect(delivery).toMatchObject({ status: 'pending', attempts: 1 })
  })

  it('begins anew with a new URL, whatever an attempt at the old one answers', async () => {
    const { accountId, id } = await newEndpoint()
    await writeTestEvent(db, accountId, id)
    const batch = await findDue(db, id)
    await changeWebhookEndpoint(db, { accountId }, id, { url: 'https://other.example/hook' })
    const answer = { status: 410, failure: 'status' } as const
    const deliveries = batch?.deliveries.map((delivery) => ({ ...delivery, answer })) ?? []
    if (batch) await recordAnswers(db, { endpoint: batch.endpoint, deliveries })
    const row = await db.webhookEndpoint.findUniqueOrThrow({ where: { id } })
    expect([row.status, row.failures, await statusesOf(id)]).toEqual(['active', 0, ['pending']])
  })

  it('gives a delivery ten attempts', async () => {
    const { accountId, id } = await newEndpoint()
    await writeTestEvent(db, accountId, id)
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      expect(await statusesOf(id)).toEqual(['pending'])
      await makeDue(id)
      await answerDue(id, refused)
    }
    expect(await statusesOf(id)).toEqual(['failed'])
    expect(await db.delivery.findFirst({ where: { endpointId: id } })).toMatchObject({
      attempts: 10,
      lastError: 'unreachable',
    })
  })

  it('waits as long as the receiver asks, a day at most', async () => {
    const { accountId, id } = await newEndpoint()
    await writeTestEvent(db, accountId, id)
    const asked = await answerDue(id, { status: 503, failure: 'status', retryAfterMs: 3_600_000 })
    expect(asked?.next?.getTime()).toBeGreaterThan(Date.now() + 3_590_000)
    await makeDue(id)
    const much = await answerDue(id, { status: 503, failure: 'status', retryAfterMs: 30 * dayMs })
    expect(much?.next?.getTime()).toBeLessThanOrEqual(Date.now() + dayMs)
  })

  it('is disabled at once by 410, and its deliveries are canceled, with a notice', async () => {
    const { accountId, id } = await newEndpoint()
    await writeTestEvent(db, accountId, id)
    await answerDue(id, { status: 410, failure: 'status' })
    const row = await db.webhookEndpoint.findUniqueOrThrow({ where: { id } })
    expect([row.status, row.disabledReason, await statusesOf(id)]).toEqual(['disabled', 'gone', ['canceled']])
    expect(await noticesOf(accountId)).toEqual(['webhook_created', 'webhook_disabled'])
    await expect(writeTestEvent(db, accountId, id)).rejects.toMatchObject({ code: 'conflict' })
    // Enabled again, it gets nothing by itself, and what is asked for.
    await changeWebhookEndpoint(db, { accountId }, id, { status: 'active' })
    expect(await findDue(db, id)).toBeUndefined()
  })

  it('is reported after a day, once, and disabled after five', async () => {
    const { accountId, id } = await newEndpoint()
    await writeTestEvent(db, accountId, id)
    const at = (days: number) => new Date(Date.now() + days * dayMs)
    for (const days of [0, 1.1, 1.2, 4.9, 5.1]) {
      await makeDue(id)
      await answerDue(id, refused, at(days))
    }
    expect(await noticesOf(accountId)).toEqual(['webhook_created', 'webhook_failing', 'webhook_disabled'])
    expect((await db.webhookEndpoint.findUniqueOrThrow({ where: { id } })).disabledReason).toBe('failing')
  })
})

async function noticesOf(accountId: string): Promise<string[]> {
  const notices = await db.notice.findMany({ where: { accountId }, orderBy: { createdAt: 'asc' } })
  return notices.map(({ kind }) => kind)
}

it('is tested ten times a minute at most, and never by a suspended account, to which nothing is sent', async () => {
  const { accountId, id } = await newEndpoint()
  for (let count = 0; count < 10; count++) await writeTestEvent(db, accountId, id)
  await expect(writeTestEvent(db, accountId, id)).rejects.toMatchObject({ code: 'rate_limited' })
  expect(await findDue(db, id)).toBeDefined()
  await db.account.update({ where: { id: accountId }, data: { suspendedAt: new Date() } })
  await expect(writeTestEvent(db, accountId, id)).rejects.toMatchObject({ code: 'account_suspended' })
  expect(await findDue(db, id)).toBeUndefined()
})

it('is paused when all keys of its account are revoked, of which one may have created it', async () => {
  const { accountId, id } = await newEndpoint()
  await revokeAllKeys(db, accountId)
  expect((await db.webhookEndpoint.findUniqueOrThrow({ where: { id } })).status).toBe('paused')
})

it('is made and changed by nobody whose key was revoked meanwhile', async () => {
  const { accountId, id } = await newEndpoint()
  const { keyId } = await makeKey(db, { accountId, name: 'stolen' })
  const thief = { accountId, keyId }
  await changeWebhookEndpoint(db, thief, id, { status: 'active' })
  await revokeAllKeys(db, accountId)
  const wanted = { url: 'https://thief.example/', description: '', eventTypes: [] }
  for (const attempt of [
    () => createWebhookEndpoint(db, signing, { ...thief, ...wanted }),
    () => changeWebhookEndpoint(db, thief, id, { status: 'active' }),
    () => rotateWebhookSecret(db, signing, thief, id),
  ])
    await expect(attempt()).rejects.toMatchObject({ code: 'invalid_api_key' })
  expect((await db.webhookEndpoint.findMany({ where: { accountId } })).map(({ status }) => status)).toEqual(['paused'])
})

it('changes its address at most a thousand times a day, because each is announced: by keys, and by the owner', async () => {
  const { accountId, id } = await newEndpoint()
  const { keyId } = await makeKey(db, { accountId, name: 'stolen' })
  const byKey = async (url: string) => changeWebhookEndpoint(db, { accountId, keyId }, id, { url })
  await byKey('https://thief.example/')
  await db.quotaWindow.updateMany({ where: { subject: `changes/${accountId}/keys` }, data: { used: 1_000 } })
  await expect(byKey('https://other.example/')).rejects.toMatchObject({ code: 'rate_limited' })
  await changeWebhookEndpoint(db, { accountId }, id, { url: 'https://mine.example/' })
  await db.quotaWindow.updateMany({ where: { subject: `changes/${accountId}` }, data: { used: 1_000 } })
  await expect(changeWebhookEndpoint(db, { accountId }, id, { url: 'https://other.example/' })).rejects.toMatchObject({
    code: 'rate_limited',
  })
  const webhooks = (await noticesOf(accountId)).filter((kind) => kind === 'webhook_created')
  expect(webhooks).toHaveLength(3)
  expect((await changeWebhookEndpoint(db, { accountId }, id, { status: 'paused' })).status).toBe('paused')
})

it('is announced at its creation and at each other address, not at another path of it, which the notice does not name', async () => {
  const { accountId, id } = await newEndpoint()
  const { url } = await db.webhookEndpoint.findUniqueOrThrow({ where: { id } })
  await changeWebhookEndpoint(db, { accountId }, id, { url })
  await changeWebhookEndpoint(db, { accountId }, id, { url: new URL('/another', url).href })
  expect(await noticesOf(accountId)).toEqual(['webhook_created'])
  await changeWebhookEndpoint(db, { accountId }, id, { url: 'https://other.example/hook' })
  expect(await noticesOf(accountId)).toEqual(['webhook_created', 'webhook_created'])
})

describe('what upkeep finds due', () => {
  const due = async (limit: number) => (await findDueEndpoints(db, { limit })).map(({ id }) => id)

  it('is of each account in turn, longest due first, however many callbacks of one are due', async () => {
    await db.delivery.deleteMany()
    const [many, one] = [await newEndpoint(), await newEndpoint()]
    await db.$executeRaw`INSERT INTO webhook_endpoints (id, account_id, subject_id, url, secret, event_types)
      SELECT 'whc_due' || n, ${many.accountId}, 'job_due' || n, 'https://hangs.example/', '', '{}' FROM generate_series(1, 40) AS n`
    await db.$executeRaw`INSERT INTO events (id, account_id, type, subject_id, payload)
      VALUES ('evt_due', ${many.accountId}, 'job.completed', 'job_due', '{}')`
    await db.$executeRaw`INSERT INTO webhook_deliveries (endpoint_id, event_id, next_attempt_at)
      SELECT id, 'evt_due', now() - interval '1 hour' FROM webhook_endpoints WHERE account_id = ${many.accountId} AND id <> ${many.id}`
    await writeTestEvent(db, one.accountId, one.id)
    await db.delivery.update({
      where: { endpointId_eventId: { endpointId: 'whc_due7', eventId: 'evt_due' } },
      data: { nextAttemptAt: new Date(0) },
    })
    expect(await due(2)).toEqual(['whc_due7', one.id])
    expect(await due(100)).toHaveLength(41)
    await db.webhookEndpoint.deleteMany({ where: { accountId: many.accountId } })
  })

  it('is nothing of a suspended or deleted account, to which nothing is sent', async () => {
    for (const state of ['suspendedAt', 'deletedAt']) {
      const { accountId, id } = await newEndpoint()
      await writeTestEvent(db, accountId, id)
      expect(await due(1_000)).toContain(id)
      await db.account.update({ where: { id: accountId }, data: { [state]: new Date() } })
      expect(await due(1_000)).not.toContain(id)
    }
  })
})

it('a test event keeps of the URL what notices show: its path can be a secret', async () => {
  const { accountId, id } = await newEndpoint()
  await writeTestEvent(db, accountId, id)
  const [event] = await listEvents(db, accountId, { types: [], limit: 1 })
  expect(JSON.parse(event?.payload ?? '').data).toEqual({
    ...{ id, object: 'webhook_endpoint', url: 'https://receiver.example' },
  })
})

describe('a deletion', () => {
  it('of an account or a job sends nothing more of it, before it is erased', async () => {
    const { accountId, id } = await newEndpoint()
    const { job } = await acceptClip(db, accountId, { seconds: 1 })
    await settleJob(db, job.id, { code: 'canceled', message: 'Canceled.' })
    await deleteJob(db, { accountId, scope: 'all' }, job.id)
    expect([await findDue(db, id), await statusesOf(id)]).toEqual([undefined, []])
    await writeTestEvent(db, accountId, id)
    await db.account.update({ where: { id: accountId }, data: { deletedAt: new Date() } })
    expect(await findDue(db, id)).toBeUndefined()
  })
})

describe('a replay', () => {
  it('makes due what the endpoint did not get, also what happened while it was disabled, with the same ids', async () => {
    const { accountId, id } = await newEndpoint()
    await db.webhookEndpoint.update({ where: { id }, data: { status: 'disabled' } })
    const { job } = await acceptClip(db, accountId, { seconds: 1 })
    await draftClip(db, job.id, 1_000)
    await settleJob(db, job.id)
    await changeWebhookEndpoint(db, { accountId }, id, { status: 'active' })
    expect((await replayDeliveries(db, accountId, id, { since: new Date(0) })).replayed).toBe(1)
    const [event] = await listEvents(db, accountId, { types: [], limit: 1 })
    expect((await findDue(db, id))?.deliveries).toMatchObject([{ eventId: event?.id, payload: event?.payload }])
    await answerDue(id, { status: 200 })
    const since = new Date(0)
    expect(await replayDeliveries(db, accountId, id, { since })).toEqual({ replayed: 0, lastEventId: null })
    const again = await replayDeliveries(db, accountId, id, { since, status: 'delivered' })
    expect(again).toEqual({ replayed: 1, lastEventId: event?.id })
    expect(await statusesOf(id)).toEqual(['pending'])
  })

  it('of delivered events sends a thousand, then the next ones, ten times an hour', async () => {
    const { accountId, id } = await newEndpoint()
    await db.$executeRaw`INSERT INTO events (id, account_id, type, subject_id, payload)
      SELECT ${id} || n, ${accountId}, 'job.completed', ${id} || n, '{}' FROM generate_series(1, 1001) AS n`
    await db.$executeRaw`INSERT INTO webhook_deliveries (endpoint_id, event_id, status)
      SELECT ${id}, id, 'delivered' FROM events WHERE account_id = ${accountId}`
    const replay = async (after?: { readonly position: bigint }) =>
      replayDeliveries(db, accountId, id, { since: new Date(0), after, status: 'delivered' })
    const first = await replay()
    expect(first).toEqual({ replayed: 1_000, lastEventId: `${id}1000` })
    await db.delivery.updateMany({ where: { endpointId: id }, data: { status: 'delivered' } })
    const last = await db.event.findUniqueOrThrow({ where: { id: `${id}1000` } })
    expect(await replay(last)).toEqual({ replayed: 1, lastEventId: `${id}1001` })
    for (let count = 2; count < 10; count += 1) await replay(last)
    await expect(replay(last)).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: expect.any(Number) })
    // What was not delivered has no such limit.
    expect((await replayDeliveries(db, accountId, id, { since: new Date(0) })).replayed).toBe(0)
  })

  it('of a test event sends it to the webhook endpoint that was tested alone', async () => {
    const { accountId, id } = await newEndpoint()
    const wanted = { accountId, url: 'https://other.example/hook', description: '', eventTypes: [] }
    const { endpoint: other } = await createWebhookEndpoint(db, signing, wanted)
    await writeTestEvent(db, accountId, id)
    const [event = expect.fail('no event')] = await listEvents(db, accountId, { types: [], limit: 1 })
    expect(await replayEvent(db, event)).toEqual([id])
    expect(await statusesOf(other.id)).toEqual([])
  })
})

it('an endpoint has 10,000 pending deliveries at most: what happens then is in the feed, and comes by a replay', async () => {
  const { accountId, id } = await newEndpoint()
  const other = await createWebhookEndpoint(db, signing, {
    accountId,
    url: 'https://b.example/',
    description: '',
    eventTypes: [],
  })
  await db.$executeRaw`INSERT INTO events (id, account_id, type, subject_id, payload)
    SELECT id || n, ${accountId}, 'job.completed', ${id} || n, '{}' FROM generate_series(1, 9999) AS n, (SELECT ${id}::text AS id) AS prefix`
  await db.$executeRaw`INSERT INTO webhook_deliveries (endpoint_id, event_id, created_at)
    SELECT ${id}, id, 'epoch' FROM events WHERE account_id = ${accountId}`
  const endJob = async () => {
    const { job } = await acceptClip(db, accountId, { seconds: 1 })
    return (await settleJob(db, job.id, { code: 'canceled', message: 'Canceled.' })).endpointIds.toSorted()
  }
  expect(await endJob()).toEqual([id, other.endpoint.id].toSorted())
  expect(await endJob()).toEqual([other.endpoint.id])
  await expect(writeTestEvent(db, accountId, id)).rejects.toMatchObject({ code: 'conflict' })
  const [event] = (await listEvents(db, accountId, { types: ['job.canceled'], limit: 2 })).slice(1)
  expect(event && (await replayEvent(db, event))).toEqual([other.endpoint.id])
  const replay = async (status?: 'delivered') =>
    (await replayDeliveries(db, accountId, id, { since: new Date(0), status })).replayed
  expect(await replay()).toBe(0)
  await answerDue(id, { status: 200 })
  expect(await replay('delivered')).toBe(4)
  await answerDue(id, { status: 200 })
  expect(await replay()).toBe(1)
})

describe('the secret of a webhook endpoint', () => {
  it('is stored sealed, and signs beside the new one for a day after a rotation', async () => {
    const { accountId, id, secret } = await newEndpoint()
    await writeTestEvent(db, accountId, id)
    expect(JSON.stringify(await db.webhookEndpoint.findUnique({ where: { id } }))).not.toContain(secret)
    const rotated = await rotateWebhookSecret(db, signing, { accountId }, id)
    const batch = await findDue(db, id)
    const validAt = (days: number) =>
      batch && validSecrets(signing, batch.endpoint, new Date(Date.now() + days * dayMs))
    expect(validAt(0)).toEqual([rotated.secret, secret])
    expect(validAt(1.1)).toEqual([rotated.secret])
  })

  it('stays the same when SIGNING_SECRET is replaced, and no longer needs the old one after upkeep', async () => {
    const { accountId, id, secret } = await newEndpoint()
    await writeTestEvent(db, accountId, id)
    const alone = { SIGNING_KEY_ID: '2', SIGNING_SECRET: 'another secret of tests, 32 letters' }
    const both = { ...alone, OTHER_SIGNING_SECRET: { keyId: '1', secret: signing.SIGNING_SECRET } }
    const read = async (config: typeof alone) => {
      const batch = await findDue(db, id)
      return batch && validSecrets(config, batch.endpoint, new Date())
    }
    expect(await read(both)).toEqual([secret])
    await expect(read(alone)).rejects.toThrow('sealed')
    for (const old of await findOldSeals(db, both, { limit: 100 })) await resealSecrets(db, both, old)
    expect(await read(alone)).toEqual([secret])
    expect(await findOldSeals(db, both, { limit: 100 })).toEqual([])
  })
})

it('old events are deleted, but for a place in the feed, so that a reader of a quiet account goes on', async () => {
  await db.event.deleteMany()
  const { accountId, id } = await newEndpoint()
  const [old, newest] = [await writeTestEvent(db, accountId, id), await writeTestEvent(db, accountId, id)]
  await answerDue(id, { status: 200 })
  await db.event.updateMany({ where: { accountId }, data: { createdAt: new Date(1000) } })
  const before = new Date(2000)
  expect([await deleteOldEvents(db, before, 1), await deleteOldEvents(db, before, 10)]).toEqual([1, 1])
  expect(await deleteOldEvents(db, before, 10)).toBe(0)
  expect((await db.event.findMany({ where: { accountId } })).map((event) => event.id)).toEqual([newest])
  expect(await db.delivery.count({ where: { eventId: { in: [old, newest] } } })).toBe(0)
  expect(await listEvents(db, accountId, { types: [], limit: 10 })).toEqual([])
  const after = await findNewestEvent(db, accountId)
  const next = await writeTestEvent(db, accountId, id)
  expect(after && (await listEvents(db, accountId, { after, types: [], limit: 10 })).map((event) => event.id)).toEqual([
    next,
  ])
})
