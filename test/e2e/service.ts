import { appendFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { type Client, createClient } from '../../scripts/client.ts'
import { noQuotas } from '../../scripts/stack/no-quotas.ts'
import { freePort } from '../../scripts/stack/ports.ts'
import { createSupervisor, type RunningProcess } from '../../scripts/stack/processes.ts'
import { createKey } from '../../src/accounts/keys.ts'
import { createAccount } from '../../src/accounts/own-account.ts'
import { newId, randomText } from '../../src/core/ids.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { setupTemporal } from '../../src/temporal/setup-temporal.ts'
import { createTestDatabase } from '../setup/database.ts'
import { serviceCommand } from '../setup/service-command.ts'
import { temporalAddress } from '../setup/temporal.ts'
import { mediaTools } from '../setup/tools.ts'
import { assertNoSecrets, type Rows, readRows } from './secrets.ts'

export interface Service {
  readonly baseUrl: string
  readonly db: Database
  readonly dataDir: string
  readonly accountId: string
  readonly client: Client
  /** The client's API key. */
  readonly token: string
  readonly environment: Readonly<Record<string, string>>
  readonly api: RunningProcess
  /** A new account with its free credits and a client that acts for it; by default one that an operator opened. */
  newAccount(open?: OpenAccount): Promise<{ accountId: string; client: Client; token: string }>
  /** Starts another API of the same service, on its own port; returns its address. */
  startApi(): Promise<string>
  /** Starts another worker, optionally with other variables. */
  startWorker(variables?: Readonly<Record<string, string>>): Promise<RunningProcess>
  /** Drops the database of the running processes. */
  loseDatabase(): Promise<void>
  /** Throws if a log, an error or a workflow's history contains a secret; returns the amount searched. Every stop calls it. */
  searchSecrets(): Promise<{ lines: number; histories: number; errors: number }>
  /** The log lines of API and workers so far. */
  logLines(): Promise<Record<string, unknown>[]>
  /** Stops the running workers, like a deploy. */
  stopWorkers(): Promise<void>
  stop(): Promise<void>
}

type OpenAccount = (db: Database) => Promise<string>

export interface ServiceOptions {
  readonly worker?: boolean
  readonly build?: string
  /** The pause of upkeep, if it is not the default. */
  readonly upkeepEverySeconds?: number
  /** Opens what the processes reach their database through, and returns its URL. */
  readonly openLinkTo?: (databaseUrl: string) => Promise<string>
}

/**
 * The real API and, by default, one real worker as processes, from this run's build or the given one, with their own
 * database, namespace and folder.
 */
export async function startService(
  variables: Readonly<Record<string, string>> = {},
  { worker = true, build, upkeepEverySeconds, openLinkTo = async (url) => url }: ServiceOptions = {},
): Promise<Service> {
  const [database, dataDir, port] = await Promise.all([
    createTestDatabase(),
    mkdtemp(path.join(tmpdir(), 'media timeline ')),
    freePort(),
  ])
  const baseUrl = `http://127.0.0.1:${port}`
  const namespace = `test-${randomText(8).toLowerCase()}`
  const temporal = { TEMPORAL_ADDRESS: temporalAddress, TEMPORAL_NAMESPACE: namespace, TEMPORAL_TLS: false }
  await setupTemporal(temporal, upkeepEverySeconds)
  const environment = {
    NODE_ENV: 'test',
    PORT: String(port),
    BASE_URL: baseUrl,
    DATABASE_URL: await openLinkTo(database.url),
    TEMPORAL_ADDRESS: temporalAddress,
    TEMPORAL_NAMESPACE: namespace,
    DATA_DIR: dataDir,
    FFMPEG_PATH: mediaTools.ffmpegPath,
    FFPROBE_PATH: mediaTools.ffprobePath,
    ...noQuotas,
    SHUTDOWN_GRACE_SECONDS: '1',
    ...variables,
  }
  const logDir = path.join(dataDir, 'logs')
  const supervisor = createSupervisor(logDir)
  const db = openDatabase(database.url)

  const start = async (name: string, script: string, more: Readonly<Record<string, string>> = {}) => {
    const started = supervisor.start({
      name,
      command: serviceCommand(script, build),
      env: { ...process.env, ...environment, ...more },
      ipc: true,
    })
    const ready = new Promise<boolean>((resolve) => started.child.once('message', () => resolve(true)))
    let isReady = false
    void ready.then(() => {
      isReady = true
    })
    await supervisor.untilReady(started, async () => isReady, { seconds: 60 })
    return started
  }
  const startApi = async () => {
    const ownPort = await freePort()
    await start(`api-${ownPort}`, 'api/server.ts', { PORT: String(ownPort) })
    return `http://127.0.0.1:${ownPort}`
  }
  let lastRows: Rows | undefined
  const searchSecrets = async () => {
    const rows = lastRows ?? (await readRows(db))
    const known = await readTokens(dataDir)
    return assertNoSecrets({ logDir, temporalAddress, namespace, rows, known })
  }
  const workers: RunningProcess[] = []
  const startWorker = async (more: Readonly<Record<string, string>> = {}) => {
    const started = await start(`worker-${workers.length + 1}`, 'activities/worker.ts', more)
    workers.push(started)
    return started
  }
  const newAccount = (open?: OpenAccount) => makeAccount({ db, dataDir, baseUrl }, open)

  let stopped: Promise<void> | undefined
  const stop = async () => {
    await supervisor.stopAll()
    const searched = await searchSecrets().then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
    await db.$disconnect()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
    if (searched) throw searched.error
  }

  const [api] = await Promise.all([start('api', 'api/server.ts'), worker ? startWorker() : undefined])
  return {
    baseUrl,
    db,
    dataDir,
    environment,
    api,
    ...(await newAccount()),
    newAccount,
    startApi,
    startWorker,
    stopWorkers: async () => void (await Promise.all(workers.map((running) => running.stop()))),
    loseDatabase: async () => {
      lastRows = await readRows(db)
      await database.drop()
    },
    searchSecrets,
    logLines: () => readLogLines(logDir),
    stop: () => (stopped ??= stop()),
  }
}

/** A new account with its free credits, and a client that acts for it. */
export async function makeAccount(
  { db, dataDir, baseUrl }: Pick<Service, 'db' | 'dataDir' | 'baseUrl'>,
  open: OpenAccount = () => createAccount(db, newId('acct')),
) {
  const accountId = await open(db)
  const { token } = await createKey(db, { accountId, name: 'test' })
  // Other processes share the service: its search for secrets must know the tokens of all.
  await appendFile(path.join(dataDir, tokensFile), `${token}\n`)
  return { accountId, token, client: createClient(baseUrl, token) }
}

const tokensFile = 'tokens'

async function readTokens(dataDir: string): Promise<string[]> {
  return (await readFile(path.join(dataDir, tokensFile), 'utf8')).trim().split('\n')
}

/** Files of the service that belong to no stored object: sources and unfinished outputs. */
export async function leftFiles({ dataDir }: Pick<Service, 'dataDir'>): Promise<string[]> {
  const files = await readdir(path.join(dataDir, 'work'), { recursive: true, withFileTypes: true })
  return files.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
}

async function readLogLines(directory: string): Promise<Record<string, unknown>[]> {
  const files = await readdir(directory)
  const texts = await Promise.all(files.map((file) => readFile(path.join(directory, file), 'utf8')))
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line.startsWith('{'))
  return lines.map((line) => z.record(z.string(), z.unknown()).parse(JSON.parse(line)))
}
