import { Readable } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import { z } from 'zod'
import { withTimeout } from '../../src/core/abortable.ts'
import { cacheFor } from '../../src/core/concurrency.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { newId } from '../../src/core/ids.ts'
import { type RecentEnds, recentWorkerEnds } from '../../src/jobs/attempts.ts'
import type { Storage } from '../../src/storage/storage.ts'
import type { ApiContext, Health, HealthCheck } from '../http/context.ts'
import { errorEnvelope, response, unlimitedRoute } from '../http/route.ts'

const check = z.object({ ok: z.boolean(), latency_ms: z.number() })

const health = response('Health', {
  ok: z.boolean().describe('Whether every part below is ok.'),
  storage: check,
  new_work: z
    .object({
      ok: z.boolean(),
      process: z.boolean().describe('Whether memory and event loop of this process have room.'),
      disk: z.boolean().describe('Whether the storage has room for uploads.'),
    })
    .describe('Whether new jobs and uploads are accepted; otherwise they get 503 with Retry-After.'),
  jobs: z.object({
    database: check,
    temporal: check,
    workers: check.extend({
      count: z.int().describe('Workers that polled for work in the last 70 seconds.'),
      confined: z.int().describe('Those of them that run ffmpeg confined.'),
      blocked_last_hour: z.int().describe('Workers that ended themselves in the last hour because a job blocked them.'),
      last_blocked_at: z.iso.datetime().nullable().describe('When the last of these ended.'),
    }),
  }),
})

const readiness = response('Readiness', { ready: z.literal(true) })

/** `GET /health` */
export const healthRoute = unlimitedRoute({
  method: 'GET',
  url: '/health',
  schema: {
    operationId: 'getHealth',
    tags: ['service'],
    summary: 'Get the state of the parts that the service depends on',
    description: 'Always answers 200; the fields state what works.',
    response: { 200: health, 400: errorEnvelope },
  },
  handler: async (request, { context: { checkHealth } }) => ({ request_id: request.id, ...(await checkHealth()) }),
})

/** `GET /ready` */
export const readinessRoute = unlimitedRoute({
  method: 'GET',
  url: '/ready',
  schema: {
    operationId: 'getReadiness',
    tags: ['service'],
    summary: 'Check whether this process can take requests',
    response: { 200: readiness, 400: errorEnvelope, 503: errorEnvelope },
  },
  handler: async (request, { context: { checkHealth } }) => {
    const { jobs } = await checkHealth()
    if (!jobs.database.ok) throw new ServiceError('service_unavailable')
    return { request_id: request.id, ready: true as const }
  },
})

const boundMilliseconds = 1_000
const healthCacheMilliseconds = 1_000
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
  return cacheFor(healthCacheMilliseconds, look)
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

const answerMilliseconds = 5_000
/** The check writes, and its request counts for the service's own address. */
const signedUrlCacheMilliseconds = 10_000

/** Stores a few bytes and reads them at a signed URL, as the reader of an output does, at most once in ten seconds. */
export function createSignedUrlCheck(storage: Pick<Storage, 'write' | 'presignGet' | 'delete'>): () => Promise<void> {
  return cacheFor(signedUrlCacheMilliseconds, async () => {
    const id = newId('out')
    const key = `diagnostics/${id}`
    const signal = AbortSignal.timeout(answerMilliseconds)
    try {
      await storage.write(key, Readable.from([id]), 'text/plain', signal)
      const { url } = await storage.presignGet({ key, fileName: id, contentType: 'text/plain', expiresInSeconds: 60 })
      const response = await fetch(url, { signal })
      if ((await response.text()) !== id) throw new Error(`the URL answered ${response.status}`)
    } finally {
      await storage.delete(key).catch(() => {})
    }
  })
}
