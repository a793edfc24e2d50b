import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { installedFile } from '../core/installed-file.ts'
import {
  maxBusyFactor,
  type WatchdogData,
  type WatchdogMessage,
  type WatchdogSettings,
  workInHandGlobal,
} from './watchdog-data.ts'

export interface Watchdog {
  /** The longest that a process can be blocked until its end is recorded. */
  readonly recordedWithinSeconds: number
  /** Begins to watch. A start may block the loop for long: it loads programs, and no job waits for it. */
  watch(): void
  /** Names the work while it runs. */
  during<T>(workId: string, work: () => Promise<T>): Promise<T>
  stop(): Promise<void>
}

/** Several beats within each look of the thread. */
const beatMilliseconds = 200

/** Compiled services have it as a file of its own; tests run the sources, for which a thread must load tsx by itself. */
const isCompiled = import.meta.url.endsWith('.js')

function startThread(workerData: WatchdogData): Worker {
  if (isCompiled) return new Worker(installedFile('src/watchdog/watchdog-thread.js'), { workerData })
  const entry = pathToFileURL(installedFile('src/watchdog/watchdog-thread.ts'))
  return new Worker(`import('tsx/esm/api').then(({ register }) => { register(); return import('${entry.href}') })`, {
    workerData,
    eval: true,
  })
}

/**
 * Ends this process when its event loop makes no step for `blockedSeconds`: nothing else could, because every timer and signal
 * handler waits for the loop. A thread watches it, because only another thread still runs then. `workInHand` returns the job or run
 * in whose asynchronous context it is called.
 */
export function startWatchdog(
  settings: WatchdogSettings,
  workInHand: () => string | undefined = () => undefined,
): Watchdog {
  if (settings.blockedSeconds === 0) return idleWatchdog
  const beat = new Int32Array(new SharedArrayBuffer(4))
  const thread = startThread({ ...settings, beat })
  thread.unref()
  const timer = setInterval(() => Atomics.add(beat, 0, 1), beatMilliseconds)
  Object.defineProperty(globalThis, workInHandGlobal, { value: workInHand, configurable: true })
  const tell = (message: WatchdogMessage) => thread.postMessage(message)
  return {
    recordedWithinSeconds: settings.blockedSeconds * maxBusyFactor + 1,
    watch: () => tell('watch'),
    async during(workId, work) {
      tell({ began: workId })
      try {
        return await work()
      } finally {
        tell({ ended: workId })
      }
    },
    async stop() {
      clearInterval(timer)
      await thread.terminate()
    },
  }
}

/** Watches nothing. */
export const idleWatchdog: Watchdog = {
  recordedWithinSeconds: 0,
  watch: () => {},
  during: (_, work) => work(),
  stop: async () => {},
}
