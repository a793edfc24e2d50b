/** The thread of a watchdog. It shares nothing with the blocked loop but a number that changes. */
import { writeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { pino } from 'pino'
import { createCounts } from '../core/counts.ts'
import type { WatchdogData, WatchdogMessage } from './watchdog.ts'

const lookMilliseconds = 500
/** The database may be the reason why nothing moves. */
const recordMilliseconds = 3_000

const { beat, blockedSeconds, process: name, databaseUrl }: WatchdogData = workerData
const running = createCounts()
const logger = pino({ base: { process: name } }, { write: (line: string) => writeSync(1, line) })

parentPort?.on('message', (message: WatchdogMessage) => {
  if ('began' in message) running.add(message.began)
  else running.remove(message.ended)
})

let last = -1
let stillLooks = 0
const timer = setInterval(() => {
  const now = Atomics.load(beat, 0)
  // Looks are counted, not seconds: a machine that was suspended has blocked nobody.
  stillLooks = now === last ? stillLooks + 1 : 0
  last = now
  if (stillLooks * lookMilliseconds < blockedSeconds * 1000) return
  clearInterval(timer)
  void endProcess()
}, lookMilliseconds)

async function endProcess(): Promise<void> {
  const jobs = [...running.keys()]
  try {
    // Loaded only now: they take memory of every process.
    const { inspectBlockedLoop } = await import('./blocked-loop.ts')
    const { workId, stack } = await inspectBlockedLoop()
    logger.fatal({ workId, jobs, stack, blockedSeconds }, 'the event loop is blocked, and this process ends')
    if (databaseUrl === undefined) return
    const { recordWorkerEnd } = await import('./record-worker-end.ts')
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
