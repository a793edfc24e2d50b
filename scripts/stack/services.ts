import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { answers, fetchJson } from './http.ts'
import { StoppedError, type Supervisor } from './processes.ts'
import type { ToolCommand } from './run-to-end.ts'

/** Without this limit, V8 uses more memory on a large machine before it collects garbage. The image sets the same. */
export const heapLimit = '--max-old-space-size=768'

type Variables = Readonly<Record<string, string | undefined>>

/** Where the packages are, and the folder of the compiled services. */
export interface ServiceCode {
  readonly root: string
  readonly build: string
}

export interface ServiceStart {
  readonly supervisor: Supervisor
  readonly code: ServiceCode
  readonly env: Variables
  readonly say: (message: string) => void
}

/** Starts the API, which answers when this resolves. Returns its base address. */
export async function startApi({ supervisor, code, env, say }: ServiceStart, port: number): Promise<string> {
  const url = `http://127.0.0.1:${port}`
  await keepRunning({ supervisor, say }, (onEnd) => {
    const api = supervisor.start({
      name: 'api',
      command: node(code, 'api/server.js'),
      cwd: code.root,
      env,
      layer: 3,
      stopSeconds: 15,
      whileStopping: 'answers its last requests',
    })
    return supervisor.untilReady(api, () => answers(`${url}/ready`), { onEnd })
  })
  return url
}

/** Starts the worker; it is about to poll for work when this resolves. */
export async function startWorker({ supervisor, code, env, say }: ServiceStart, niceness = 0): Promise<void> {
  await keepRunning({ supervisor, say }, (onEnd) => {
    const worker = supervisor.start({
      name: 'worker',
      command: node(code, 'activities/worker.js'),
      cwd: code.root,
      // With fewer malloc arenas, threads keep less memory that they no longer need.
      env: { MALLOC_ARENA_MAX: '2', ...env, ...metricsOnNextPort(env) },
      ipc: true,
      niceness,
      layer: 2,
      // Longer than the worker's grace time for running jobs.
      stopSeconds: Number(env['SHUTDOWN_GRACE_SECONDS'] || 30) + 15,
      whileStopping: 'finishes what its jobs do now; at the next start, they continue with the rest',
    })
    let isReady = false
    worker.child.once('message', () => {
      isReady = true
    })
    return supervisor.untilReady(worker, () => isReady, { onEnd })
  })
}

/** More ends than this in a minute are a crash. */
const maxEndsAMinute = 5

/** Starts a process, and starts it again when it ends: a service that a job blocks ends itself, and so does one that lacks memory. */
async function keepRunning(
  { supervisor, say }: Pick<ServiceStart, 'supervisor' | 'say'>,
  begin: (onEnd: (reason: string) => void) => Promise<void>,
): Promise<void> {
  const ends: number[] = []
  const beginAgain = (reason: string) => {
    const now = performance.now()
    ends.push(now)
    if (ends.filter((at) => now - at < 60_000).length > maxEndsAMinute) return supervisor.reportCrash(reason)
    say(`${reason.split('\n').at(-1)} It is started again`)
    begin(beginAgain).catch((error: unknown) => {
      if (!(error instanceof StoppedError)) beginAgain(String(error))
    })
  }
  await begin(beginAgain)
}

/** Whether the API reports within five seconds that all parts work, including the worker. */
export async function isHealthy(apiUrl: string): Promise<boolean> {
  const healthy = z.object({ ok: z.literal(true) })
  const deadline = Date.now() + 5000
  while (!healthy.safeParse(await fetchJson(`${apiUrl}/health`)).success) {
    if (Date.now() > deadline) return false
    await sleep(50)
  }
  return true
}

/** Moves the worker's metrics to the next port: two processes cannot listen on one METRICS_ADDRESS. */
function metricsOnNextPort({ METRICS_ADDRESS = '' }: Variables): Variables {
  const [, host, port] = /^(.*):(\d+)$/.exec(METRICS_ADDRESS) ?? []
  return host && port ? { METRICS_ADDRESS: `${host}:${Number(port) + 1}` } : {}
}

function node({ build }: ServiceCode, script: string): ToolCommand {
  return [process.execPath, heapLimit, path.join(build, script)]
}
