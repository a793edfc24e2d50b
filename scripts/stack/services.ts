import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { answers, fetchJson } from './http.ts'
import type { Supervisor } from './processes.ts'
import type { ToolCommand } from './run-to-end.ts'

/** Without this limit, V8 uses more memory on a large machine before it collects garbage. The image sets the same. */
export const heapLimit = '--max-old-space-size=768'

type Variables = Readonly<Record<string, string | undefined>>

/** Where the packages are, and the folder of the compiled services. */
export interface ServiceCode {
  readonly root: string
  readonly build: string
}

/** Starts the API, which answers when this resolves. Returns its base address. */
export async function startApi(
  supervisor: Supervisor,
  code: ServiceCode,
  env: Variables,
  port: number,
): Promise<string> {
  const api = supervisor.start({
    name: 'api',
    command: node(code, 'api/server.js'),
    cwd: code.root,
    env,
    layer: 3,
    stopSeconds: 15,
    whileStopping: 'answers its last requests',
  })
  const url = `http://127.0.0.1:${port}`
  await supervisor.untilReady(api, () => answers(`${url}/ready`))
  return url
}

/** Starts the worker; it is about to poll for work when this resolves. */
export async function startWorker(
  supervisor: Supervisor,
  code: ServiceCode,
  env: Variables,
  niceness = 0,
): Promise<void> {
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
  await supervisor.untilReady(worker, () => isReady)
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
