import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { readMigrations, schemaFilter, withSchemaEngine } from './schema-engine.ts'

/**
 * Applies the migrations that the database does not have yet and gives their names. Processes that start together wait
 * for each other, at most a minute. The URL goes straight to the database: a pooler would break the advisory lock.
 */
export async function migrate(url: string): Promise<string[]> {
  return withMigrationLock(url, () =>
    withSchemaEngine(url, async (engine) => {
      const applied = await engine.applyMigrations({ migrationsList: readMigrations(), filters: schemaFilter })
      return applied.appliedMigrationNames
    }),
  )
}

/** The lock belongs to a connection of its own, so that it ends with the process whatever happens. */
async function withMigrationLock<Result>(url: string, use: () => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    for (let attempts = 0; !(await tryLock(client)); attempts++) {
      if (attempts >= 600) throw new Error('another process has been migrating the database for a minute')
      await sleep(100)
    }
    return await use()
  } finally {
    await client.end()
  }
}

async function tryLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    "select pg_try_advisory_lock(hashtextextended('migrate', 0)) as locked",
  )
  return rows[0]?.locked === true
}
