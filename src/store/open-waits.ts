import { announceSql } from './announcements.ts'
import { keyEndedSql } from './credentials.ts'
import type { Database } from './database.ts'
import { Prisma } from './generated/client.ts'

export interface OpenWaitInput {
  readonly id: string
  readonly accountId: string
  /** The key of the request. */
  readonly keyId: string
  /** The maximum of simultaneous waits of the account. */
  readonly limit: number
  /** The maximum duration of the wait. */
  readonly milliseconds: number
}

/**
 * Records an open wait, and gives up the account's oldest waits above the limit. Announces the id of each wait that it gives up. Returns false
 * if the new wait itself is above the limit, or if its key was revoked meanwhile. The wait is recorded before waits are counted, so
 * that the last of several simultaneous calls counts all of them.
 */
export async function acquireWaitSlot(
  db: Database,
  { id, accountId, keyId, limit, milliseconds }: OpenWaitInput,
): Promise<boolean> {
  await db.$executeRaw`
    INSERT INTO open_waits (id, account_id, ends_at)
    VALUES (${id}, ${accountId}, now() + make_interval(secs => ${milliseconds / 1000}::float8))`
  // Skips locked rows, which another process is deleting: waiting for them could end in a deadlock.
  const givenUp = await db.$queryRaw<{ id: string }[]>`
    WITH too_many AS (
      SELECT id FROM open_waits WHERE account_id = ${accountId} AND ends_at > now()
      ORDER BY started_at DESC, id DESC OFFSET ${limit}
    ), without_key AS (
      SELECT ${id} AS id WHERE ${keyEndedSql(keyId)}
    ), given_up AS (
      DELETE FROM open_waits WHERE id IN (
        SELECT id FROM open_waits WHERE id IN (SELECT id FROM too_many UNION SELECT id FROM without_key) FOR UPDATE SKIP LOCKED
      ) RETURNING id
    )
    SELECT id, ${announceSql(Prisma.sql`id`)} FROM given_up`
  return !givenUp.some((wait) => wait.id === id)
}

export async function holdsWaitSlot(db: Database, id: string): Promise<boolean> {
  return (await db.openWait.count({ where: { id } })) > 0
}

export async function releaseWaitSlot(db: Database, id: string): Promise<void> {
  await db.$executeRaw`DELETE FROM open_waits WHERE id = ${id}`
}

/** Deletes up to `limit` waits that were not released in time, and returns their number. */
export async function forgetOpenWaits(db: Database, limit: number): Promise<number> {
  return db.$executeRaw`
    DELETE FROM open_waits WHERE id = ANY(ARRAY(
      SELECT id FROM open_waits WHERE ends_at < now() LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ))`
}
