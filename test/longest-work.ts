/** What lets nothing else run for so long holds up a whole process. Several times as long as any work is meant to take. */
export const tooLongMs = 200

/** The longest time in milliseconds of the processor for which the work lets nothing else run: others may use the processor meanwhile. */
export async function longestWork(work: () => unknown): Promise<number> {
  let [longest, isDone] = [0, false]
  let last = process.cpuUsage()
  const look = () => {
    const { user, system } = process.cpuUsage(last)
    longest = Math.max(longest, (user + system) / 1000)
    last = process.cpuUsage()
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
