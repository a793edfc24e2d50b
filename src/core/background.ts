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
