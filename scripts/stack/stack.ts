import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setupTemporal } from '../../src/temporal/setup-temporal.ts'
import type { Context } from '../main.ts'
import { lock, tryLock } from '../setup/lock.mjs'
import { compiledServices } from './compiled-services.ts'
import { choosePort } from './ports.ts'
import { type PostgresUrls, startPostgres } from './postgres.ts'
import type { Supervisor } from './processes.ts'
import { isHealthy, startApi, startWorker } from './services.ts'
import { readStackFile, removeStackFile, type StackAddresses, stackLockIn, writeStackFile } from './stack-file.ts'
import { withSupervisor } from './supervised.ts'
import { startTemporal } from './temporal.ts'

/** On the machine that they share, API, databases and Temporal answer while the worker and its tools use every core. */
const workerNiceness = 5

/**
 * Starts Postgres, Temporal, worker and API, calls `use` with their addresses, and stops them when `use` settles, a signal
 * arrives or one of them dies. Returns the exit code. Throws one readable line if DATA_DIR's stack is already running.
 */
export async function withStack(context: Context, use: (stack: StackAddresses) => Promise<number>): Promise<number> {
  const { dataDir, say } = context
  const release = takeDataDir(dataDir)
  try {
    return await withSupervisor(dataDir, say, async (supervisor) => {
      const stack = await startStack(context, supervisor)
      writeStackFile(dataDir, stack)
      return use(stack)
    })
  } finally {
    removeStackFile(dataDir)
    release()
  }
}

function takeDataDir(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true })
  const { release, holder } = tryLock(stackLockIn(dataDir))
  if (release) return release
  const url = readStackFile(dataDir, holder)?.apiUrl
  const where = url ? `runs at ${url}` : 'is starting'
  throw new Error(
    `The stack of ${dataDir} ${where} (process ${holder}): stop it with Ctrl-C there or "kill ${holder}", or set DATA_DIR`,
  )
}

async function startStack(context: Context, supervisor: Supervisor): Promise<StackAddresses> {
  const { env, dataDir, say } = context
  const tools = await context.findTools()
  const { modelsDir } = context
  // Two stacks that start simultaneously would choose the same free ports.
  const startLock = path.join(tmpdir(), `media-timeline-${process.getuid?.() ?? 0}.start.lock`)
  const release = await lock(startLock, (holder) =>
    say(
      `waiting: another stack of this user is starting (process ${holder}), in this clone or another. This one starts after it`,
    ),
  )
  try {
    const apiPort = await choosePort({ variable: 'PORT', preferred: 3000 }, env, say)
    if (!env['DATABASE_URL']) say('starting Postgres')
    if (!env['TEMPORAL_ADDRESS']) say('starting Temporal')
    const [database, temporal, build] = await Promise.all([
      env['DATABASE_URL'] ? externalDatabase(env['DATABASE_URL']) : startDataDirPostgres(context, supervisor),
      env['TEMPORAL_ADDRESS'] ? { address: env['TEMPORAL_ADDRESS'] } : startDataDirTemporal(),
      compiledServices(context.root, say),
    ])
    const variables = {
      ...env,
      PORT: `${apiPort}`,
      DATA_DIR: dataDir,
      DATABASE_URL: database.localUrl,
      TEMPORAL_ADDRESS: temporal.address,
      FFMPEG_PATH: tools.ffmpegPath,
      FFPROBE_PATH: tools.ffprobePath,
      MODELS_DIR: modelsDir,
    }
    const start = { supervisor, code: { root: context.root, build }, env: variables, say }
    say('starting the worker and the API')
    const [apiUrl] = await Promise.all([startApi(start, apiPort), startWorker(start, workerNiceness)])
    if (!(await isHealthy(apiUrl))) say(`something is missing: see ${apiUrl}/health`)
    return {
      pid: process.pid,
      apiUrl,
      ...('uiUrl' in temporal ? { temporalUiUrl: temporal.uiUrl } : {}),
      temporalAddress: temporal.address,
      databaseUrl: database.url,
    }
  } finally {
    release()
  }

  async function startDataDirTemporal() {
    const server = await startTemporal(supervisor, {
      temporalPath: tools.temporalPath,
      port: await choosePort({ variable: 'TEMPORAL_PORT', preferred: 7233 }, env, say),
      uiPort: await choosePort({ variable: 'TEMPORAL_UI_PORT', preferred: 8233 }, env, say),
      dataDir: path.join(dataDir, 'temporal'),
    })
    await setupTemporal({ TEMPORAL_ADDRESS: server.address, TEMPORAL_NAMESPACE: 'default', TEMPORAL_TLS: false })
    return server
  }
}

const externalDatabase = (url: string): PostgresUrls => ({ url, localUrl: url })

/** Starts only Postgres, for commands that need only a database. */
export async function startDataDirPostgres(
  { dataDir, env, say }: Context,
  supervisor: Supervisor,
): Promise<PostgresUrls> {
  const port = await choosePort({ variable: 'PG_PORT', preferred: 54_329 }, env, say)
  return startPostgres(supervisor, { folder: path.join(dataDir, 'postgres'), port })
}
