import { availableParallelism } from 'node:os'
import { NativeConnection, Runtime } from '@temporalio/worker'
import { pino } from 'pino'
import { configOrExit, exitWithMessage } from '../src/config.ts'
import { createCores } from '../src/media/envelope/cores.ts'
import { checkTools, createFfmpeg } from '../src/media/ffmpeg.ts'
import { openStorage } from '../src/storage/open-storage.ts'
import { openDatabase } from '../src/store/database.ts'
import { connectionOptions } from '../src/temporal/connection.ts'
import { createJobClient } from '../src/temporal/job-client.ts'
import { createWorkers } from './create-workers.ts'
import type { Dependencies } from './dependencies.ts'
import { keepSweeping } from './sweep.ts'
import { temporalLogger } from './temporal-logger.ts'
import { claimWorkDirectory, processesIn } from './work-directory.ts'

const config = configOrExit()
await checkTools(config).catch(exitWithMessage)
const logger = pino({ level: config.LOG_LEVEL, base: { service: 'worker' } })
Runtime.install({ logger: temporalLogger(logger) })

const db = openDatabase(config.DATABASE_URL, config.DATABASE_POOL_SIZE)
const work = await claimWorkDirectory(config.DATA_DIR, logger)
const jobs = createJobClient(config)
const connection = await NativeConnection.connect(connectionOptions(config))

const deps: Dependencies = {
  db,
  storage: openStorage(config),
  jobs,
  ffmpeg: createFfmpeg({
    ffmpegPath: config.FFMPEG_PATH,
    ffprobePath: config.FFPROBE_PATH,
    processDir: processesIn(work.directory),
  }),
  cores: createCores(config.MEDIA_SLOTS ?? availableParallelism()),
  logger,
  workDir: work.directory,
  maxMediaBytes: config.MAX_MEDIA_BYTES,
  mediaAllowHosts: config.MEDIA_ALLOW_HOSTS,
  runningPlaces: config.RUNNING_JOBS_PER_ACCOUNT,
  retentionDays: config.RETENTION_DAYS,
}
const sweep = keepSweeping(deps)

try {
  const workers = await createWorkers(config, connection, deps)
  logger.info('worker ready')
  process.send?.({ type: 'ready' })
  // The runtime turns SIGTERM and SIGINT into a shutdown that drains both.
  await Promise.all(workers.map((worker) => worker.run()))
} finally {
  await sweep.stop()
  await Promise.all([connection.close(), jobs.close()])
  await db.$disconnect()
  await work.release()
}
logger.info('worker stopped')
