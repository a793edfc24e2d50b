/** The thread of a watchdog. It shares nothing with the blocked loop but a number that changes. */
import { readFileSync, writeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { pino } from 'pino'
import { createCounts } from '../core/counts.ts'
import { maxBusyFactor, type WatchdogMessage, watchdogData } from './watchdog-data.ts'

const lookSeconds = 0.5
const ticksPerSecond = 100
/** The database may be the reason why nothing moves. */
const recordMilliseconds = 3_000

const { beat, blockedSeconds, process: name, databaseUrl } = watchdogData.parse(workerData)
const running = createCounts()
const logger = pino({ base: { process: name } }, { write: (line: string) => writeSync(1, line) })

parentPort?.on('message', (message: WatchdogMessage) => {
  if (message === 'watch') watch()
  else if ('began' in message) running.add(message.began)
  else running.remove(message.ended)
})

function watch(): void {
  let last = Atomics.load(beat, 0)
  let { cpuSeconds: cpuBefore } = mainThread()
  let stillLooks = 0
  let blockedFor = 0
  const timer = setInterval(() => {
    const now = Atomics.load(beat, 0)
    const { isRunnable, cpuSeconds } = mainThread()
    const isStill = now === last
    // Looks are counted, not seconds: a machine that was suspended has blocked nobody. Nor has one that is too busy to run the loop.
    stillLooks = isStill ? stillLooks + 1 : 0
    blockedFor = isStill ? blockedFor + (isRunnable ? cpuSeconds - cpuBefore : lookSeconds) : 0
    cpuBefore = cpuSeconds
    last = now
    if (blockedFor < blockedSeconds && stillLooks * lookSeconds < maxBusyFactor * blockedSeconds) return
    clearInterval(timer)
    void endProcess()
  }, lookSeconds * 1000)
}

/** Whether the main thread would run if it got a core, and how long it has run (proc_pid_stat(5)). Elsewhere, it counts as waiting. */
function mainThread(): { readonly isRunnable: boolean; readonly cpuSeconds: number } {
  if (process.platform !== 'linux') return { isRunnable: false, cpuSeconds: 0 }
  const stat = readFileSync(`/proc/self/task/${process.pid}/stat`, 'latin1')
  // The name of the program, in brackets before these fields, can contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { isRunnable: fields[0] === 'R', cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond }
}

async function endProcess(): Promise<void> {
  const jobs = [...running.keys()]
  try {
    // Loaded only now: they take memory of every process.
    const { inspectBlockedLoop, recordWorkerEnd } = await import('./watchdog.ts')
    const { workId, stack } = await inspectBlockedLoop()
    logger.fatal({ workId, jobs, stack, blockedSeconds }, 'the event loop is blocked, and this process ends')
    if (databaseUrl === undefined) return
    const recorded = recordWorkerEnd(databaseUrl, { worker: name, workId, jobs })
    const late = new Promise((_, reject) =>
      setTimeout(() => reject(new Error('no answer in time')), recordMilliseconds),
    )
    await Promise.race([recorded, late])
  } catch (error) {
    logger.error({ err: error, jobs }, 'the end of this process is not recorded')
  } finally {
    process.kill(process.pid, 'SIGKILL')
  }
}
