import { pingDatabase } from '../src/store/database.ts'
import type { ApiDependencies } from './context.ts'

const boundMilliseconds = 1_000
const cachedMilliseconds = 1_000

export interface Check {
  readonly ok: boolean
  readonly latency_ms: number
}

export interface Health {
  readonly ok: boolean
  readonly storage: Check
  readonly jobs: {
    readonly database: Check
    readonly temporal: Check
    readonly workers: Check & { readonly count: number }
  }
}

/** Looks at everything at once, each within a second, at most once a second. Never throws. */
export function createHealthCheck({
  db,
  storage,
  jobs,
}: Pick<ApiDependencies, 'db' | 'storage' | 'jobs'>): () => Promise<Health> {
  const look = async (): Promise<Health> => {
    const [stored, database, temporal, workers] = await Promise.all([
      time(() => storage.ping()),
      time(() => pingDatabase(db)),
      time(() => jobs.ping()),
      time(() => jobs.countWorkers()),
    ])
    const count = workers.value ?? 0
    const polled = { ok: count > 0, latency_ms: workers.check.latency_ms, count }
    const checks = [stored.check, database.check, temporal.check, polled]
    return {
      ok: checks.every(({ ok }) => ok),
      storage: stored.check,
      jobs: { database: database.check, temporal: temporal.check, workers: polled },
    }
  }
  let latest: { readonly health: Promise<Health>; readonly since: number } | undefined
  return () => {
    if (!latest || Date.now() - latest.since > cachedMilliseconds) latest = { health: look(), since: Date.now() }
    return latest.health
  }
}

async function time<T>(work: () => Promise<T>): Promise<{ readonly check: Check; readonly value?: T }> {
  const start = performance.now()
  const check = (ok: boolean) => ({ ok, latency_ms: Math.round(performance.now() - start) })
  try {
    const value = await withinBound(work())
    return { check: check(true), value }
  } catch {
    return { check: check(false) }
  }
}

async function withinBound<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), boundMilliseconds)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
