import { appendFile, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { migrationsList, schemaFilter, withSchemaEngine } from '../../scripts/migrations/schema-engine.ts'
import { migrate, prismaFolder, readMigrations } from '../../src/db/migrate.ts'
import { createTestDatabase } from '../setup/database.ts'
import { untilFound } from '../until-found.ts'

const migrations = path.join(prismaFolder(), 'migrations')
const names = readMigrations(migrations).map(({ name }) => name)

test('a database is migrated as by the schema engine: the same schema, the same history', async () => {
  const [ours, theirs] = [await emptyDatabase(), await emptyDatabase()]

  expect(await migrate(ours)).toEqual(names)
  expect(await migrateWithEngine(theirs)).toEqual(names)

  expect(await schemaOf(ours)).toEqual(await schemaOf(theirs))
  expect(await historyOf(ours)).toEqual(await historyOf(theirs))
  expect(await query(ours, 'SELECT 1 FROM _prisma_migrations WHERE finished_at < started_at')).toEqual([])
})

test('it continues where the schema engine stopped, and the engine then has nothing to do', async () => {
  const url = await emptyDatabase()
  await migrateWithEngine(url, 3)

  expect(await migrate(url)).toEqual(names.slice(3))
  expect(await migrateWithEngine(url)).toEqual([])
  expect((await historyOf(url)).map((row) => row['migration_name'])).toEqual(names)
})

test('the schema engine continues where it stopped', async () => {
  const url = await emptyDatabase()
  const folder = await migrationsFolder()
  for (const name of names.slice(3)) await rm(path.join(folder, name), { recursive: true })

  expect(await migrate(url, folder)).toEqual(names.slice(0, 3))
  expect(await migrateWithEngine(url)).toEqual(names.slice(3))
  expect(await migrate(url)).toEqual([])
})

test('processes that migrate a new database simultaneously apply every migration once', async () => {
  const url = await emptyDatabase()

  const applied = await Promise.all([migrate(url), migrate(url), migrate(url)])

  expect(applied.toSorted((a, b) => a.length - b.length)).toEqual([[], [], names])
  expect(await historyOf(url)).toHaveLength(names.length)
})

test('it waits for a schema engine that migrates', async () => {
  const url = await emptyDatabase()
  const applied = await Promise.all([migrateWithEngine(url), migrate(url)])
  expect(applied.toSorted((a, b) => a.length - b.length)).toEqual([[], names])
})

test('a failed migration leaves no trace, and is retried', async () => {
  const url = await emptyDatabase()
  const folder = await migrationsFolder()
  const file = path.join(folder, '29990101000000_broken', 'migration.sql')
  await mkdir(path.dirname(file))
  await writeFile(file, 'CREATE TABLE half (id INT); SELECT 1 / 0;')

  await expect(migrate(url, folder)).rejects.toThrow('migration 29990101000000_broken failed: division by zero')
  expect(await historyOf(url)).toHaveLength(names.length)

  await writeFile(file, 'CREATE TABLE half (id INT);')
  expect(await migrate(url, folder)).toEqual(['29990101000000_broken'])
})

test('a migration that was edited after it ran is refused by name', async () => {
  const url = await emptyDatabase()
  const folder = await migrationsFolder()
  await migrate(url, folder)
  await appendFile(path.join(folder, names[1] ?? '', 'migration.sql'), '-- more')
  await expect(migrate(url, folder)).rejects.toThrow(`migration ${names[1]} was edited`)
})

test('a migration that Prisma recorded as failed is refused until it is resolved', async () => {
  const url = await emptyDatabase()
  const [newest = ''] = names.slice(-1)
  await migrateWithEngine(url, names.length - 1)
  await query(
    url,
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, logs) VALUES ('failed', '', '${newest}', 'ERROR')`,
  )
  await expect(migrate(url)).rejects.toThrow(`migration ${newest} failed earlier`)

  await query(url, `UPDATE _prisma_migrations SET rolled_back_at = now() WHERE id = 'failed'`)
  expect(await migrate(url)).toEqual([newest])
})

test('tables without a history are left alone, as by the schema engine', async () => {
  const url = await emptyDatabase()
  await query(url, 'CREATE TABLE visitors (id INT)')
  await expect(migrateWithEngine(url)).rejects.toThrow()
  await expect(migrate(url)).rejects.toThrow('use an empty database')
  expect(await query(url, `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`)).toEqual([
    { tablename: 'visitors' },
  ])
})

/** A folder whose last migration changes a table that a backup of the database reads until it ends. */
async function migrationDuringBackup() {
  const url = await emptyDatabase()
  await migrate(url)
  const folder = await migrationsFolder()
  const file = path.join(folder, '29990101000000_wider', 'migration.sql')
  await mkdir(path.dirname(file))
  await writeFile(file, 'ALTER TABLE accounts ADD COLUMN wide INT;')
  const backup = new pg.Client({ connectionString: url })
  await backup.connect()
  onTestFinished(() => backup.end())
  await backup.query('BEGIN; SELECT FROM accounts')
  return { url, folder, backup }
}

test('a migration that waits for a backup does not make others wait until that ends', async () => {
  const { url, folder, backup } = await migrationDuringBackup()
  const migrating = migrate(url, folder)
  const waiting =
    'SELECT FROM pg_locks JOIN pg_database ON oid = database WHERE datname = current_database() AND NOT granted'
  await untilFound(async () => (await query(url, waiting)).length > 0)
  const request = new pg.Client({ connectionString: url, statement_timeout: 60_000 })
  await request.connect()
  onTestFinished(() => request.end())
  expect((await request.query('SELECT FROM accounts')).rows).toEqual([])
  await backup.query('COMMIT')
  expect(await migrating).toEqual(['29990101000000_wider'])
})

test('a migration gives up while a backup goes on, and is retried', async () => {
  const { url, folder, backup } = await migrationDuringBackup()
  const waits = { lockMilliseconds: 50, pauseMilliseconds: 1, tries: 2 }
  await expect(migrate(url, folder, waits)).rejects.toThrow(
    'migration 29990101000000_wider failed: another transaction, such as a backup, uses its tables',
  )
  await backup.query('COMMIT')
  expect(await migrate(url, folder, waits)).toEqual(['29990101000000_wider'])
})

test('a broken connection is an error immediately', async () => {
  await expect(migrate('postgresql://nobody@127.0.0.1:1/nothing')).rejects.toThrow(/ECONNREFUSED/)
})

async function emptyDatabase(): Promise<string> {
  const database = await createTestDatabase('template0')
  onTestFinished(database.drop)
  return database.url
}

/** A copy of prisma/migrations to change. */
async function migrationsFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'migrations '))
  onTestFinished(() => rm(folder, { recursive: true }))
  await cp(migrations, folder, { recursive: true })
  return folder
}

/** Applies the first `count` migrations, or all, with the engine that `prisma migrate deploy` runs. */
async function migrateWithEngine(url: string, count = names.length): Promise<string[]> {
  const list = migrationsList()
  const migrationDirectories = list.migrationDirectories.slice(0, count)
  return withSchemaEngine(url, async (engine) => {
    const migrationsList = { ...list, migrationDirectories }
    const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList, filters: schemaFilter })
    return appliedMigrationNames
  })
}

/** Every column, constraint, index, trigger and function, as text. */
function schemaOf(url: string) {
  return query(
    url,
    `SELECT concat_ws(' ', table_name, column_name, data_type, udt_name, character_maximum_length, datetime_precision,
                      is_nullable, column_default) AS definition
     FROM information_schema.columns WHERE table_schema = 'public'
     UNION ALL SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint
       WHERE connamespace = 'public'::regnamespace
     UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
     UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
     UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
     ORDER BY definition`,
  )
}

function historyOf(url: string) {
  return query(
    url,
    `SELECT length(id) AS id_length, checksum, migration_name, logs, rolled_back_at, applied_steps_count,
            finished_at IS NOT NULL AS is_finished
     FROM _prisma_migrations ORDER BY migration_name`,
  )
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}
