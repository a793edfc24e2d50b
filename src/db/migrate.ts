import { createHash, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { installedFile } from '../core/disk.ts'

/** A folder of prisma/migrations. */
interface Migration {
  readonly name: string
  readonly sql: string
  /** SHA-256 of the file, in hex. */
  readonly checksum: string
}

/** The advisory lock of `prisma migrate` (schema-engine, sql-schema-connector), so that it and this service wait for each other. */
const lockKey = 72_707_369

/** The table of applied migrations, as Prisma's schema engine creates it. */
const historyTable = `
  CREATE TABLE _prisma_migrations (
    id VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum VARCHAR(64) NOT NULL,
    finished_at TIMESTAMPTZ,
    migration_name VARCHAR(255) NOT NULL,
    logs TEXT,
    rolled_back_at TIMESTAMPTZ,
    started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count INTEGER NOT NULL DEFAULT 0
  )`

/**
 * While a migration waits for the lock of a table that a backup reads, every later statement on the table waits behind it. So it waits
 * shortly, lets the others go first, and tries again, within the minute that other processes wait for this one.
 */
const tableWaits = { lockMilliseconds: 2_000, pauseMilliseconds: 2_000, tries: 12 }

/**
 * Applies missing migrations and returns their names. Uses Prisma's own history table, so that `prisma migrate deploy` can
 * continue after this, and the reverse. Processes that start simultaneously wait for each other, at most a minute. The URL must
 * bypass a pooler, which would break the advisory lock.
 */
export async function migrate(
  url: string,
  folder = path.join(prismaFolder(), 'migrations'),
  waits = tableWaits,
): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    await lock(client)
    const missing = await missingMigrations(client, readMigrations(folder))
    for (const migration of missing) await apply(client, migration, waits)
    return missing.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

/** The folder of schema.prisma. */
export function prismaFolder(): string {
  return path.dirname(installedFile('prisma/schema.prisma'))
}

/** In the order of their names, which begin with a time. */
export function readMigrations(folder: string): Migration[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted()
    .map((name) => {
      const sql = readFileSync(path.join(folder, name, 'migration.sql'), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    })
}

/** PostgreSQL releases the lock when the connection ends, even if the process is killed. */
async function lock(client: pg.Client): Promise<void> {
  try {
    await client.query(`SET lock_timeout = '60s'; SELECT pg_advisory_lock(${lockKey}); RESET lock_timeout`)
  } catch (error) {
    throw isLockTimeout(error)
      ? new Error('another process has been migrating the database for a minute', { cause: error })
      : error
  }
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '55P03'
}

async function missingMigrations(client: pg.Client, migrations: readonly Migration[]): Promise<Migration[]> {
  const { rows: tables } = await client.query<{ tablename: string }>(
    'SELECT tablename FROM pg_tables WHERE schemaname = current_schema()',
  )
  if (tables.length === 0) await client.query(historyTable)
  else if (!tables.some(({ tablename }) => tablename === '_prisma_migrations')) {
    throw new Error('the database has tables that no migration of this service created: use an empty database')
  }
  const { rows: history } = await client.query<{ name: string; checksum: string; finished: boolean }>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
     FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at`,
  )
  const failed = history.find(({ finished }) => !finished)
  if (failed) {
    throw new Error(`migration ${failed.name} failed earlier: repair the database, then run "prisma migrate resolve"`)
  }
  const applied = new Map(history.map(({ name, checksum }) => [name, checksum]))
  const edited = migrations.find(({ name, checksum }) => (applied.get(name) ?? checksum) !== checksum)
  if (edited) throw new Error(`migration ${edited.name} was edited after this database applied it: restore the file`)
  return migrations.filter(({ name }) => !applied.has(name))
}

/** Applies the migration in one transaction with its history row: a failed migration leaves no trace, and the next start retries it. */
async function apply(client: pg.Client, migration: Migration, waits: typeof tableWaits): Promise<void> {
  const { name } = migration
  for (let tries = 1; ; tries += 1) {
    try {
      return await applyOnce(client, migration, waits.lockMilliseconds)
    } catch (cause) {
      if (!isLockTimeout(cause))
        throw new Error(`migration ${name} failed: ${cause instanceof Error ? cause.message : String(cause)}`, {
          cause,
        })
      if (tries >= waits.tries)
        throw new Error(
          `migration ${name} failed: another transaction, such as a backup, uses its tables. Try again when that has ended`,
          { cause },
        )
      await client.query('ROLLBACK')
      await sleep(waits.pauseMilliseconds)
    }
  }
}

async function applyOnce(
  client: pg.Client,
  { name, sql, checksum }: Migration,
  lockMilliseconds: number,
): Promise<void> {
  await client.query(`BEGIN; SET LOCAL lock_timeout = ${lockMilliseconds}`)
  await client.query(sql)
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, clock_timestamp(), 1)`,
    [randomUUID(), checksum, name],
  )
  await client.query('COMMIT')
}
