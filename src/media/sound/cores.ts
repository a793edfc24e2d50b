/** Counts the cores that this worker's media activities use, so that an activity that can use several takes only idle ones. */
export interface Cores {
  readonly total: number
  /** Runs an activity that uses one core. */
  use<T>(activity: () => Promise<T>): Promise<T>
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
    use: (activity) => take(1, activity),
    borrow: (max, work) => {
      const borrowed = Math.max(0, Math.min(max, total - used))
      return take(borrowed, () => work(borrowed))
    },
  }
}
