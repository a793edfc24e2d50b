import pg from 'pg'
import { randomText } from '../core/ids.ts'
import type { Transaction } from './database.ts'
import { Prisma } from './generated/client.ts'

/**
 * The channel with the ids of jobs, runs and probes that ended or were deleted, of keys that were revoked, and of waits that were
 * given up. During a deploy, two versions announce on it.
 */
const channel = 'job_ended'
const reconnectMilliseconds = 1_000
const connectMilliseconds = 5_000

/** Wakes all waits for the id when the transaction commits. */
export async function announce(tx: Transaction, id: string): Promise<void> {
  await tx.$executeRaw`SELECT ${announceSql(id)}`
}

/** `announce` as an SQL expression inside another statement, of an id or of a column with ids. */
export function announceSql(id: string | Prisma.Sql): Prisma.Sql {
  return Prisma.sql`pg_notify(${channel}, ${id})::text`
}

export interface Announcements {
  /** Resolves when the id is announced, when an announcement may have been missed, after the time, or on abort. */
  next(id: string, milliseconds: number, signal?: AbortSignal): Promise<void>
  close(): Promise<void>
}

/**
 * One listening connection for all waits of a process. It must be a direct connection: poolers do not support LISTEN. While
 * anything waits, it announces a check, and connects again if it does not hear that within `checkMilliseconds`: a dead peer closes
 * no connection, and a pooler sends no announcements.
 */
export function listenForAnnouncements(
  directUrl: string,
  onError: (error: unknown) => void,
  checkMilliseconds = 5_000,
): Announcements {
  const waiting = new Map<string, Set<() => void>>()
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  const check = `check_${randomText(24)}`
  let closed = false

  const wake = (id: string) => {
    for (const resolve of waiting.get(id) ?? []) resolve()
  }
  const wakeAll = () => {
    for (const id of waiting.keys()) wake(id)
  }
  const watch = (fresh: pg.Client): NodeJS.Timeout => {
    let isUnheard = false
    fresh.on('notification', ({ payload }) => {
      if (payload === check) isUnheard = false
    })
    return setInterval(() => {
      if (isUnheard) {
        // Without an answer to the check, `end` closes the connection immediately.
        fresh.end().catch(onError)
      } else if (waiting.size > 0) {
        isUnheard = true
        fresh.query('SELECT pg_notify($1, $2)', [channel, check]).catch(onError)
      }
    }, checkMilliseconds)
  }
  const reconnectLater = () => {
    if (!closed) retry = setTimeout(() => void connect(), reconnectMilliseconds)
  }
  const connect = async () => {
    const fresh = new pg.Client({
      connectionString: directUrl,
      keepAlive: true,
      connectionTimeoutMillis: connectMilliseconds,
    })
    fresh.on('notification', ({ payload }) => payload && wake(payload))
    fresh.on('error', onError)
    let watching: NodeJS.Timeout | undefined
    fresh.once('end', () => {
      clearInterval(watching)
      reconnectLater()
    })
    client = fresh
    try {
      await fresh.connect()
      await fresh.query(`LISTEN ${channel}`)
      watching = watch(fresh)
      // Announcements during the interruption were missed, so all waits read their rows.
      wakeAll()
    } catch (error) {
      onError(error)
      await fresh.end().catch(onError)
    }
  }
  void connect()

  return {
    next: (id, milliseconds, signal) =>
      new Promise<void>((resolve) => {
        const others = waiting.get(id) ?? new Set()
        const done = () => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', done)
          others.delete(done)
          if (others.size === 0) waiting.delete(id)
          resolve()
        }
        const timer = setTimeout(done, milliseconds)
        signal?.addEventListener('abort', done)
        waiting.set(id, others.add(done))
        if (signal?.aborted) done()
      }),
    close: async () => {
      closed = true
      clearTimeout(retry)
      wakeAll()
      await client?.end().catch(onError)
    },
  }
}
