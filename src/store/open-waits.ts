import { newId } from '../core/ids.ts'
import type { Database } from './database.ts'

export interface OpenWaitInput {
  readonly accountId: string
  /** How many of the account may be open at once. */
  readonly limit: number
  /** The longest that it can last. */
  readonly milliseconds: number
}

/**
 * Notes that an answer is held open; undefined where the account has as many as it may. Noted before they are counted, so
 * that of several at once the last one counts all the others.
 */
export async function acquireWaitSlot(
  db: Database,
  { accountId, limit, milliseconds }: OpenWaitInput,
): Promise<string | undefined> {
  const id = newId('wait')
  await db.$executeRaw`
    INSERT INTO open_waits (id, account_id, ends_at)
    VALUES (${id}, ${accountId}, now() + make_interval(secs => ${milliseconds / 1000}::float8))`
  const [row] = await db.$queryRaw<{ open: number }[]>`
    SELECT count(*)::int AS open FROM open_waits WHERE account_id = ${accountId} AND ends_at > now()`
  if (row && row.open <= limit) return id
  await releaseWaitSlot(db, id)
  return undefined
}

export async function releaseWaitSlot(db: Database, id: string): Promise<void> {
  await db.$executeRaw`DELETE FROM open_waits WHERE id = ${id}`
}

/** Deletes the waits that nobody ended in their time, and tells how many. */
export async function forgetOpenWaits(db: Database): Promise<number> {
  return db.$executeRaw`DELETE FROM open_waits WHERE ends_at < now()`
}
