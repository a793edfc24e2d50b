import type { Logger } from 'pino'
import type { RowPage } from '../core/concurrency.ts'
import type { SigningConfig } from '../core/signing-secret.ts'
import type { Database, Transaction } from '../db/database.ts'
import type { DeliveryModel, WebhookEndpointModel } from '../db/generated/models.ts'
import { timestamp } from '../db/rows.ts'
import { addNotice } from '../mail/notices.ts'
import type { JobClient } from '../temporal/job-client.ts'
import { shownUrl } from './endpoints.ts'
import { erasedPayload } from './events.ts'
import { disableAfterMs, nextAttempt, nextProbe, noticeAfterMs } from './schedule.ts'
import { openSecret } from './secrets.ts'
import type { DeliveryAnswer } from './send-webhook.ts'

export interface DueWorkStarter {
  readonly jobs: Pick<JobClient, 'startDeliveries' | 'startItems'>
  readonly logger: Pick<Logger, 'warn'>
}

export interface DueWork {
  readonly accountId: string
  readonly endpointIds: readonly string[]
  /** Whether items of batches may be started, or their batches ended. */
  readonly hasItems?: boolean
}

/** Starts the deliveries and the items that a statement made due. Upkeep starts those that could not be. */
export async function startDueWork(
  { jobs, logger }: DueWorkStarter,
  { accountId, endpointIds, hasItems = false }: DueWork,
): Promise<void> {
  const start = (endpointId: string) =>
    jobs
      .startDeliveries({ endpointId, accountId })
      .catch((error: unknown) => logger.warn({ accountId, endpointId, err: error }, 'deliveries not started yet'))
  const startItems = () =>
    jobs
      .startItems({ accountId })
      .catch((error: unknown) => logger.warn({ accountId, err: error }, 'items not started yet'))
  await Promise.all([...endpointIds.map(start), ...(hasItems ? [startItems()] : [])])
}

type EndpointState = Pick<
  WebhookEndpointModel,
  | 'id'
  | 'accountId'
  | 'subjectId'
  | 'url'
  | 'secret'
  | 'previousSecret'
  | 'previousEndsAt'
  | 'failures'
  | 'failingSince'
>

export interface DueDelivery {
  readonly eventId: string
  readonly attempts: number
  readonly payload: string
}

export interface DueBatch {
  readonly endpoint: EndpointState
  readonly deliveries: readonly DueDelivery[]
}

/** Sent simultaneously to one endpoint. */
const batchSize = 4

/** What is due at an endpoint, longest due first; one delivery while it fails. Undefined if nothing is. */
export async function findDue(db: Database, endpointId: string): Promise<DueBatch | undefined> {
  const rows = await db.$queryRaw<(EndpointState & DueDelivery)[]>`
    SELECT endpoint.id, endpoint.account_id AS "accountId", endpoint.subject_id AS "subjectId", url, secret, previous_secret AS "previousSecret",
      previous_ends_at AS "previousEndsAt", failures, failing_since AS "failingSince", event_id AS "eventId", attempts, payload
    FROM webhook_endpoints AS endpoint
    CROSS JOIN LATERAL (
      SELECT event_id, attempts, next_attempt_at, payload FROM webhook_deliveries
      JOIN events ON events.id = event_id AND payload <> ${erasedPayload}
      WHERE endpoint_id = endpoint.id AND webhook_deliveries.status = 'pending' AND next_attempt_at <= clock_timestamp()
      ORDER BY next_attempt_at, webhook_deliveries.created_at LIMIT CASE WHEN failures > 0 THEN 1 ELSE ${batchSize} END
    ) AS due
    JOIN accounts ON accounts.id = endpoint.account_id AND accounts.deleted_at IS NULL AND accounts.suspended_at IS NULL
    WHERE endpoint.id = ${endpointId} AND status = 'active' AND (retry_at IS NULL OR retry_at <= clock_timestamp())
    ORDER BY next_attempt_at`
  const [first] = rows
  return first && { endpoint: first, deliveries: rows }
}

/** The secrets that sign for the endpoint now. */
export function validSecrets(config: SigningConfig, endpoint: EndpointState, now: Date): readonly string[] {
  const { id, secret, previousSecret, previousEndsAt } = endpoint
  const isPreviousValid = previousSecret !== null && previousEndsAt !== null && previousEndsAt > now
  return [secret, ...(isPreviousValid ? [previousSecret] : [])].map((sealed) => openSecret(config, id, sealed))
}

export type Attempted = DueDelivery & { readonly answer: DeliveryAnswer }

/**
 * Records the answers of a batch, and what they say of the endpoint: a success ends its failing; 410 or days of failure disable it. Returns when the next delivery is due; undefined if none is pending.
 */
export async function recordAnswers(
  db: Database,
  { endpoint, deliveries, now = new Date() }: { endpoint: EndpointState; deliveries: readonly Attempted[]; now?: Date },
): Promise<Date | undefined> {
  const recorded = deliveries.map(({ eventId, attempts, answer: { status, failure, retryAfterMs } }) => {
    const next = failure && nextAttempt(attempts + 1, { at: now, retryAfterMs })
    const failed = next ? 'pending' : 'failed'
    return {
      ...{ event_id: eventId, status: failure ? failed : 'delivered', attempts: attempts + 1 },
      ...{ last_status: status ?? null, last_error: failure ?? null, next_attempt_at: next ?? now },
    }
  })
  const health = healthAfter(endpoint, deliveries, now)
  const retried = recorded.flatMap(({ status, next_attempt_at: at }) => (status === 'pending' ? [at] : []))
  // A callback has one delivery, and ends with it.
  if (endpoint.subjectId !== null && (retried.length === 0 || health?.disabledReason)) {
    await db.webhookEndpoint.deleteMany({ where: { id: endpoint.id } })
    return undefined
  }
  if (!health) return nextOf([await writeAnswers(db, { endpoint, recorded, now }), ...retried])
  return db.$transaction(async (tx) => {
    const next = await writeAnswers(tx, { endpoint, recorded, now })
    const { failures, failingSince, retryAt, disabledReason } = health
    // A URL that was changed meanwhile begins anew: what the old one answered says nothing of it.
    const attempted = { id: endpoint.id, url: endpoint.url }
    const { count } = await tx.webhookEndpoint.updateMany({
      where: attempted,
      data: { failures, failingSince, retryAt },
    })
    if (count === 0) return nextOf([next, ...retried])
    if (disabledReason) {
      await disableEndpoint(tx, endpoint, disabledReason)
      return undefined
    }
    if (failingSince && endpoint.subjectId === null && now.getTime() - failingSince.getTime() > noticeAfterMs)
      await noticeFailing(tx, endpoint, failingSince)
    const soonest = nextOf([next, ...retried])
    return soonest && retryAt && soonest < retryAt ? retryAt : soonest
  })
}

interface Answers {
  readonly endpoint: EndpointState
  readonly recorded: readonly object[]
  readonly now: Date
}

/** Returns when the next of the other deliveries is due. */
async function writeAnswers(tx: Transaction, { endpoint, recorded, now }: Answers): Promise<Date | undefined> {
  const [row] = await tx.$queryRaw<[{ next: Date | null }]>`
    WITH answer AS (SELECT * FROM json_populate_recordset(NULL::webhook_deliveries, ${JSON.stringify(recorded)}::json)),
      recorded AS (
        UPDATE webhook_deliveries AS delivery SET status = answer.status, attempts = answer.attempts,
          next_attempt_at = answer.next_attempt_at, last_attempt_at = ${timestamp(now)},
          last_status = answer.last_status, last_error = answer.last_error
        FROM answer
        WHERE delivery.endpoint_id = ${endpoint.id} AND delivery.event_id = answer.event_id AND delivery.status = 'pending'
      )
    SELECT min(next_attempt_at) AS next FROM webhook_deliveries
    WHERE endpoint_id = ${endpoint.id} AND status = 'pending' AND event_id NOT IN (SELECT event_id FROM answer)`
  return row.next ?? undefined
}

function nextOf(dates: readonly (Date | undefined)[]): Date | undefined {
  const times = dates.flatMap((date) => (date ? [date.getTime()] : []))
  return times.length > 0 ? new Date(Math.min(...times)) : undefined
}

interface EndpointHealth {
  readonly failures: number
  readonly failingSince: Date | null
  readonly retryAt: Date | null
  readonly disabledReason?: DisabledReason
}

type DisabledReason = 'gone' | 'failing'

/** Undefined if nothing changes: it works, and worked before. */
function healthAfter(endpoint: EndpointState, deliveries: readonly Attempted[], now: Date): EndpointHealth | undefined {
  const answers = deliveries.map(({ answer }) => answer)
  const works = answers.some(({ failure }) => failure === undefined)
  const isGone = answers.some(({ status }) => status === 410)
  if (works && !isGone) return endpoint.failures > 0 ? { failures: 0, failingSince: null, retryAt: null } : undefined
  const failures = endpoint.failures + 1
  const failingSince = endpoint.failingSince ?? now
  const retryAfterMs = Math.max(...answers.map((answer) => answer.retryAfterMs ?? 0))
  const health = { failures, failingSince, retryAt: nextProbe(failures, { at: now, retryAfterMs }) }
  if (isGone) return { ...health, disabledReason: 'gone' }
  return now.getTime() - failingSince.getTime() > disableAfterMs ? { ...health, disabledReason: 'failing' } : health
}

async function disableEndpoint(
  tx: Transaction,
  { id, accountId, url }: EndpointState,
  reason: DisabledReason,
): Promise<void> {
  const { count } = await tx.webhookEndpoint.updateMany({
    where: { id, status: { not: 'disabled' } },
    data: { status: 'disabled', disabledReason: reason },
  })
  await cancelPending(tx, id)
  if (count === 0) return
  const data = { webhook_endpoint_id: id, url: shownUrl(url), reason }
  await addNotice(tx, { accountId, kind: 'webhook_disabled', key: `${id}/${Date.now()}`, data })
}

async function cancelPending(tx: Transaction, endpointId: string): Promise<void> {
  await tx.delivery.updateMany({ where: { endpointId, status: 'pending' }, data: { status: 'canceled' } })
}

async function noticeFailing(tx: Transaction, { id, accountId, url }: EndpointState, since: Date): Promise<void> {
  const data = { webhook_endpoint_id: id, url: shownUrl(url), since: since.toISOString() }
  await addNotice(tx, { accountId, kind: 'webhook_failing', key: `${id}/${since.getTime()}`, data })
}

/** A delivery with the type of its event, whose id is its own in lists. */
export type Delivery = Omit<DeliveryModel, 'endpointId' | 'eventId'> & { readonly id: string; readonly type: string }

interface DeliveryFilter {
  readonly status?: DeliveryModel['status'] | undefined
  readonly limit: number
  /** The position of the last row before the page. */
  readonly after?: { readonly createdAt: Date; readonly id: string } | undefined
}

/** A page of the deliveries to an endpoint, newest first. */
export async function listDeliveries(
  db: Database,
  endpointId: string,
  { status, limit, after }: DeliveryFilter,
): Promise<Delivery[]> {
  const older = after && [
    { createdAt: { lt: after.createdAt } },
    { createdAt: after.createdAt, eventId: { lt: after.id } },
  ]
  const rows = await db.delivery.findMany({
    where: { endpointId, ...(status ? { status } : {}), ...(older ? { OR: older } : {}) },
    orderBy: [{ createdAt: 'desc' }, { eventId: 'desc' }],
    take: limit,
    include: { event: { select: { type: true } } },
  })
  return rows.map(({ eventId, endpointId: _, event: { type }, ...row }) => ({ ...row, id: eventId, type }))
}

/** Endpoints with something due, for upkeep: accounts take turns, each with what is due longest, so that one of them delays no other. */
export async function findDueEndpoints(
  db: Database,
  { limit, except = [] }: RowPage,
): Promise<{ id: string; accountId: string }[]> {
  return db.$queryRaw<{ id: string; accountId: string }[]>`
    SELECT id, account_id AS "accountId" FROM (
      SELECT endpoint.id, account_id, due.since, row_number() OVER (PARTITION BY account_id ORDER BY due.since) AS turn
      FROM webhook_endpoints AS endpoint
      JOIN accounts ON accounts.id = account_id AND accounts.deleted_at IS NULL AND accounts.suspended_at IS NULL
      CROSS JOIN LATERAL (
        SELECT next_attempt_at AS since FROM webhook_deliveries
        WHERE endpoint_id = endpoint.id AND webhook_deliveries.status = 'pending' AND next_attempt_at <= now()
        ORDER BY next_attempt_at LIMIT 1
      ) AS due
      WHERE status = 'active' AND (retry_at IS NULL OR retry_at <= now()) AND endpoint.id <> ALL(${[...except]}::text[])
    ) AS waiting
    ORDER BY turn, since LIMIT ${limit}`
}
