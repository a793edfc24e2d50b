import { existsSync, readFileSync } from 'node:fs'

/** What lets nothing else run for so long holds up a whole process. Several times as long as any work is meant to take. */
export const tooLongMs = 200

/**
 * The longest time in milliseconds for which the work lets nothing else run. The clock counts what other processes take meanwhile,
 * and the processor's time, where it is known of the process alone, the helper threads (the collector's): the lesser of both counts.
 */
export async function longestWork(work: () => unknown): Promise<number> {
  let [longest, isDone] = [0, false]
  let [lastAt, lastUsage] = [performance.now(), processorMs()]
  const look = () => {
    longest = Math.max(longest, Math.min(processorMs() - lastUsage, performance.now() - lastAt))
    lastAt = performance.now()
    lastUsage = processorMs()
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

/** Linux counts the nanoseconds of each thread (proc_pid_schedstat(5)). Node 20 has only those of the process. */
function processorMs(): number {
  if (existsSync(threadTimes)) return Number(readFileSync(threadTimes, 'utf8').split(' ')[0]) / 1_000_000
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const threadTimes = '/proc/thread-self/schedstat'
