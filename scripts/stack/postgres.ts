import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type PostgresIdentity, postgresIdentity } from './postgres-identity.ts'
import type { Supervisor } from './processes.ts'
import { runToEnd } from './run-to-end.ts'

export interface PostgresOptions {
  /** The folder of the cluster, created by the first start. */
  readonly folder: string
  readonly port: number
  /** Disables fsync, for data that can be lost. */
  readonly throwAway?: boolean
}

const user = 'media_timeline'

/** Starts the embedded PostgreSQL, which accepts connections when this resolves. The URL names the service's database. */
export async function startPostgres(supervisor: Supervisor, options: PostgresOptions): Promise<{ url: string }> {
  mkdirSync(options.folder, { recursive: true, mode: 0o755 })
  const identity = postgresIdentity(options.folder)
  const password = await initialize(options, identity)
  await endLeftover(path.join(options.folder, 'data'))

  const running = supervisor.start({
    name: 'postgres',
    command: identity.command('postgres', serverArgs(options)),
    ...identity.owner,
    cwd: options.folder,
    // SIGINT is a fast shutdown; SIGTERM would wait for every client to disconnect.
    stopSignal: 'SIGINT',
    stopSeconds: 15,
  })
  const server = `postgresql://${user}:${password}@127.0.0.1:${options.port}`
  await supervisor.untilReady(running, () => accepts(`${server}/postgres`))
  await createDatabase(`${server}/postgres`, user)
  return { url: `${server}/${user}` }
}

/** Most of what is read is in the system's cache: waking a process that reads it takes longer, and doubled the time of 1 search in 5. */
function serverArgs({ folder, port, throwAway }: PostgresOptions): string[] {
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200', 'io_method=sync']
  if (throwAway) settings.push('fsync=off', 'synchronous_commit=off', 'full_page_writes=off')
  return ['-D', path.join(folder, 'data'), '-p', `${port}`, ...settings.flatMap((setting) => ['-c', setting])]
}

/** Linux knows the letters of every script by this name, and other systems by others. Without it, a search takes quotes like “ for letters, and É for another letter than é. */
const letters = process.platform === 'linux' ? ['--lc-ctype=C.UTF-8'] : []

/** Creates the cluster if it is missing, and returns its password. Creates it again after an interrupted start. */
async function initialize({ folder, throwAway }: PostgresOptions, identity: PostgresIdentity): Promise<string> {
  const data = path.join(folder, 'data')
  const passwordFile = path.join(folder, 'password')
  if (existsSync(passwordFile)) return readFileSync(passwordFile, 'utf8').trim()

  rmSync(data, { recursive: true, force: true })
  const password = randomBytes(18).toString('hex')
  const pending = `${passwordFile}.new`
  writeFileSync(pending, `${password}\n`, { mode: 0o600 })
  if (identity.owner) chownSync(pending, identity.owner.uid, identity.owner.gid)
  const args = [
    '-D',
    data,
    '-U',
    user,
    '--pwfile',
    pending,
    '-A',
    'scram-sha-256',
    '-E',
    'UTF8',
    '--locale=C',
    ...letters,
  ]
  if (throwAway) args.push('--no-sync')
  await runToEnd(identity.command('initdb', args), { ...identity.owner, cwd: folder })
  renameSync(pending, passwordFile)
  return password
}

/** Stops a server whose supervisor and watchdog were killed, and removes a lock whose process id now belongs to another process. */
async function endLeftover(data: string): Promise<void> {
  const lock = path.join(data, 'postmaster.pid')
  if (process.platform !== 'linux' || !existsSync(lock)) return
  const pid = Number.parseInt(readFileSync(lock, 'utf8'), 10)
  const isPostgres = () => existsSync(`/proc/${pid}/comm`) && readFileSync(`/proc/${pid}/comm`, 'utf8') === 'postgres\n'
  if (isPostgres()) process.kill(pid, 'SIGINT')
  for (let waited = 0; isPostgres() && waited < 200; waited++) await sleep(50)
  if (!isPostgres()) rmSync(lock, { force: true })
}

async function accepts(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

async function createDatabase(adminUrl: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (rowCount === 0) await client.query(`create database "${name}"`)
  } finally {
    await client.end()
  }
}
