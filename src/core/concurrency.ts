import { waitFor } from './abortable.ts'

/** Runs the work of each key one after the other, in the order of the calls. Failed work does not stop the work queued after it. */
export type KeyedQueue = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** A queue that forgets a key when no work is queued for it. */
export function createKeyedQueue(): KeyedQueue {
  const last = new Map<string, Promise<unknown>>()
  return async (key, work) => {
    const result = (last.get(key) ?? Promise.resolve()).then(work)
    const ended = result.catch(() => {})
    last.set(key, ended)
    try {
      return await result
    } finally {
      if (last.get(key) === ended) last.delete(key)
    }
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
export type Limit = <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>

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
