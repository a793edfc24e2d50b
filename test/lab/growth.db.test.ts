import { afterAll, beforeAll, expect, it } from 'vitest'
import { fillTables } from '../../lab/growth/fill.ts'
import { queriesOf } from '../../lab/growth/queries.ts'
import { openDatabase } from '../../src/db/database.ts'
import { createTestDatabase } from '../setup/database.ts'

const amounts = { accounts: 50, jobs: 20_000 }
const database = await createTestDatabase()
// One connection, whose statistics can be flushed.
const db = openDatabase(database.url, { poolSize: 1 })
const queries = Object.entries(queriesOf(db, amounts))
beforeAll(() => fillTables(database.url, amounts))
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

const growing = ['jobs', 'ledger_entries', 'workflow_runs', 'idempotency_records', 'passages', 'usage_days']
/** A page, or the jobs of an account in a month. */
const fewEntries = amounts.jobs / 10

it.each(queries)('%s reads few of many rows', async (_name, run) => {
  const before = await entriesRead()
  await run(7919)
  expect((await entriesRead()) - before).toBeLessThan(fewEntries)
})
