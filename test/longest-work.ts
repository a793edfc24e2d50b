/** What lets nothing else run for so long holds up a whole process. Several times as long as any work is meant to take. */
export const tooLongMs = 200

/**
 * The longest time in milliseconds for which the work lets nothing else run. The clock counts what other processes take meanwhile,
 * and the processor's time counts the helper threads of this one (the collector's): the thread itself took no more than the lesser.
 */
export async function longestWork(work: () => unknown): Promise<number> {
  let [longest, isDone] = [0, false]
  let [lastAt, lastUsage] = [performance.now(), process.cpuUsage()]
  const look = () => {
    const { user, system } = process.cpuUsage(lastUsage)
    longest = Math.max(longest, Math.min((user + system) / 1000, performance.now() - lastAt))
    lastAt = performance.now()
    lastUsage = process.cpuUsage()
    if (!isDone) setImmediate(look)
  }
  setImmediate(look)
  try {
    await work()
  } finally {
    isDone = true
    look()
  }
  return longest
}
