import { setTimeout as sleep } from 'node:timers/promises'
import { waitFor } from './abortable.ts'

/**
 * Runs the work of each key one after the other, in the order of the calls. Failed work does not stop the work queued after it. Work
 * whose signal aborts before its turn is not begun.
 */
export type KeyedQueue = <T>(key: string, work: () => Promise<T>, signal?: AbortSignal) => Promise<T>

/**
 * A queue that forgets a key when no work is queued for it. After each work, its key waits `restForWork` times as long before its next
 * work begins, so that one key leaves time to the others.
 */
export function createKeyedQueue({ restForWork = 0 } = {}): KeyedQueue {
  const last = new Map<string, Promise<void>>()
  return (key, work, signal) => {
    let began: number | undefined
    const result = (last.get(key) ?? Promise.resolve()).then(() => {
      signal?.throwIfAborted()
      began = performance.now()
      return work()
    })
    const rest = async () => {
      if (restForWork > 0 && began !== undefined)
        await sleep((performance.now() - began) * restForWork, undefined, { ref: false })
    }
    const ended = result.then(rest, rest).then(() => {
      if (last.get(key) === ended) last.delete(key)
    })
    last.set(key, ended)
    return result
  }
}

/** Calls `load` at most once per period. Until the period is over, every caller gets the result or the error of the last call. */
export function cacheFor<T>(milliseconds: number, load: () => Promise<T>): () => Promise<T> {
  let latest: { readonly answer: Promise<T>; readonly since: number } | undefined
  return () => {
    if (!latest || Date.now() - latest.since > milliseconds) latest = { answer: load(), since: Date.now() }
    return latest.answer
  }
}

/** Runs work as soon as fewer than `max` works run, in the order of the calls. An aborted signal takes its call out of the queue. */
type Limit = <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>

export function createLimit(max: number): Limit {
  let running = 0
  const waiting = new Set<() => void>()
  const startNext = () => {
    const [next] = waiting
    if (running >= max || !next) return
    waiting.delete(next)
    running += 1
    next()
  }
  return async (work, signal) => {
    await waitFor(signal, (start) => {
      waiting.add(start)
      startNext()
      return () => waiting.delete(start)
    })
    try {
      return await work()
    } finally {
      running -= 1
      startNext()
    }
  }
}

/** Work whose end nobody waits for now. It must handle its own errors and never reject. */
export interface Background {
  run(work: Promise<void>): void
  /** Resolves when all of it has ended. */
  settled(): Promise<void>
}

export function createBackground(): Background {
  const running = new Set<Promise<void>>()
  return {
    run: (work) => {
      running.add(work)
      void work.finally(() => running.delete(work))
    },
    settled: async () => {
      await Promise.allSettled(running)
    },
  }
}

/** Rows with ids, or the ids alone. */
export type Identified = string | { readonly id: string }

/** Which rows a query finds. */
export interface RowPage {
  readonly limit: number
  /** The ids of rows that it passes over. */
  readonly except?: readonly string[]
}

interface PagedWork<Row extends Identified> {
  /** A page of the rows that wait, oldest first. */
  readonly find: (page: RowPage) => Promise<readonly Row[]>
  /** Returns how many of the rows are done. */
  readonly work: (rows: readonly Row[]) => Promise<number>
  /** The size of a full page. */
  readonly pageSize: number
  /** No further page begins once this number of rows is done. */
  readonly maxDone?: number
}

/** The most rows that stay, before the rest is left to the next time: each may cost a failed call. */
const maxLeft = 2_000

/**
 * Works on waiting rows page by page, each once. Rows that stay, because they fail or cannot be done yet, do not keep newer ones
 * from their turn. Returns how many were found and done.
 */
export async function workThrough<Row extends Identified>({
  find,
  work,
  pageSize,
  maxDone = Number.POSITIVE_INFINITY,
}: PagedWork<Row>): Promise<{ readonly found: number; readonly done: number }> {
  const seen: string[] = []
  let done = 0
  while (done < maxDone && seen.length - done < maxLeft) {
    const page = await find({ limit: pageSize, except: seen })
    seen.push(...page.map(rowId))
    done += await work(page)
    if (page.length < pageSize) break
  }
  return { found: seen.length, done }
}

export function rowId(row: Identified): string {
  return typeof row === 'string' ? row : row.id
}

export interface AskAgainLimits {
  readonly pauseMilliseconds: number
  readonly maxMilliseconds: number
}

/** Asks until there is an answer, or a failure that does not pass. Throws the last failure when the time is over, or the signal aborts. */
export async function askAgain<T>(
  ask: () => Promise<T>,
  mayPass: (error: unknown) => boolean,
  { pauseMilliseconds, maxMilliseconds, signal }: AskAgainLimits & { readonly signal: AbortSignal },
): Promise<T> {
  const endsAt = performance.now() + maxMilliseconds
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!mayPass(error) || signal.aborted || performance.now() >= endsAt) throw error
      await sleep(pauseMilliseconds, undefined, { signal }).catch(() => {})
    }
  }
}

export async function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  )
}
