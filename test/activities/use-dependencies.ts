import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { afterAll } from 'vitest'
import type { Dependencies } from '../../activities/dependencies.ts'
import { openBillingProvider } from '../../src/billing/provider/open-provider.ts'
import { readConfig } from '../../src/config.ts'
import { createKeyedQueue } from '../../src/core/concurrency.ts'
import { openDatabase } from '../../src/db/database.ts'
import { openMailer } from '../../src/mail/mailer.ts'
import { createCores } from '../../src/media/sound/decode-audio.ts'
import { createEnvelopeCache } from '../../src/media/sound/envelope-cache.ts'
import { createRangedSources } from '../../src/media/source/ranged-source.ts'
import { createFfmpeg } from '../../src/media/tools/ffmpeg.ts'
import { createModelPool } from '../../src/models/pool.ts'
import { openStorage } from '../../src/storage/open-storage.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { noTracing } from '../../src/telemetry/tracing.ts'
import { createJobClient } from '../../src/temporal/job-client.ts'
import { idleWatchdog } from '../../src/watchdog/watchdog.ts'
import { sameSlots } from '../billing/jobs.ts'
import { createTestDatabase } from '../setup/database.ts'
import { temporalAddress } from '../setup/temporal.ts'
import { mediaTools } from '../setup/tools.ts'

/** The dependencies of a worker's steps, with their own database and folder and the shared Temporal, until the file's tests have ended. */
export async function useDependencies(): Promise<Dependencies> {
  const database = await createTestDatabase()
  const directory = await mkdtemp(path.join(tmpdir(), 'steps '))
  const config = readConfig({
    NODE_ENV: 'test',
    BASE_URL: 'http://127.0.0.1:1',
    DATABASE_URL: database.url,
    DATA_DIR: directory,
    TEMPORAL_ADDRESS: temporalAddress,
  })
  const db = openDatabase(database.url)
  const storage = await openStorage(config)
  const deps: Dependencies = {
    db,
    storage,
    jobs: createJobClient(config),
    ffmpeg: createFfmpeg({ ...mediaTools, processDir: path.join(directory, 'processes') }),
    cores: createCores(2),
    rangedSources: createRangedSources(),
    timelineRuns: createKeyedQueue(),
    envelopeCache: createEnvelopeCache(storage, 1e6),
    modelPool: createModelPool({ modelsDir: undefined, size: 1 }),
    ffmpegBuild: 'a1',
    billing: await openBillingProvider(config, db),
    mailer: openMailer(config, pino({ level: 'silent' })),
    logger: pino({ level: 'silent' }),
    metrics: createMetrics(),
    tracing: noTracing,
    watchdog: idleWatchdog,
    workDir: path.join(directory, 'work'),
    maxMediaBytes: 1e9,
    mediaAllowHosts: [],
    config,
    slotLimits: sameSlots(2),
    webhooks: { signing: config, access: { allowHosts: config.WEBHOOK_ALLOW_HOSTS } },
    retentionDays: 30,
    jobRetentionDays: undefined,
  }
  afterAll(async () => {
    await deps.rangedSources.end()
    await deps.jobs.close()
    await deps.db.$disconnect()
    await database.drop()
    await rm(directory, { recursive: true, force: true })
  })
  return deps
}
