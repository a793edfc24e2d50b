import type { RowPage } from '../core/concurrency.ts'
import { errorTable } from '../core/errors.ts'
import { isId } from '../core/ids.ts'
import { announceSql } from '../db/announcements.ts'
import type { Database, Transaction } from '../db/database.ts'
import { Prisma } from '../db/generated/client.ts'
import type { BatchModel } from '../db/generated/models.ts'
import { jsonText, timestamp } from '../db/rows.ts'
import { countUnpaidSql } from '../jobs/admission.ts'
import type { Failure } from '../jobs/job-rows.ts'
import { eventSql, noticedSql } from '../webhooks/events.ts'

export const itemStatuses = ['waiting', 'running', 'completed', 'failed'] as const
export type ItemStatus = (typeof itemStatuses)[number]

export interface Item {
  readonly id: bigint
  readonly uploadId: string | null
  /** Null if its run was deleted. */
  readonly mediaUrl: string | null
  /** Null if it has none, or if that was deleted. */
  readonly runId: string | null
  readonly status: ItemStatus
  /** Why it failed. */
  readonly error: unknown
  readonly createdAt: Date
}

const isWaiting = Prisma.sql`item.run_id IS NULL AND item.error IS NULL`

/** Of `batch_items AS item LEFT JOIN workflow_runs AS run`. */
const statusSql = Prisma.sql`
  CASE WHEN ${isWaiting} THEN 'waiting' WHEN coalesce(item.error, run.error) IS NOT NULL THEN 'failed'
    WHEN run.id IS NOT NULL AND run.ended_at IS NULL THEN 'running' ELSE 'completed' END`

const itemsAndRuns = Prisma.sql`batch_items AS item LEFT JOIN workflow_runs AS run ON run.id = item.run_id`

interface ItemFilter {
  readonly status?: ItemStatus | undefined
  readonly limit: number
  readonly after?: bigint | undefined
}

/** A page of the items of a batch, in its order. Of a directive, newest first. */
export async function listItems(db: Database, batchId: string, { status, limit, after }: ItemFilter): Promise<Item[]> {
  const isDirective = isId('dir', batchId)
  const next = isDirective ? Prisma.sql`item.id < ${after}` : Prisma.sql`item.id > ${after}`
  return db.$queryRaw<Item[]>`
    SELECT item.id, upload_id AS "uploadId", CASE WHEN run.deleted_at IS NULL THEN item.media_url END AS "mediaUrl",
      CASE WHEN run.deleted_at IS NULL THEN run.id END AS "runId", ${statusSql} AS status,
      coalesce(item.error, run.error) AS error, item.created_at AS "createdAt"
    FROM ${itemsAndRuns}
    WHERE batch_id = ${batchId} ${after === undefined ? Prisma.empty : Prisma.sql`AND ${next}`}
      ${status ? Prisma.sql`AND ${statusSql} = ${status}` : Prisma.empty}
    ORDER BY item.id ${isDirective ? Prisma.sql`DESC` : Prisma.empty} LIMIT ${limit}`
}

export type ItemCounts = Readonly<Record<ItemStatus, number>>

export const maxBatchItems = 1000

/** Of a batch all, of a directive the newest `maxBatchItems`. */
export async function countItems(db: Database | Transaction, batchIds: readonly string[]) {
  const rows = await db.$queryRaw<{ batchId: string; status: ItemStatus; count: number }[]>`
    SELECT batch.id AS "batchId", ${statusSql} AS status, count(*)::int AS count
    FROM unnest(${[...batchIds]}::text[]) AS batch (id)
      CROSS JOIN LATERAL newest_items(batch.id, ${maxBatchItems}::int) AS item
      LEFT JOIN workflow_runs AS run ON run.id = item.run_id
    GROUP BY 1, 2`
  const countOf = (id: string, wanted: ItemStatus) =>
    rows.find(({ batchId, status }) => batchId === id && status === wanted)?.count ?? 0
  return (id: string): ItemCounts => ({
    ...{ waiting: countOf(id, 'waiting'), running: countOf(id, 'running') },
    ...{ completed: countOf(id, 'completed'), failed: countOf(id, 'failed') },
  })
}

export type WaitingItem = Pick<Item, 'id' | 'uploadId' | 'mediaUrl'> &
  Pick<BatchModel, 'requestId' | 'chain' | 'settings' | 'metadata' | 'limitMicroUsd' | 'accountId'> & {
    readonly batchId: string
    readonly tries: number
    /** Runs of the batch that have not ended. */
    readonly open: number
  }

/** What is not asked for again in a turn, by ids. */
export interface PassedOver {
  readonly batches: readonly string[]
  readonly items: readonly bigint[]
}

/**
 * The next item of the account to be started: of the batch with the fewest open runs, its oldest one. Undefined if none waits, or if as
 * many runs of its batches are open as `maxOpen`.
 */
export async function findNextItem(
  db: Database,
  accountId: string,
  { maxOpen, except }: { readonly maxOpen: number; readonly except: PassedOver },
): Promise<WaitingItem | undefined> {
  const [item] = await db.$queryRaw<WaitingItem[]>`
    WITH open AS (
      SELECT api_key_id AS batch_id, count(*)::int AS open FROM workflow_runs
      WHERE account_id = ${accountId} AND ended_at IS NULL AND api_key_id ~ '^(bat|dir)_' GROUP BY 1
    )
    SELECT item.id, upload_id AS "uploadId", media_url AS "mediaUrl", tries, batches.id AS "batchId", account_id AS "accountId",
      request_id AS "requestId", chain, settings, metadata, limit_micro_usd AS "limitMicroUsd", coalesce(open, 0) AS open
    FROM batches LEFT JOIN open ON open.batch_id = batches.id
      CROSS JOIN LATERAL (
        SELECT * FROM batch_items AS item WHERE batch_id = batches.id AND ${isWaiting} AND item.id <> ALL(${[...except.items]}::bigint[])
        ORDER BY item.id LIMIT 1
      ) AS item
    WHERE account_id = ${accountId} AND ended_at IS NULL AND batches.id <> ALL(${[...except.batches]}::text[])
      AND (SELECT coalesce(sum(open), 0) FROM open) < ${maxOpen}
    ORDER BY coalesce(open, 0), item.id LIMIT 1`
  return item
}

/** Gives a waiting item its run, in the transaction that creates it. False if it does not wait any more. The caller holds the account's row lock. */
export async function claimItem(tx: Transaction, id: bigint, runId: string): Promise<boolean> {
  return (
    (await tx.$executeRaw`UPDATE batch_items AS item SET run_id = ${runId} WHERE id = ${id} AND ${isWaiting}`) === 1
  )
}

/** Records why an item is not started. */
export async function refuseItem(db: Database, item: Pick<WaitingItem, 'id' | 'accountId'>, reason: Failure) {
  await failWaiting(db, item.accountId, Prisma.sql`id = ${item.id}`, reason)
}

/** What waits of a batch fails as canceled. */
export async function cancelWaiting(tx: Transaction, batch: Pick<BatchModel, 'id' | 'accountId'>): Promise<void> {
  const { message } = errorTable.canceled
  await failWaiting(tx, batch.accountId, Prisma.sql`batch_id = ${batch.id}`, { code: 'canceled', message })
}

/** Of an item beside its media URL, with the entries of indexes. */
const rowBytes = 400

/** What has no run costs nothing. With each time that it fails its row is counted: that bounds how often it waits again. */
async function failWaiting(
  db: Database | Transaction,
  accountId: string,
  items: Prisma.Sql,
  { code, message }: Failure,
): Promise<void> {
  await db.$executeRaw`
    WITH failed AS (
      UPDATE batch_items AS item SET error = ${jsonText({ code, message })}::jsonb WHERE ${items} AND ${isWaiting}
      RETURNING octet_length(coalesce(media_url, '')) + ${rowBytes}::int AS bytes
    ), ended AS (SELECT sum(bytes) AS "unpaidBytes" FROM failed), ${Prisma.join(countUnpaidSql(accountId))} SELECT`
}

/** Lets what failed of a batch wait again, but not what was deleted. */
export async function releaseFailed(tx: Transaction, batchId: string): Promise<number> {
  return tx.$executeRaw`
    UPDATE batch_items AS changed SET run_id = NULL, error = NULL, tries = changed.tries + 1
    FROM ${itemsAndRuns} WHERE item.id = changed.id AND item.batch_id = ${batchId} AND ${statusSql} = 'failed'
      AND (run.id IS NULL OR run.ended_at IS NOT NULL AND run.deleted_at IS NULL)`
}

/** Reads what waits and what runs, and not what has ended: it is asked with each item that starts. */
const isOpen = Prisma.sql`(
  EXISTS (SELECT FROM batch_items AS item WHERE batch_id = batches.id AND ${isWaiting})
  OR EXISTS (
    SELECT FROM workflow_runs AS run
    WHERE run.account_id = batches.account_id AND run.ended_at IS NULL AND run.api_key_id = batches.id
  ))`

/** Batches of which nothing waits or runs, and which have not ended. */
export async function findFinishedBatches(db: Database, accountId: string): Promise<{ id: string }[]> {
  return db.$queryRaw<{ id: string }[]>`
    SELECT id FROM batches WHERE account_id = ${accountId} AND id LIKE 'bat_%' AND ended_at IS NULL AND NOT ${isOpen}`
}

/** The bytes that a batch without a charge stores beside its items. */
const unpaidBytesOfBatch = Prisma.sql`
  CASE WHEN NOT EXISTS (SELECT FROM key_months WHERE key_id = batches.id AND captured_micro_usd > 0) THEN
    octet_length(settings::text) + coalesce(octet_length(metadata::text), 0)
  END AS "unpaidBytes"`

/** Ends a batch with its event, once. Returns the webhook endpoints to which that is due. The caller holds the account's row lock. */
export async function writeBatchEnd(
  tx: Transaction,
  { id, accountId, chain, name, metadata, cancelRequestedAt, retries }: BatchModel,
): Promise<readonly string[]> {
  const at = new Date()
  const counts = (await countItems(tx, [id]))(id)
  const { completed, failed } = counts
  const data = {
    ...{ id, object: 'batch', name, workflow_id: chain, status: cancelRequestedAt ? 'canceled' : 'completed' },
    ...{ metadata: metadata ?? {}, completed, failed, ended_at: at.toISOString() },
  }
  // Each end is an event of its own: its failed items can be tried again.
  const subjectId = retries === 0 ? id : `${id}/${retries}`
  const statement = [
    Prisma.sql`ended AS (
      UPDATE batches SET ended_at = ${timestamp(at)} WHERE id = ${id} AND ended_at IS NULL AND NOT ${isOpen}
      RETURNING ${unpaidBytesOfBatch})`,
    ...countUnpaidSql(accountId),
    ...eventSql({ accountId, type: 'batch.completed', subjectId, at, data }, Prisma.sql`ended`),
  ]
  const [{ endpointIds }] = await tx.$queryRaw<[{ endpointIds: string[] }]>`
    WITH ${Prisma.join(statement)} SELECT ${announceSql(id)} AS notice, ${noticedSql(accountId)}`
  return endpointIds
}

/** Accounts with something to start or to end, for upkeep. */
export async function findAccountsWithItems(db: Database, { limit, except = [] }: RowPage) {
  const accounts = await db.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT accounts.id FROM batches JOIN accounts ON accounts.id = account_id
    WHERE accounts.deleted_at IS NULL AND suspended_at IS NULL AND accounts.id <> ALL(${[...except]}::text[])
      AND batches.ended_at IS NULL AND (
        EXISTS (SELECT FROM batch_items AS item WHERE batch_id = batches.id AND ${isWaiting})
        OR batches.id LIKE 'bat_%' AND NOT ${isOpen}
      )
      -- The end of an open run starts the next item.
      AND NOT EXISTS (
        SELECT FROM workflow_runs WHERE account_id = accounts.id AND workflow_runs.ended_at IS NULL AND api_key_id ~ '^(bat|dir)_'
      )
    ORDER BY accounts.id LIMIT ${limit}`
  return accounts.map(({ id }) => id)
}
