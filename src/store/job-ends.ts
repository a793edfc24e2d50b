import pg from 'pg'
import type { Transaction } from './database.ts'
import { Prisma } from './generated/client.ts'

/** The channel with the ids of ended jobs, runs and probes, and of waits that were given up. */
export const endsChannel = 'job_ended'
const reconnectMilliseconds = 1_000

/** Wakes all waits for the job or the run when the transaction commits. */
export async function notifyJobEnded(tx: Transaction, id: string): Promise<void> {
  await tx.$executeRaw`SELECT ${endNotice(id)}`
}

/** The same as an expression of a statement. */
export function endNotice(id: string): Prisma.Sql {
  return Prisma.sql`pg_notify(${endsChannel}, ${id})::text`
}

export interface JobEnds {
  /** Resolves when the job's end is announced, when an announcement may have been missed, after the time, or on abort. */
  next(jobId: string, milliseconds: number, signal?: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** One listening connection for all waits of a process. It must be a direct connection: poolers do not support LISTEN. */
export function listenForJobEnds(directUrl: string, onError: (error: unknown) => void): JobEnds {
  const waiting = new Map<string, Set<() => void>>()
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  let closed = false

  const wake = (jobId: string) => {
    for (const resolve of waiting.get(jobId) ?? []) resolve()
  }
  const reconnectLater = () => {
    if (!closed) retry = setTimeout(() => void connect(), reconnectMilliseconds)
  }
  const connect = async () => {
    const fresh = new pg.Client({ connectionString: directUrl, keepAlive: true })
    fresh.on('notification', ({ payload }) => payload && wake(payload))
    fresh.on('error', onError)
    fresh.once('end', reconnectLater)
    client = fresh
    try {
      await fresh.connect()
      await fresh.query(`LISTEN ${endsChannel}`)
      // Announcements during the interruption were missed, so all waits read their rows.
      for (const jobId of waiting.keys()) wake(jobId)
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
      for (const jobId of [...waiting.keys()]) wake(jobId)
      await client?.end().catch(onError)
    },
  }
}
