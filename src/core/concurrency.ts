import { unlessAborted } from './abortable.ts'

/** Runs work one after the other, in the order of the calls. Failed work does not stop the work queued after it. */
export type SerialQueue = <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>

/** A queue whose waiting calls reject as soon as their signal aborts. */
export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve()
  return (work, signal) => {
    const previous = last
    const result = unlessAborted(previous, signal).then(work)
    // A call that stopped waiting must not let the next one start before the earlier ones have ended.
    last = Promise.allSettled([previous, result])
    return result
  }
}

/** A serial queue for each key. */
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

/** Calls `load` at most once per period. Until it is over, every caller gets the result or the error of the last call. */
export function cacheFor<T>(milliseconds: number, load: () => Promise<T>): () => Promise<T> {
  let latest: { readonly answer: Promise<T>; readonly since: number } | undefined
  return () => {
    if (!latest || Date.now() - latest.since > milliseconds) latest = { answer: load(), since: Date.now() }
    return latest.answer
  }
}
