/** Measures the time in which at least one reader waits for bytes. */
export interface WaitClock {
  waitedMs(): number
  /** Counts the time until the step settles. */
  waitFor<T>(step: Promise<T>): Promise<T>
  /** Passes the chunks on, and counts the time spent waiting for them. */
  measure(chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer>
}

export function createWaitClock(): WaitClock {
  let waiting = 0
  let since = 0
  let passedMs = 0
  const runningMs = () => (waiting > 0 ? performance.now() - since : 0)

  async function waitFor<T>(step: Promise<T>): Promise<T> {
    if (waiting === 0) since = performance.now()
    waiting += 1
    try {
      return await step
    } finally {
      const untilNow = runningMs()
      waiting -= 1
      if (waiting === 0) passedMs += untilNow
    }
  }

  return {
    waitedMs: () => passedMs + runningMs(),
    waitFor,
    async *measure(chunks) {
      try {
        for (;;) {
          const next = await waitFor(chunks.next())
          if (next.done) return
          yield next.value
        }
      } finally {
        await chunks.return(undefined)
      }
    },
  }
}
