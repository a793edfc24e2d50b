import { mkdtemp, rm } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Connection, Client as TemporalClient } from '@temporalio/client'
import { type Client, createClient } from '../../scripts/client.ts'
import { noQuotas } from '../../scripts/stack/no-quotas.ts'
import { choosePort } from '../../scripts/stack/ports.ts'
import { startPostgres } from '../../scripts/stack/postgres.ts'
import { createSupervisor, type ProcessOptions, type RunningProcess } from '../../scripts/stack/processes.ts'
import { startApi, startWorker } from '../../scripts/stack/services.ts'
import { startTemporal } from '../../scripts/stack/temporal.ts'
import { createKey } from '../../src/accounts/keys.ts'
import { createAccount } from '../../src/accounts/own-account.ts'
import { activateBilling } from '../../src/billing/activate-billing.ts'
import { newId } from '../../src/core/ids.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { setupTemporal } from '../../src/temporal/setup-temporal.ts'
import { leaveCredits } from '../billing/accounts.ts'
import { required } from '../setup/required.ts'
import { mediaTools } from '../setup/tools.ts'
import { installGates } from './gates.ts'
import { type Link, openLink } from './link.ts'
import { localOutputKeys } from './local-outputs.ts'
import { serveMedia } from './media-server.ts'
import { endFamily } from './processes.ts'

export const targets = ['worker', 'api', 'temporal', 'postgres'] as const
export type Target = (typeof targets)[number]

/** Less than a job's price: credits cover its first part, and the rest is billed. */
export const faultCreditsMicroUsd = 100n

export interface FaultStack {
  readonly apiUrl: string
  /** A URL on the media server, which jobs can read. */
  mediaUrl(name: string): string
  readonly dataDir: string
  /** The same folder as the worker sees it, which can have private mounts. */
  workerDataDir(): string
  /** The keys of all outputs in storage. */
  outputKeys(): Promise<string[]>
  readonly databaseUrl: string
  /** The test's own connection. Its queries fail while the database is down. */
  readonly db: Database
  /** The test's own connection, which bypasses the link. */
  readonly temporal: TemporalClient
  /** The links through which API and worker reach their servers. */
  readonly links: { readonly postgres: Link; readonly temporal: Link }
  /** Creates an account with active billing and almost no credits. */
  newAccount(): Promise<{ accountId: string; client: Client; token: string }>
  running(target: Target): RunningProcess
  /** Sends SIGKILL to the process and its children; resolves when the process has ended. */
  kill(target: Target): Promise<void>
  /** Sends SIGKILL only to the worker, like the kernel's OOM killer. */
  killWorkerAlone(): Promise<void>
  /** Deletes Temporal's data. Temporal must be down. */
  loseTemporalData(): Promise<void>
  /** Restarts it on the same port and data; it is ready when this resolves. */
  start(target: Target): Promise<void>
  /** Sets Temporal up, like `npm run setup:temporal`. */
  setupTemporal(): Promise<void>
  stop(): Promise<void>
}

export interface FaultStackOptions {
  /** Answers requests for media. */
  readonly media?: RequestListener
  readonly variables?: Readonly<Record<string, string>>
  /** Lists the outputs if they are not in the worker's data folder. */
  readonly outputKeys?: () => Promise<string[]>
  /** Changes how the worker is started. */
  readonly worker?: (options: ProcessOptions) => ProcessOptions
}

/**
 * The server gives the tasks of a killed worker to another after this time, and a worker hears of a cancellation during a
 * transaction after four fifths of it. With the default of 10 s, most of a case's time is this wait.
 */
const taskTimeout = 'history.defaultWorkflowTaskTimeout="2s"'

const code = { root: path.resolve(import.meta.dirname, '../..'), build: required('TEST_SERVICE_BUILD') }
const noMedia: RequestListener = (_request, response) => response.writeHead(404).end()

/** Postgres with gates, Temporal, API and one worker, each of which can be killed and restarted. */
export async function startFaultStack({
  media = noMedia,
  variables = {},
  outputKeys,
  worker = (options) => options,
}: FaultStackOptions = {}): Promise<FaultStack> {
  const folder = await mkdtemp(path.join(tmpdir(), 'media timeline faults '))
  const dataDir = path.join(folder, 'data')
  const temporalDir = path.join(folder, 'temporal')
  const processes = new Map<string, RunningProcess>()
  const supervisor = createSupervisor(path.join(folder, 'logs'))
  supervisor.removeAtEnd(folder)
  const recording = {
    ...supervisor,
    // The test starts again what it killed.
    untilReady: (started: RunningProcess, isReady: () => boolean | Promise<boolean>) =>
      supervisor.untilReady(started, isReady, { onEnd: () => {} }),
    start: (options: ProcessOptions) => {
      const started = supervisor.start(options.name === 'worker' ? worker({ ...options, keepGroup: true }) : options)
      processes.set(options.name, started)
      return started
    },
  }
  const running = (target: Target) => {
    const found = processes.get(target)
    if (!found) throw new Error(`${target} was never started`)
    return found
  }

  const workerDataDir = () => path.join(`/proc/${running('worker').child.pid}/root`, dataDir)

  const ports = {
    api: await fixedPort(0),
    postgres: await fixedPort(1),
    temporal: await fixedPort(2),
    temporalUi: await fixedPort(3),
  }
  const links = { postgres: await openLink(ports.postgres), temporal: await openLink(ports.temporal) }
  const ownTemporal = {
    TEMPORAL_ADDRESS: `127.0.0.1:${ports.temporal}`,
    TEMPORAL_NAMESPACE: 'default',
    TEMPORAL_TLS: false,
  }

  const startDatabase = () => startPostgres(recording, { folder: path.join(folder, 'postgres'), port: ports.postgres })
  const startServer = () =>
    startTemporal(recording, {
      temporalPath: required('TEMPORAL_PATH'),
      port: ports.temporal,
      uiPort: ports.temporalUi,
      dataDir: temporalDir,
      moreSettings: [taskTimeout],
    })
  const [{ url: databaseUrl }] = await Promise.all([startDatabase(), startServer()])
  await Promise.all([migrate(databaseUrl), setupTemporal(ownTemporal)])
  await installGates(databaseUrl)
  const mediaServer = await serveMedia(media)

  const environment = {
    ...process.env,
    ...serviceVariables(ports.api, databaseUrl, links),
    DATA_DIR: dataDir,
    MEDIA_ALLOW_HOSTS: mediaServer.host,
    ...variables,
  }
  const starts: Readonly<Record<Target, () => Promise<unknown>>> = {
    postgres: startDatabase,
    temporal: startServer,
    api: () => startApi({ supervisor: recording, code, env: environment, say: () => {} }, ports.api),
    worker: () => startWorker({ supervisor: recording, code, env: environment, say: () => {} }),
  }
  await Promise.all([starts.api(), starts.worker()])

  const db = openDatabase(databaseUrl)
  const connection = Connection.lazy({ address: ownTemporal.TEMPORAL_ADDRESS })
  return {
    apiUrl: environment.BASE_URL,
    mediaUrl: (name) => `http://${mediaServer.host}/${name}`,
    dataDir,
    workerDataDir,
    outputKeys: outputKeys ?? (() => localOutputKeys(workerDataDir())),
    databaseUrl,
    db,
    temporal: new TemporalClient({ connection }),
    links,
    newAccount: async () => {
      const accountId = await createAccount(db, newId('acct'))
      await leaveCredits(db, accountId, faultCreditsMicroUsd)
      await activateBilling(db, accountId)
      const { token } = await createKey(db, { accountId, name: 'test' })
      return { accountId, token, client: createClient(environment.BASE_URL, token) }
    },
    running,
    kill: async (target) => {
      const { child, ended } = running(target)
      if (child.pid !== undefined) endFamily(child.pid)
      await ended
    },
    killWorkerAlone: async () => {
      const { child, ended } = running('worker')
      child.kill('SIGKILL')
      await ended
    },
    loseTemporalData: () => rm(temporalDir, { recursive: true }),
    start: async (target) => void (await starts[target]()),
    setupTemporal: () => setupTemporal(ownTemporal),
    stop: async () => {
      mediaServer.close()
      await supervisor.stopAll()
      await Promise.all([db.$disconnect(), connection.close(), links.postgres.close(), links.temporal.close()])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The environment of API and worker, which know only the links. */
function serviceVariables(apiPort: number, databaseUrl: string, links: FaultStack['links']) {
  const throughLink = new URL(databaseUrl)
  throughLink.port = String(links.postgres.port)
  return {
    NODE_ENV: 'test',
    PORT: String(apiPort),
    BASE_URL: `http://127.0.0.1:${apiPort}`,
    DATABASE_URL: throughLink.href,
    TEMPORAL_ADDRESS: `127.0.0.1:${links.temporal.port}`,
    FFMPEG_PATH: mediaTools.ffmpegPath,
    FFPROBE_PATH: mediaTools.ffprobePath,
    // A slot and a connection for each step of a job, and for each of seven parts of a clip, because a job can wait at each.
    MEDIA_SLOTS: '13',
    DATABASE_POOL_SIZE: '20',
    SHUTDOWN_GRACE_SECONDS: '1',
    ...noQuotas,
  }
}

/**
 * Below the range of outgoing connections, so that no process takes it while its owner is down, and different for each
 * test process.
 */
async function fixedPort(index: number): Promise<number> {
  return choosePort({ variable: 'PORT', preferred: 12_000 + (process.pid % 2_500) * 8 + index }, {})
}
