import { unlessAborted } from './abortable.ts'

/** Runs work one after the other for each key, in the order of the calls. */
export type KeyedQueue = <T>(key: string, work: () => Promise<T>) => Promise<T>

export function createKeyedQueue(): KeyedQueue {
  const last = new Map<string, Promise<unknown>>()
  return async (key, work) => {
    const before = last.get(key)
    const result = (async () => {
      await before
      return work()
    })()
    // Whoever comes next waits for the end, not for success.
    const ended = result.catch(() => {})
    last.set(key, ended)
    try {
      return await result
    } finally {
      if (last.get(key) === ended) last.delete(key)
    }
  }
}

/** Runs work when the work before it is over, however that ended. Rejects at once where the signal aborts before. */
export type SerialQueue = <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>

export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve()
  return (work, signal) => {
    const before = last
    const turn = unlessAborted(before, signal).then(work)
    // Whoever gave up waiting leaves those before it to the next one.
    last = Promise.allSettled([before, turn])
    return turn
  }
}
