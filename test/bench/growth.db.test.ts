import { afterAll, beforeAll, expect, it } from 'vitest'
import { fillTables } from '../../bench/growth/fill.ts'
import { queriesOf } from '../../bench/growth/queries.ts'
import { type Database, openDatabase } from '../../src/store/database.ts'
import { createTestDatabase, type TestDatabase } from '../setup/database.ts'

const amounts = { accounts: 50, jobs: 20_000 }
let database: TestDatabase
let db: Database
beforeAll(async () => {
  database = await createTestDatabase()
  await fillTables(database.url, amounts)
  // One connection, whose statistics can be flushed.
  db = openDatabase(database.url, { poolSize: 1 })
})
afterAll(async () => {
  await db.$disconnect()
  await database.drop()
})

/** The rows and index entries that were read of the tables that keep their rows. */
async function entriesRead(): Promise<number> {
  await db.$executeRaw`SELECT pg_stat_force_next_flush()`
  const [row] = await db.$queryRaw<{ entries: number }[]>`
    SELECT ((SELECT sum(seq_tup_read) FROM pg_stat_user_tables WHERE relname = ANY(${growing}))
      + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = ANY(${growing})))::int AS entries`
  return row?.entries ?? 0
}

const growing = ['jobs', 'ledger_entries', 'workflow_runs', 'idempotency_records']
/** A page, or the jobs of an account in a month. */
const fewEntries = amounts.jobs / 10
const names = Object.keys(queriesOf(openDatabase('postgresql://127.0.0.1:1/none'), amounts))

it.each(names)('%s reads few of many rows', async (name) => {
  const before = await entriesRead()
  await queriesOf(db, amounts)[name]?.(7919)
  expect((await entriesRead()) - before).toBeLessThan(fewEntries)
})
