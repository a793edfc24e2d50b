/** How many of this worker's cores its media steps use, so that a step that can use more takes only idle ones. */
export interface Cores {
  readonly total: number
  /** Runs a step that uses one core. */
  use<T>(step: () => Promise<T>): Promise<T>
  /** Runs work on up to `most` idle cores besides the caller's own, which others do not count as idle meanwhile. */
  borrow<T>(most: number, work: (borrowed: number) => Promise<T>): Promise<T>
}

export function createCores(total: number): Cores {
  let used = 0
  async function take<T>(count: number, work: () => Promise<T>): Promise<T> {
    used += count
    try {
      return await work()
    } finally {
      used -= count
    }
  }
  return {
    total,
    use: (step) => take(1, step),
    borrow: (most, work) => {
      const borrowed = Math.max(0, Math.min(most, total - used))
      return take(borrowed, () => work(borrowed))
    },
  }
}
