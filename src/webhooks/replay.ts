import { takeOrRefuse } from '../accounts/quotas.ts'
import { assertMayCreate } from '../accounts/suspension.ts'
import { ServiceError } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { type Database, lockAccount, type Transaction } from '../db/database.ts'
import { Prisma } from '../db/generated/client.ts'
import { timestamp } from '../db/rows.ts'
import { getWebhookEndpoint, shownUrl } from './endpoints.ts'
import { type Event, erasedPayload, eventSql, hasRoomSql, maxPending, noticedSql, takesSql } from './events.ts'

/** Tests of an account in a minute: each is an event that is kept as long as others. */
const testsPerMinute = 10

/**
 * Writes the event `webhook.test`, for one webhook endpoint. Throws `not_found`, `conflict` for one that is disabled or has too much to
 * get, `account_suspended`, and `rate_limited` after ten in a minute.
 */
export async function writeTestEvent(db: Database, accountId: string, endpointId: string): Promise<string> {
  return db.$transaction(async (tx) => {
    assertMayCreate(await lockAccount(tx, accountId))
    await assertFewTests(tx, accountId)
    const { url, status } = await getWebhookEndpoint(tx, accountId, endpointId)
    if (status === 'disabled') throw disabled()
    const at = new Date()
    const data = { id: endpointId, object: 'webhook_endpoint', url: shownUrl(url) }
    // Each test is an event of its own.
    const event = { accountId, type: 'webhook.test', subjectId: newId('evt'), at, data, endpointId } as const
    const [{ isDue }] = await tx.$queryRaw<[{ isDue: boolean }]>`
      WITH ${Prisma.join(eventSql(event))} SELECT EXISTS (SELECT FROM due) AS "isDue", ${noticedSql(accountId)}`
    if (!isDue)
      throw new ServiceError(
        'conflict',
        `${maxPending} deliveries to the webhook endpoint are pending. Try again when it has got some.`,
      )
    const { id } = await tx.event.findFirstOrThrow({ where: { subjectId: event.subjectId }, select: { id: true } })
    return id
  })
}

async function assertFewTests(tx: Transaction, accountId: string): Promise<void> {
  const latest = await tx.event.findMany({
    where: { accountId, type: 'webhook.test' },
    orderBy: { position: 'desc' },
    take: testsPerMinute,
    select: { createdAt: true },
  })
  const oldest = latest[testsPerMinute - 1]?.createdAt.getTime() ?? 0
  const retryAfterSeconds = Math.ceil((oldest + 60_000 - Date.now()) / 1000)
  if (retryAfterSeconds > 0) throw new ServiceError('rate_limited', undefined, { retryAfterSeconds })
}

function disabled(): ServiceError {
  return new ServiceError('conflict', 'The webhook endpoint is disabled. Set its status to active first.')
}

/** Delivered events that one replay sends again. */
export const maxDeliveredAgain = 1_000

/** Replays of delivered events of an account. Others end by themselves: what they make due is no longer undelivered. */
export const deliveredReplays = { limit: 10, windowSeconds: 3600 } as const

interface ReplayInput {
  readonly since: Date
  /** Only events after this one, in the order of the feed. */
  readonly after?: Pick<Event, 'position'> | undefined
  /** Deliveries with this status. Undefined: all that was not delivered, also events that had no delivery. */
  readonly status?: 'delivered' | 'failed' | 'canceled' | undefined
}

interface Replayed {
  readonly replayed: number
  /** The newest event that is sent again. Null if none is. */
  readonly lastEventId: string | null
}

/**
 * Makes deliveries to an endpoint due once more, oldest events first, as many as may be pending. Throws `rate_limited` after ten replays of
 * delivered events in an hour.
 */
export async function replayDeliveries(
  db: Database,
  accountId: string,
  endpointId: string,
  { since, after, status }: ReplayInput,
): Promise<Replayed> {
  const endpoint = await getWebhookEndpoint(db, accountId, endpointId)
  if (endpoint.status === 'disabled') throw disabled()
  if (status === 'delivered') await takeOrRefuse(db, { subject: `replays/${accountId}`, ...deliveredReplays })
  const most = status === 'delivered' ? maxDeliveredAgain : maxPending
  const wanted = status
    ? Prisma.sql`delivery.status = ${status}::"DeliveryStatus"`
    : Prisma.sql`(delivery.status IS NULL OR delivery.status IN ('failed', 'canceled'))`
  return insertDue(
    db,
    Prisma.sql`
      SELECT webhook_endpoints.id AS endpoint_id, events.id AS event_id FROM events
      JOIN webhook_endpoints ON webhook_endpoints.id = ${endpointId}
      LEFT JOIN webhook_deliveries AS delivery ON delivery.event_id = events.id AND delivery.endpoint_id = ${endpointId}
      WHERE events.account_id = ${accountId} AND events.created_at >= ${timestamp(since)} AND ${wanted}
        AND (${endpoint.eventTypes.length} = 0 OR type = ANY(${endpoint.eventTypes}::text[])) AND type <> 'webhook.test'
        AND payload <> ${erasedPayload} AND position > ${after?.position ?? 0n}
      ORDER BY position LIMIT LEAST(${most}, GREATEST(0, ${maxPending} - (
        SELECT count(*) FROM webhook_deliveries WHERE endpoint_id = ${endpointId} AND webhook_deliveries.status = 'pending'
      ))) FOR SHARE OF events FOR KEY SHARE OF webhook_endpoints`,
  )
}

/** Makes an event due once more at one endpoint, or at each that gets it and is not disabled, unless too many are pending. Returns their ids. */
export async function replayEvent(
  db: Database,
  { id, accountId, type, subjectId, payload }: Event,
  endpointId?: string,
): Promise<string[]> {
  const endpoint = endpointId === undefined ? undefined : await getWebhookEndpoint(db, accountId, endpointId)
  if (endpoint?.status === 'disabled') throw disabled()
  // A test event is about its webhook endpoint.
  const gets = type === 'webhook.test' ? Prisma.sql`id = ${payload}::json #>> '{data,id}'` : takesSql(type, subjectId)
  const takes = endpoint
    ? Prisma.sql`id = ${endpoint.id}`
    : Prisma.sql`account_id = ${accountId} AND status <> 'disabled' AND ${gets}`
  const targets = await db.$queryRaw<
    { id: string }[]
  >`SELECT id FROM webhook_endpoints WHERE ${takes} AND ${hasRoomSql}`
  const ids = targets.map((target) => target.id)
  await insertDue(
    db,
    Prisma.sql`
      SELECT webhook_endpoints.id AS endpoint_id, events.id AS event_id FROM webhook_endpoints, events
      WHERE webhook_endpoints.id = ANY(${ids}::text[]) AND events.id = ${id} AND payload <> ${erasedPayload}
      FOR SHARE OF events FOR KEY SHARE OF webhook_endpoints`,
  )
  return ids
}

/** Rows that are being deleted or erased are left out. */
async function insertDue(db: Database, pairs: Prisma.Sql): Promise<Replayed> {
  const [replayed] = await db.$queryRaw<[Replayed]>`
    WITH due AS (
      INSERT INTO webhook_deliveries (endpoint_id, event_id) SELECT endpoint_id, event_id FROM (${pairs}) AS pair
      ON CONFLICT (endpoint_id, event_id) DO UPDATE SET status = 'pending', attempts = 0, next_attempt_at = now()
      RETURNING event_id
    )
    SELECT count(*)::int AS replayed, (array_agg(event_id ORDER BY position DESC))[1] AS "lastEventId"
    FROM due JOIN events ON events.id = event_id`
  return replayed
}
