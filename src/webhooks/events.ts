import { isId, newId } from '../core/ids.ts'
import { announceSql } from '../db/announcements.ts'
import type { Database, Transaction } from '../db/database.ts'
import { Prisma } from '../db/generated/client.ts'
import type { EventModel } from '../db/generated/models.ts'

/** Every type of event. */
export const eventTypes = [
  'job.completed',
  'job.failed',
  'job.canceled',
  'workflow_run.completed',
  'workflow_run.failed',
  'workflow_run.canceled',
  'batch.completed',
  'upload.received',
  'webhook.test',
] as const
export type EventType = (typeof eventTypes)[number]

/** The version of the payloads. A change that old receivers cannot read gets another. */
export const eventVersion = '2026-06-09-beta'

export interface NewEvent {
  readonly accountId: string
  readonly type: EventType
  /** The job, run, batch or upload: it has one event of each type. */
  readonly subjectId: string
  readonly at: Date
  /** What happened, without results and without signed URLs: those expire between two attempts, and receivers log them. */
  readonly data: Readonly<Record<string, unknown>>
  /** The only webhook endpoint that gets it. Undefined: each that takes its type. */
  readonly endpointId?: string
}

/** Deliveries that may wait for one endpoint. What happens beyond them is in the feed, and can be replayed. */
export const maxPending = 10_000

/** Whether another delivery may wait for the row of `webhook_endpoints`. */
export const hasRoomSql = Prisma.sql`NOT EXISTS (
  SELECT FROM webhook_deliveries WHERE endpoint_id = webhook_endpoints.id AND webhook_deliveries.status = 'pending'
  OFFSET ${maxPending - 1})`

/** Whether the row of `webhook_endpoints` gets an event of this type and subject. A callback gets those of its subject alone. */
export function takesSql(type: string, subjectId: string): Prisma.Sql {
  return Prisma.sql`(subject_id IS NULL OR subject_id = ${subjectId}) AND (event_types = '{}' OR ${type} = ANY(event_types))`
}

/** The end of a job or run, as its event types name it. */
export function endedType<Subject extends 'job' | 'workflow_run'>(
  subject: Subject,
  failure: { code: string } | undefined,
) {
  if (!failure) return `${subject}.completed` as const
  return failure.code === 'canceled' ? (`${subject}.canceled` as const) : (`${subject}.failed` as const)
}

/**
 * Writes an event, once, and its delivery to each webhook endpoint that takes its type: expressions of the statement that makes the
 * change, and whose transaction has locked the account. `from` is a table that has a row if the change happened. Without an event,
 * writes nothing.
 */
export function eventSql(event: NewEvent | undefined, from = Prisma.sql`(SELECT 1) AS changed`): Prisma.Sql[] {
  if (!event) return [Prisma.sql`due AS (SELECT ''::text AS endpoint_id WHERE false)`]
  const { accountId, type, subjectId, at, data, endpointId } = event
  const takes = endpointId ? Prisma.sql`webhook_endpoints.id = ${endpointId}` : takesSql(type, subjectId)
  const payload = JSON.stringify({ type, timestamp: at.toISOString(), api_version: eventVersion, data })
  const written = Prisma.sql`
    event AS (
      INSERT INTO events (id, account_id, type, subject_id, payload)
      SELECT ${newId('evt')}, ${accountId}, ${type}, ${subjectId}, ${payload} FROM ${from}
      ON CONFLICT DO NOTHING RETURNING id
    )`
  const due = Prisma.sql`
    due AS (
      INSERT INTO webhook_deliveries (endpoint_id, event_id)
      SELECT webhook_endpoints.id, event.id FROM webhook_endpoints, event
      WHERE account_id = ${accountId} AND status <> 'disabled' AND ${takes} AND ${hasRoomSql}
      -- One that is being deleted gets nothing, and fails no end of a job.
      FOR KEY SHARE OF webhook_endpoints
      RETURNING endpoint_id
    )`
  return [written, due]
}

/**
 * The webhook endpoints to which the statement's event is due, and the wake of the waits for events of the account. One that failed gets
 * the event when it is tried again.
 */
export function noticedSql(accountId: string): Prisma.Sql {
  return Prisma.sql`
    ARRAY(
      SELECT endpoint_id FROM due JOIN webhook_endpoints ON id = endpoint_id WHERE retry_at IS NULL OR retry_at <= now()
    ) AS "endpointIds",
    ${announceSql(eventsOf(accountId))} AS noticed`
}

/** The name under which events of the account are announced. */
export function eventsOf(accountId: string): string {
  return `events/${accountId}`
}

/** How long events are listed, and can be sent again. */
export const eventDays = 30

/**
 * Deletes up to `limit` old events, with their deliveries, and returns their number. The newest of an account is erased instead, as one of
 * now: readers of the feed go on after it.
 */
export async function deleteOldEvents(db: Database, before: Date, limit: number): Promise<number> {
  const [{ count }] = await db.$queryRaw<[{ count: number }]>`
    WITH old AS (
      SELECT id, EXISTS (
        SELECT FROM events AS later WHERE later.account_id = events.account_id AND later.position > events.position
      ) AS is_passed FROM events WHERE created_at < ${before} ORDER BY created_at LIMIT ${limit}
    ), deleted AS (DELETE FROM events USING old WHERE events.id = old.id AND is_passed),
    untold AS (DELETE FROM webhook_deliveries USING old WHERE event_id = old.id AND NOT is_passed),
    kept AS (
      UPDATE events SET payload = ${erasedPayload}, created_at = now() FROM old WHERE events.id = old.id AND NOT is_passed
    )
    SELECT count(*)::int AS count FROM old`
  return count
}

export type Event = EventModel

/** Null if the account has no such event. An erased one is still found: readers go on after it. */
export async function findEvent(db: Database, accountId: string, id: string): Promise<Event | null> {
  return isId('evt', id) ? db.event.findFirst({ where: { id, accountId } }) : null
}

/** Null if the account has none. */
export async function findNewestEvent(db: Database, accountId: string): Promise<Pick<Event, 'id' | 'position'> | null> {
  return db.event.findFirst({
    where: { accountId },
    orderBy: { position: 'desc' },
    select: { id: true, position: true },
  })
}

interface EventFilter {
  readonly after?: Pick<Event, 'position'> | undefined
  readonly types: readonly EventType[]
  readonly limit: number
}

/** The account's events after another one, oldest first. Of two events, the later one was committed later: a reader misses none. */
export async function listEvents(
  db: Database,
  accountId: string,
  { after, types, limit }: EventFilter,
): Promise<Event[]> {
  return db.event.findMany({
    where: {
      accountId,
      payload: { not: erasedPayload },
      ...(after ? { position: { gt: after.position } } : {}),
      ...(types.length > 0 ? { type: { in: [...types] } } : {}),
    },
    orderBy: { position: 'asc' },
    take: limit,
  })
}

/** The payload of an event whose subject was deleted. Its id stays a place in the feed, for the days that events are listed. */
export const erasedPayload = ''

/** Erases events, and cancels what was to be sent of them: expressions of a statement. */
export function erasingSql(events: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    erased AS (UPDATE events SET payload = ${erasedPayload} WHERE ${events} RETURNING id),
    untold AS (DELETE FROM webhook_deliveries USING erased WHERE event_id = erased.id)`
}

/** Of something that was deleted. */
export async function eraseEventsOf(tx: Transaction, subjectId: string): Promise<void> {
  await tx.$executeRaw`WITH ${erasingSql(Prisma.sql`subject_id = ${subjectId}`)} SELECT`
}
