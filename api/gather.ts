interface Caller<T> {
  readonly resolve: (value: T) => void
  readonly reject: (error: unknown) => void
}

/**
 * Work for a key that is called again while it runs: those calls wait, and then go in one piece of work, which is told how
 * many they are and gives a value for each, in the order of the calls.
 */
export function batchByKey<T>(
  work: (key: string, count: number) => Promise<readonly T[]>,
): (key: string) => Promise<T> {
  const waiting = new Map<string, Caller<T>[]>()

  async function workFor(key: string, callers: Caller<T>[]): Promise<void> {
    while (callers.length > 0) {
      const together = callers.splice(0)
      try {
        const values = await work(key, together.length)
        for (const [index, value] of values.entries()) together[index]?.resolve(value)
        if (values.length < together.length) throw new Error('fewer values than calls')
      } catch (error) {
        for (const { reject } of together) reject(error)
      }
    }
    waiting.delete(key)
  }

  return (key) =>
    new Promise((resolve, reject) => {
      const callers = waiting.get(key)
      if (callers) {
        callers.push({ resolve, reject })
      } else {
        const first = [{ resolve, reject }]
        waiting.set(key, first)
        void workFor(key, first)
      }
    })
}
