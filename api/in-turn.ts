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
