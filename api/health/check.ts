import type { FastifyBaseLogger } from 'fastify'
import { withTimeout } from '../../src/core/abortable.ts'
import { cacheFor } from '../../src/core/concurrency.ts'
import { type RecentEnds, recentWorkerEnds } from '../../src/store/worker-ends.ts'
import type { ApiContext, Health, HealthCheck } from '../http/context.ts'

const boundMilliseconds = 1_000
const cachedMilliseconds = 1_000
const notMeasured = { process: true, disk: false }

/**
 * Checks all parts in parallel, each within a second, at most once a second. Never throws: the log has the reason when a
 * part begins to fail, and a line when it recovers.
 */
export function createHealthCheck({
  db,
  storage,
  jobs,
  logger,
  pressure,
}: Pick<ApiContext, 'db' | 'storage' | 'jobs' | 'logger' | 'pressure'>): () => Promise<Health> {
  const time = createTimer(logger)
  const look = async (): Promise<Health> => {
    let counted = { count: 0, confined: 0 }
    let ends: RecentEnds = { count: 0, lastAt: null }
    const [accepts, stored, database, temporal, workers] = await Promise.all([
      withTimeout(pressure.check(), boundMilliseconds, () => new Error('no answer in time')).catch(() => notMeasured),
      time('storage', () => storage.ping()),
      time('database', async () => {
        ends = await recentWorkerEnds(db)
      }),
      time('temporal', () => jobs.ping()),
      time('workers', async () => {
        counted = await jobs.countWorkers()
        if (counted.count === 0) throw new Error('no worker asks for work')
      }),
    ])
    const blocked = { blocked_last_hour: ends.count, last_blocked_at: ends.lastAt?.toISOString() ?? null }
    const newWork = { ok: accepts.process && accepts.disk, ...accepts }
    return {
      ok: [newWork, stored, database, temporal, workers].every(({ ok }) => ok),
      storage: stored,
      new_work: newWork,
      jobs: { database, temporal, workers: { ...workers, ...counted, ...blocked } },
    }
  }
  return cacheFor(cachedMilliseconds, look)
}

function createTimer(logger: FastifyBaseLogger): (part: string, work: () => Promise<void>) => Promise<HealthCheck> {
  const failing = new Set<string>()
  return async (part, work) => {
    const start = performance.now()
    const check = (ok: boolean) => ({ ok, latency_ms: Math.round(performance.now() - start) })
    try {
      await withTimeout(work(), boundMilliseconds, () => new Error('no answer in time'))
      if (failing.delete(part)) logger.warn({ part }, 'healthy again')
      return check(true)
    } catch (error) {
      if (!failing.has(part)) logger.warn({ part, err: error }, 'not healthy')
      failing.add(part)
      return check(false)
    }
  }
}
