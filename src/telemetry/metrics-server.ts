import { createServer } from 'node:http'
import { collectDefaultMetrics, type Registry } from 'prom-client'
import type { Config } from '../config.ts'
import { withTimeout } from '../core/abortable.ts'
import type { Database } from '../db/database.ts'
import { recentWorkerEnds } from '../jobs/attempts.ts'
import { countOpenJobs } from '../jobs/open-jobs.ts'
import type { Metrics } from './metrics.ts'

interface MetricsServer {
  close(): Promise<void>
}

interface Sources {
  readonly registry: Registry
  /** Runs before each scrape. */
  readonly refresh?: () => Promise<void>
  /** Metrics text of another source, appended to ours. */
  readonly more?: () => Promise<string>
}

/**
 * Serves `GET /metrics` on its own listener, so that metrics are never on the public port, and starts measuring the
 * process. Does nothing without an address.
 */
export async function serveMetrics(
  address: Config['METRICS_ADDRESS'],
  { registry, refresh = async () => {}, more = async () => '' }: Sources,
): Promise<MetricsServer> {
  if (!address) return { close: async () => {} }
  collectDefaultMetrics({ register: registry })
  const text = async () => {
    const [others] = await Promise.all([more(), refresh()])
    return `${await registry.metrics()}\n${others}`
  }
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end()
    text().then(
      (body) => response.writeHead(200, { 'content-type': registry.contentType }).end(body),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      reject(new Error(`METRICS_ADDRESS: ${address.host}:${address.port} cannot be listened on (${code})`)),
    )
    server.listen(address, resolve)
  })
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        // Scrapers keep their connection open.
        server.closeAllConnections()
      }),
  }
}

const boundMilliseconds = 1_000

/**
 * Fills gauges before a scrape, with the rows that `read` finds, at most once in `cachedMilliseconds`. A scrape waits a second for
 * them, then leaves the gauges out.
 */
function gaugeRefresher<Row>(
  read: () => Promise<readonly Row[]>,
  show: (rows: readonly Row[]) => void,
  cachedMilliseconds: number,
): () => Promise<void> {
  let reading: Promise<void> | undefined
  let readAt = Number.NEGATIVE_INFINITY

  const refresh = async () => {
    show(await read().catch(() => []))
    readAt = performance.now()
    reading = undefined
  }
  return async () => {
    if (performance.now() - readAt < cachedMilliseconds) return
    reading ??= refresh()
    await withTimeout(reading, boundMilliseconds, () => new Error('no answer in time')).catch(() => show([]))
  }
}

const openJobsCacheMilliseconds = 5_000

/** Fills the gauges of open jobs from the database before a scrape. */
export function openJobsReader(
  db: Database,
  { openJobs, oldestOpenJobSeconds }: Pick<Metrics, 'openJobs' | 'oldestOpenJobSeconds'>,
): () => Promise<void> {
  return gaugeRefresher(
    () => countOpenJobs(db),
    (counts) => {
      openJobs.reset()
      oldestOpenJobSeconds.reset()
      for (const { endpoint, status, jobs, oldestSeconds } of counts) {
        openJobs.set({ endpoint, status }, jobs)
        oldestOpenJobSeconds.set({ endpoint, status }, oldestSeconds)
      }
    },
    openJobsCacheMilliseconds,
  )
}

/** Fills the gauge of workers that ended themselves. */
export function workerEndsReader(db: Database, { workerEnds }: Pick<Metrics, 'workerEnds'>): () => Promise<void> {
  return gaugeRefresher(
    async () => [await recentWorkerEnds(db)],
    (recent) => {
      workerEnds.remove()
      for (const { count } of recent) workerEnds.set(count)
    },
    openJobsCacheMilliseconds,
  )
}

/** What waits for a worker in a Temporal task queue. */
export interface TaskQueueBacklog {
  readonly taskQueue: string
  readonly tasks: number
  /** The age of the oldest task; 0 without tasks. */
  readonly ageSeconds: number
}

/** Four calls of Temporal, which limits calls per namespace. */
const backlogCacheMilliseconds = 15_000

/** Fills the gauges of the task queues from Temporal before a scrape. */
export function taskQueueBacklogReader(
  { describeBacklogs }: { describeBacklogs(): Promise<TaskQueueBacklog[]> },
  { taskQueueBacklog, taskQueueBacklogAgeSeconds }: Pick<Metrics, 'taskQueueBacklog' | 'taskQueueBacklogAgeSeconds'>,
): () => Promise<void> {
  return gaugeRefresher(
    describeBacklogs,
    (backlogs) => {
      taskQueueBacklog.reset()
      taskQueueBacklogAgeSeconds.reset()
      for (const { taskQueue, tasks, ageSeconds } of backlogs) {
        taskQueueBacklog.set({ task_queue: taskQueue }, tasks)
        taskQueueBacklogAgeSeconds.set({ task_queue: taskQueue }, ageSeconds)
      }
    },
    backlogCacheMilliseconds,
  )
}
