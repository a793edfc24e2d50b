import path from 'node:path'
import { ensureDevelopmentAccount } from '../src/accounts/own-account.ts'
import { recordSigningSecret } from '../src/accounts/signing-check.ts'
import { openBillingProvider } from '../src/billing/provider/open-provider.ts'
import { configOrExit, exitWithMessage } from '../src/config.ts'
import { listenForAnnouncements } from '../src/db/announcements.ts'
import { apiDatabaseOptionsOf, openDatabase, reachDatabase } from '../src/db/database.ts'
import { migrate } from '../src/db/migrate.ts'
import { openMailer } from '../src/mail/mailer.ts'
import { installedModels } from '../src/models/manifest.ts'
import { openStorage, storageSigner } from '../src/storage/open-storage.ts'
import { createLogger } from '../src/telemetry/logger.ts'
import { createMetrics } from '../src/telemetry/metrics.ts'
import {
  openJobsReader,
  serveMetrics,
  taskQueueBacklogReader,
  workerEndsReader,
} from '../src/telemetry/metrics-server.ts'
import { openTracing } from '../src/telemetry/tracing.ts'
import { NoNamespaceError, noTemporal } from '../src/temporal/connection.ts'
import { createJobClient } from '../src/temporal/job-client.ts'
import { startWatchdog } from '../src/watchdog/watchdog.ts'
import { buildApp } from './app.ts'
import { readBuiltPages } from './dashboard/routes.ts'
import { readGuides } from './docs/guides.ts'

/** How long requests can continue after the signal to stop. */
const drainMilliseconds = 5_000

const config = configOrExit()
const tracing = await openTracing({
  endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
  service: 'api',
  onError: (error) => logger.warn({ err: error }, 'spans not delivered'),
})
const logger = createLogger(config, 'api', tracing)
const watchdog = startWatchdog({ blockedSeconds: config.BLOCKED_LOOP_SECONDS, process: 'api' })

await reachDatabase(config).catch(exitWithMessage)
const applied = await migrate(config.DATABASE_DIRECT_URL).catch(exitWithMessage)
if (applied.length > 0) logger.info({ applied }, 'migrations applied')
const db = openDatabase(config.DATABASE_URL, apiDatabaseOptionsOf(config))
if (config.NODE_ENV === 'development') {
  await ensureDevelopmentAccount(db)
  logger.info('development account ready; `npm run --silent key` prints an API key for it')
}
await recordSigningSecret(db, config)
const announcements = listenForAnnouncements(config.DATABASE_DIRECT_URL, (error) =>
  logger.warn({ err: error }, 'not listening for announcements'),
)
const metrics = createMetrics()
const { registry } = metrics
const jobs = createJobClient(config, tracing)
const refreshers = [openJobsReader(db, metrics), workerEndsReader(db, metrics), taskQueueBacklogReader(jobs, metrics)]
const metricsServer = await serveMetrics(config.METRICS_ADDRESS, {
  registry,
  refresh: async () => void (await Promise.all(refreshers.map((refresh) => refresh()))),
}).catch(exitWithMessage)
const signer = config.STORAGE === 'local' ? storageSigner(config) : undefined
const mailer = openMailer(config, logger)
if (!mailer) logger.warn('SMTP_URL is not set: nobody can sign up or reset a password, and notices are only listed')
const storage = await openStorage(config)
const app = await buildApp({
  config,
  db,
  announcements,
  jobs,
  storage,
  signer,
  models: installedModels(config.MODELS_DIR),
  billing: await openBillingProvider(config, db),
  mailer,
  pages: await readBuiltPages(path.join(import.meta.dirname, '..', 'pages')),
  guides: await readGuides(path.join(import.meta.dirname, '..', 'docs')),
  logger,
  metrics,
  tracing,
})

let stopping = false
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal))

// The first call opens the connection, which can take longer than a request waits for it.
try {
  await jobs.ping()
  await jobs.countWorkers().catch((error: unknown) => {
    if (error instanceof NoNamespaceError) logger.warn(`${error.message}; jobs wait until then`)
  })
} catch (error) {
  logger.debug({ err: error }, 'Temporal does not answer')
  logger.warn(`${noTemporal(config, error).message}; jobs wait until it does`)
}
await listen()

async function listen(): Promise<void> {
  if (stopping) return
  await app.listen({ host: config.HOST, port: config.PORT }).catch((error: unknown) => {
    // A server that was closed during its start refuses to listen.
    if (stopping) return
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
    exitWithMessage(isTaken ? new Error(`PORT: ${config.PORT} is taken`) : error)
  })
  watchdog.watch()
  logger.info({ url: config.BASE_URL }, 'api ready')
  process.send?.({ type: 'ready' })
}

/** Answers the requests in progress, then exits. When the time is over, closes requests that are still open, such as long uploads. */
async function stop(signal: NodeJS.Signals): Promise<void> {
  if (stopping) process.exit(1)
  stopping = true
  logger.info({ signal }, 'api stopping')
  const cut = setTimeout(() => app.server.closeAllConnections(), drainMilliseconds)
  try {
    await app.close()
    clearTimeout(cut)
    await Promise.all([announcements.close(), jobs.close(), metricsServer.close(), tracing.close(), db.$disconnect()])
    logger.info('api stopped')
  } catch (error) {
    logger.error({ err: error }, 'api did not stop cleanly')
  }
  process.exit(0)
}
