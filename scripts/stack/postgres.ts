import { randomBytes } from 'node:crypto'
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
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

/** The addresses of the service's database. */
export interface PostgresUrls {
  readonly url: string
  /** On Linux through a Unix socket, which takes a third less processor time for a statement than TCP does. */
  readonly localUrl: string
}

/** Starts the embedded PostgreSQL, which accepts connections when this resolves. */
export async function startPostgres(supervisor: Supervisor, options: PostgresOptions): Promise<PostgresUrls> {
  mkdirSync(options.folder, { recursive: true, mode: 0o755 })
  const identity = postgresIdentity(options.folder)
  const password = await initialize(options, identity)
  await endLeftover(dataFolder(options))

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
  const url = `${server}/${user}`
  const sockets = socketFolder(options)
  return { url, localUrl: sockets ? `${url}?host=${encodeURIComponent(sockets)}` : url }
}

const dataFolder = ({ folder }: PostgresOptions) => path.join(folder, 'data')

/** Linux refuses longer paths of sockets (https://man7.org/linux/man-pages/man7/unix.7.html). */
const maxSocketBytes = 107

/** Where the server makes its socket. Undefined if the path is too long, or has what separates folders in its settings. */
function socketFolder(options: PostgresOptions): string | undefined {
  const folder = dataFolder(options)
  const file = path.join(folder, `.s.PGSQL.${options.port}`)
  const isUsable = Buffer.byteLength(file) <= maxSocketBytes && !/[",]/.test(file)
  return process.platform === 'linux' && isUsable ? folder : undefined
}

/** Most of what is read is in the system's cache: waking a process that reads it takes longer, and doubled the time of 1 search in 5. */
function serverArgs(options: PostgresOptions): string[] {
  const sockets = `unix_socket_directories=${socketFolder(options) ?? ''}`
  const settings = ['listen_addresses=127.0.0.1', sockets, 'max_connections=200', 'io_method=sync']
  if (options.throwAway) settings.push('fsync=off', 'synchronous_commit=off', 'full_page_writes=off')
  return ['-D', dataFolder(options), '-p', `${options.port}`, ...settings.flatMap((setting) => ['-c', setting])]
}

/** Linux knows the letters of every script by this name, and other systems by others. Without it, a search takes quotes like “ for letters, and É for another letter than é. */
const letters = process.platform === 'linux' ? ['--lc-ctype=C.UTF-8'] : []

/** Creates the cluster if it is missing, and returns its password. Creates it again after an interrupted start. */
async function initialize(options: PostgresOptions, identity: PostgresIdentity): Promise<string> {
  const { folder, throwAway } = options
  const data = dataFolder(options)
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

/** Stops a server whose supervisor and watchdog were killed, and removes locks whose process id now belongs to another process. */
async function endLeftover(data: string): Promise<void> {
  if (process.platform !== 'linux') return
  const lock = path.join(data, 'postmaster.pid')
  if (existsSync(lock)) {
    const pid = Number.parseInt(readFileSync(lock, 'utf8'), 10)
    const isRunning = () => isServerOf(data, pid)
    if (isRunning()) process.kill(pid, 'SIGINT')
    for (let waited = 0; isRunning() && waited < 200; waited++) await sleep(50)
    if (isRunning()) return
  }
  const locks = readdirSync(data).filter((name) => name === path.basename(lock) || name.startsWith('.s.PGSQL.'))
  for (const name of locks) rmSync(path.join(data, name), { force: true })
}

/** Whether the process is a server of this cluster, whose data folder is its working directory. */
function isServerOf(data: string, pid: number): boolean {
  try {
    const isPostgres = readFileSync(`/proc/${pid}/comm`, 'utf8') === 'postgres\n'
    const [own, its] = [statSync(data), statSync(`/proc/${pid}/cwd`)]
    return isPostgres && own.dev === its.dev && own.ino === its.ino
  } catch {
    return false
  }
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
