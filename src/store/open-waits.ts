import type { Database } from './database.ts'
import { endsChannel } from './job-ends.ts'

export interface OpenWaitInput {
  readonly id: string
  readonly accountId: string
  /** How many of the account may be open at the same time. */
  readonly limit: number
  /** The longest that it can last. */
  readonly milliseconds: number
}

/**
 * Notes that an answer is held open, and gives the account's oldest waits up where they pass the limit: each is announced by
 * its id, as ends of jobs are. False where the new wait itself has no place. Noted before the others are counted, so that of
 * several simultaneous ones the last one counts all.
 */
export async function acquireWaitSlot(
  db: Database,
  { id, accountId, limit, milliseconds }: OpenWaitInput,
): Promise<boolean> {
  await db.$executeRaw`
    INSERT INTO open_waits (id, account_id, ends_at)
    VALUES (${id}, ${accountId}, now() + make_interval(secs => ${milliseconds / 1000}::float8))`
  // What is locked is being deleted by another process: waiting for it could end in a deadlock.
  const givenUp = await db.$queryRaw<{ id: string }[]>`
    WITH too_many AS (
      SELECT id FROM open_waits WHERE account_id = ${accountId} AND ends_at > now()
      ORDER BY started_at DESC, id DESC OFFSET ${limit}
    ), given_up AS (
      DELETE FROM open_waits WHERE id IN (
        SELECT id FROM open_waits WHERE id IN (SELECT id FROM too_many) FOR UPDATE SKIP LOCKED
      ) RETURNING id
    )
    SELECT id, pg_notify(${endsChannel}, id)::text FROM given_up`
  return !givenUp.some((wait) => wait.id === id)
}

export async function holdsWaitSlot(db: Database, id: string): Promise<boolean> {
  return (await db.openWait.count({ where: { id } })) > 0
}

export async function releaseWaitSlot(db: Database, id: string): Promise<void> {
  await db.$executeRaw`DELETE FROM open_waits WHERE id = ${id}`
}

/** Deletes the waits that nobody ended in their time, and tells how many. */
export async function forgetOpenWaits(db: Database): Promise<number> {
  return db.$executeRaw`DELETE FROM open_waits WHERE ends_at < now()`
}
