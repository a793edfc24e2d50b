import { availableParallelism } from 'node:os'
import { asyncLocalStorage } from '@temporalio/activity'
import { NativeConnection } from '@temporalio/worker'
import { openBillingProvider } from '../src/billing/provider/open-provider.ts'
import { configOrExit, exitWithMessage } from '../src/config.ts'
import { createKeyedQueue } from '../src/core/concurrency.ts'
import { createMemoryBudget, defaultToolMemoryBytes } from '../src/core/memory-budget.ts'
import { databaseOptionsOf, openDatabase, reachDatabase } from '../src/db/database.ts'
import { slotLimitsOf } from '../src/jobs/admission.ts'
import { openMailer } from '../src/mail/mailer.ts'
import { createCores } from '../src/media/sound/decode-audio.ts'
import { createEnvelopeCache } from '../src/media/sound/envelope-cache.ts'
import { createRangedSources } from '../src/media/source/ranged-source.ts'
import { openConfinement } from '../src/media/tools/confinement.ts'
import { createFfmpeg } from '../src/media/tools/ffmpeg.ts'
import { checkTools } from '../src/media/tools/ffprobe.ts'
import { createModelPool } from '../src/models/pool.ts'
import { openStorage } from '../src/storage/open-storage.ts'
import { createLogger } from '../src/telemetry/logger.ts'
import { createMetrics, observeFfmpeg } from '../src/telemetry/metrics.ts'
import { serveMetrics } from '../src/telemetry/metrics-server.ts'
import { openTracing } from '../src/telemetry/tracing.ts'
import { connectionOptions, NoNamespaceError, noTemporal, workerIdentity } from '../src/temporal/connection.ts'
import { createJobClient } from '../src/temporal/job-client.ts'
import { startWatchdog } from '../src/watchdog/watchdog.ts'
import type { Dependencies } from './dependencies.ts'
import { createWorkers, temporalLogger } from './worker/create-workers.ts'
import { startHealthFile } from './worker/health-file.ts'
import { installRuntime } from './worker/sdk-metrics.ts'
import { claimWorkDirectory, processesIn, startSweeping } from './worker/work-directory.ts'

const config = configOrExit()
const ffmpegBuild = await checkTools(config).catch(exitWithMessage)
await reachDatabase({ DATABASE_URL: config.DATABASE_URL }).catch(exitWithMessage)
const tracing = await openTracing({
  endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
  service: 'worker',
  onError: (error) => logger.warn({ err: error }, 'spans not delivered'),
})
const logger = createLogger(config, 'worker', tracing)
const metrics = createMetrics()
const { registry } = metrics
const sdkMetrics = await installRuntime(temporalLogger(logger), config.METRICS_ADDRESS !== undefined)
const metricsServer = await serveMetrics(config.METRICS_ADDRESS, { registry, more: sdkMetrics }).catch(exitWithMessage)

const db = openDatabase(config.DATABASE_URL, databaseOptionsOf(config))
const work = await claimWorkDirectory(config.DATA_DIR, logger)
const jobs = createJobClient(config, tracing)
const connection = await NativeConnection.connect(connectionOptions(config)).catch((error: unknown) => {
  logger.debug({ err: error }, 'Temporal does not answer')
  return exitWithMessage(noTemporal(config, error))
})

const exportLevel = (level: string) => {
  metrics.toolConfinement.reset()
  metrics.toolConfinement.set({ level }, 1)
}
const confinement = await openConfinement({
  onLevel: (level, error) => {
    exportLevel(level)
    if (level === 'down') logger.error({ err: error }, 'the launcher of ffmpeg ended, and is started again')
    else logger.warn({ confinement: level }, 'the launcher of ffmpeg was started again')
  },
})
const confinementLevel = confinement.level()
const isConfined = !['prlimit', 'none'].includes(confinementLevel)
if (isConfined) logger.info({ confinement: confinementLevel }, 'ffmpeg runs confined')
else if (config.TOOL_CONFINEMENT === 'required')
  exitWithMessage(
    new Error('TOOL_CONFINEMENT: ffmpeg cannot be confined here, which takes Linux 5.3 and /usr/bin/perl'),
  )
else
  logger.warn(
    { confinement: confinementLevel },
    'ffmpeg runs without confinement, which takes Linux 5.3 and /usr/bin/perl',
  )
exportLevel(confinementLevel)

const memory = createMemoryBudget(config.TOOL_MEMORY_BYTES ?? defaultToolMemoryBytes())
const ffmpeg = createFfmpeg({
  ffmpegPath: config.FFMPEG_PATH,
  ffprobePath: config.FFPROBE_PATH,
  processDir: processesIn(work.directory),
  start: confinement.start,
  memory,
  maxPixels: config.MAX_VIDEO_PIXELS,
})

const storage = await openStorage(config)
const cores = createCores(config.MEDIA_SLOTS ?? availableParallelism())
const modelPool = createModelPool({ modelsDir: config.MODELS_DIR, size: cores.total, memory })

const identity = workerIdentity(isConfined)
const watchdog = startWatchdog(
  { blockedSeconds: config.BLOCKED_LOOP_SECONDS, process: identity, databaseUrl: config.DATABASE_URL },
  () => asyncLocalStorage.getStore()?.info.workflowExecution?.workflowId,
)

const deps: Dependencies = {
  db,
  storage,
  jobs,
  ffmpeg: observeFfmpeg(ffmpeg, { metrics, tracing }),
  ffmpegBuild,
  cores,
  rangedSources: createRangedSources(),
  timelineRuns: createKeyedQueue({ restForWork: 2 }),
  envelopeCache: createEnvelopeCache(storage, 32 * 2 ** 20),
  modelPool,
  billing: await openBillingProvider(config, db),
  mailer: openMailer(config, logger),
  logger,
  metrics,
  tracing,
  watchdog,
  workDir: work.directory,
  maxMediaBytes: config.MAX_MEDIA_BYTES,
  mediaAllowHosts: config.MEDIA_ALLOW_HOSTS,
  config,
  slotLimits: slotLimitsOf(config),
  webhooks: { signing: config, access: { allowHosts: config.WEBHOOK_ALLOW_HOSTS } },
  retentionDays: config.RETENTION_DAYS,
  jobRetentionDays: config.JOB_RETENTION_DAYS,
}
const sweep = startSweeping(deps)

try {
  const created = createWorkers({ ...config, identity }, connection, deps)
  const refused = (error: unknown) => {
    if (!(error instanceof Error && /^Namespace .* code: NotFound/.test(error.message))) throw error
    return exitWithMessage(new NoNamespaceError(config, error))
  }
  const workers = await created.catch(refused)
  // The runtime turns SIGTERM and SIGINT into a shutdown that drains all of them.
  watchdog.watch()
  const running = Promise.all(workers.map((worker) => worker.run()))
  const endHealthFile = startHealthFile(config.HEALTH_FILE, confinement.level)
  logger.info('worker ready')
  process.send?.({ type: 'ready' })
  await running.finally(endHealthFile)
} finally {
  await sweep.stop()
  await deps.rangedSources.end()
  await modelPool.close()
  await confinement.close()
  await Promise.all([connection.close(), jobs.close(), metricsServer.close(), tracing.close()])
  await db.$disconnect()
  await watchdog.stop()
  await work.release()
}
logger.info('worker stopped')
