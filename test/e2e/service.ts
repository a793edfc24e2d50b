import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Client, createClient } from '../../scripts/client.ts'
import { freePort } from '../../scripts/stack/ports.ts'
import { createSupervisor, type RunningProcess } from '../../scripts/stack/processes.ts'
import { createAccount } from '../../src/billing/credits.ts'
import { newId, randomText } from '../../src/core/ids.ts'
import { type Database, openDatabase } from '../../src/store/database.ts'
import { createKey } from '../../src/store/keys.ts'
import { setupTemporal } from '../../src/temporal/setup-temporal.ts'
import { createTestDatabase } from '../setup/database.ts'
import { temporalAddress } from '../setup/temporal.ts'
import { mediaTools } from '../setup/tools.ts'

export interface Service {
  readonly baseUrl: string
  readonly db: Database
  readonly dataDir: string
  readonly accountId: string
  readonly client: Client
  readonly environment: Readonly<Record<string, string>>
  /** A new account with its free credits and a client that acts for it. */
  newAccount(): Promise<{ accountId: string; client: Client }>
  /** One more worker, with variables of its own where given. */
  startWorker(variables?: Readonly<Record<string, string>>): Promise<RunningProcess>
  /** Ends the workers that still run, as a deploy would. */
  stopWorkers(): Promise<void>
  stop(): Promise<void>
}

/**
 * The real API and, unless told otherwise, one real worker as processes, from the sources or from dist/, with a database,
 * namespace and folder of their own.
 */
export async function startService(
  variables: Readonly<Record<string, string>> = {},
  { worker = true, compiled = false }: { worker?: boolean; compiled?: boolean } = {},
): Promise<Service> {
  const [database, dataDir, port] = await Promise.all([
    createTestDatabase(),
    mkdtemp(path.join(tmpdir(), 'media timeline ')),
    freePort(),
  ])
  const baseUrl = `http://127.0.0.1:${port}`
  const namespace = `test-${randomText(8).toLowerCase()}`
  await setupTemporal({
    TEMPORAL_ADDRESS: temporalAddress,
    TEMPORAL_NAMESPACE: namespace,
    TEMPORAL_TLS: false,
  })
  const environment = {
    NODE_ENV: 'test',
    PORT: String(port),
    BASE_URL: baseUrl,
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: temporalAddress,
    TEMPORAL_NAMESPACE: namespace,
    DATA_DIR: dataDir,
    FFMPEG_PATH: mediaTools.ffmpegPath,
    FFPROBE_PATH: mediaTools.ffprobePath,
    RATE_LIMIT_PER_ACCOUNT: '1000000',
    RATE_LIMIT_PER_ADDRESS: '1000000',
    SHUTDOWN_GRACE_SECONDS: '1',
    ...variables,
  }
  const supervisor = createSupervisor(path.join(dataDir, 'logs'))
  const db = openDatabase(database.url)

  const start = async (name: string, script: string, own: Readonly<Record<string, string>> = {}) => {
    const started = supervisor.start({
      name,
      command: compiled
        ? [process.execPath, path.join('dist', script.replace(/ts$/, 'js'))]
        : [process.execPath, '--import', 'tsx', script],
      env: { ...process.env, ...environment, ...own },
      ipc: true,
    })
    const ready = new Promise<boolean>((resolve) => started.child.once('message', () => resolve(true)))
    let isReady = false
    void ready.then(() => {
      isReady = true
    })
    await supervisor.untilReady(started, async () => isReady, 60)
    return started
  }
  const workers: RunningProcess[] = []
  const startWorker: Service['startWorker'] = async (own) => {
    const started = await start(`worker-${workers.length + 1}`, 'activities/worker.ts', own)
    workers.push(started)
    return started
  }
  const newAccount = async () => {
    const accountId = await createAccount(db, newId('acct'))
    const { token } = await createKey(db, { accountId, name: 'test' })
    return { accountId, client: createClient(baseUrl, token) }
  }

  await Promise.all([start('api', 'api/server.ts'), worker ? startWorker() : undefined])
  return {
    baseUrl,
    db,
    dataDir,
    environment,
    ...(await newAccount()),
    newAccount,
    startWorker,
    stopWorkers: async () => void (await Promise.all(workers.map((running) => running.stop()))),
    stop: async () => {
      await supervisor.stopAll()
      await db.$disconnect()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Files of the service that belong to no stored object: sources and outputs in the making. */
export async function leftFiles({ dataDir }: Pick<Service, 'dataDir'>): Promise<string[]> {
  const files = await readdir(path.join(dataDir, 'work'), { recursive: true, withFileTypes: true })
  return files.filter((entry) => entry.isFile()).map((entry) => entry.name)
}
