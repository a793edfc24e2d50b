import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll } from 'vitest'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { required } from './required.ts'

export const templateDatabase = 'migrated_template'

export interface TestDatabase {
  readonly url: string
  drop(): Promise<void>
}

/**
 * A separate database, cloned in some ten milliseconds, with every migration applied, or empty from `template0`. `drop`
 * closes its connections.
 */
export async function createTestDatabase(template = templateDatabase): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await administer(`create database "${name}" template "${template}"`)
  const url = new URL(required('TEST_DATABASE_ADMIN_URL'))
  url.pathname = `/${name}`
  return { url: url.href, drop: () => administer(`drop database if exists "${name}" with (force)`) }
}

async function administer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: required('TEST_DATABASE_ADMIN_URL') })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** Opens a separate database for the test file, dropped after the file's tests. */
export async function openTestDatabase(): Promise<Database> {
  const database = await createTestDatabase()
  const db = openDatabase(database.url)
  afterAll(async () => {
    await db.$disconnect()
    await database.drop()
  })
  return db
}
