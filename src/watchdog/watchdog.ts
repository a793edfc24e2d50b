import { Session } from 'node:inspector'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { Client } from 'pg'
import { z } from 'zod'
import { installedFile } from '../core/disk.ts'
import { isId, newId } from '../core/ids.ts'
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

export interface WorkerEndInput extends Pick<BlockedLoop, 'workId'> {
  readonly worker: string
  /** All jobs, runs and probes that the process worked on. */
  readonly jobs: readonly string[]
}

/** Who is recorded for the end of a worker. */
export interface Blame {
  readonly subjectIds: readonly string[]
  readonly isCause: boolean
}

/** The service's own work, such as upkeep. */
const nobody: Blame = { subjectIds: [''], isCause: false }

function causedBy(workId: string): Blame {
  return { subjectIds: [workId], isCause: true }
}

function isOfAccount(workId: string): boolean {
  return isId('job', workId) || isId('run', workId) || isId('prb', workId)
}

/**
 * Lays the end of a worker at the door of one job where that can be told: the one in whose context the loop is blocked, or the only
 * one that was suspected before, because suspects run one after the other. Otherwise all that ran are suspects, also a single one:
 * the service's own work may have blocked the loop.
 */
export function blameFor({ workId, jobs }: WorkerEndInput, suspectedBefore: readonly string[]): Blame {
  if (workId !== undefined) return isOfAccount(workId) ? causedBy(workId) : nobody
  const [only, second] = suspectedBefore
  if (only !== undefined && second === undefined) return causedBy(only)
  return jobs.length > 0 ? { subjectIds: jobs, isCause: false } : nobody
}

/** By a connection of its own: the pool of the process is blocked with its loop. */
export async function recordWorkerEnd(databaseUrl: string, end: WorkerEndInput): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ id: string }>(
    'SELECT DISTINCT subject_id AS id FROM worker_ends WHERE subject_id = ANY($1)',
    [end.jobs],
  )
  const { subjectIds, isCause } = blameFor(
    end,
    rows.map(({ id }) => id),
  )
  await client.query(
    'INSERT INTO worker_ends (id, subject_id, is_cause, worker) SELECT $1, unnest($2::text[]), $3, $4',
    [newId('end'), subjectIds, isCause, end.worker],
  )
  await client.end()
}

export interface BlockedLoop {
  /** The workflow in whose asynchronous context the loop is blocked, if that can be seen. */
  readonly workId?: string | undefined
  /** The innermost calls. Empty if they cannot be seen. */
  readonly stack: readonly string[]
}

/** Calls into native code cannot be paused. */
const pauseMilliseconds = 2_000
const shownCalls = 10

const answer = z.object({ result: z.object({ value: z.string().optional() }) })

/** Pauses the main thread from another one, and looks at what it does (https://nodejs.org/api/inspector.html#sessionconnecttomainthread). */
export async function inspectBlockedLoop(): Promise<BlockedLoop> {
  const session = new Session()
  session.connectToMainThread()
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ stack: [] }), pauseMilliseconds)
    session.on('Debugger.paused', ({ params: { callFrames } }) => {
      clearTimeout(timer)
      const stack = callFrames
        .slice(0, shownCalls)
        .map(({ functionName, url, location }) => `${functionName || 'anonymous'} ${url}:${location.lineNumber + 1}`)
      const callFrameId = callFrames[0]?.callFrameId ?? ''
      const expression = `globalThis.${workInHandGlobal}()`
      session.post('Debugger.evaluateOnCallFrame', { callFrameId, expression, returnByValue: true }, (error, given) => {
        const { data } = answer.safeParse(given)
        resolve({ stack, workId: error ? undefined : data?.result.value })
      })
    })
    session.post('Debugger.enable')
    session.post('Debugger.pause')
  })
}
