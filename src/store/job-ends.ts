import pg from 'pg'
import { randomText } from '../core/ids.ts'
import type { Transaction } from './database.ts'
import { Prisma } from './generated/client.ts'

/** The channel with the ids of ended jobs, runs and probes, and of waits that were given up. */
export const endsChannel = 'job_ended'
const reconnectMilliseconds = 1_000
const connectMilliseconds = 5_000

/** Wakes all waits for the job or the run when the transaction commits. */
export async function notifyJobEnded(tx: Transaction, id: string): Promise<void> {
  await tx.$executeRaw`SELECT ${endNotice(id)}`
}

/** `notifyJobEnded` as an SQL expression inside another statement. */
export function endNotice(id: string): Prisma.Sql {
  return Prisma.sql`pg_notify(${endsChannel}, ${id})::text`
}

export interface JobEnds {
  /** Resolves when the job's end is announced, when an announcement may have been missed, after the time, or on abort. */
  next(jobId: string, milliseconds: number, signal?: AbortSignal): Promise<void>
  close(): Promise<void>
}

/**
 * One listening connection for all waits of a process. It must be a direct connection: poolers do not support LISTEN. While
 * anything waits, it announces a check, and connects again if it does not hear that within `checkMilliseconds`: a dead peer sends
 * no end, and a pooler no announcements.
 */
export function listenForJobEnds(
  directUrl: string,
  onError: (error: unknown) => void,
  checkMilliseconds = 5_000,
): JobEnds {
  const waiting = new Map<string, Set<() => void>>()
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  const check = `check_${randomText(24)}`
  let closed = false

  const wake = (jobId: string) => {
    for (const resolve of waiting.get(jobId) ?? []) resolve()
  }
  const wakeAll = () => {
    for (const jobId of waiting.keys()) wake(jobId)
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
        fresh.query('SELECT pg_notify($1, $2)', [endsChannel, check]).catch(onError)
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
      await fresh.query(`LISTEN ${endsChannel}`)
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
    next: (jobId, milliseconds, signal) =>
      new Promise<void>((resolve) => {
        const others = waiting.get(jobId) ?? new Set()
        const done = () => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', done)
          others.delete(done)
          if (others.size === 0) waiting.delete(jobId)
          resolve()
        }
        const timer = setTimeout(done, milliseconds)
        signal?.addEventListener('abort', done)
        waiting.set(jobId, others.add(done))
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
