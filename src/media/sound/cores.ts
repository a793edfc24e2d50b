/** Counts the cores that this worker's media steps use, so that a step that can use several takes only idle ones. */
export interface Cores {
  readonly total: number
  /** Runs a step that uses one core. */
  use<T>(step: () => Promise<T>): Promise<T>
  /** Runs work on up to `max` idle cores besides the caller's own. They count as used until the work ends. */
  borrow<T>(max: number, work: (borrowed: number) => Promise<T>): Promise<T>
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
    borrow: (max, work) => {
      const borrowed = Math.max(0, Math.min(max, total - used))
      return take(borrowed, () => work(borrowed))
    },
  }
}
