import { afterAll, beforeAll, expect, it } from 'vitest'
import { fillTables } from '../../lab/growth/fill.ts'
import { queriesOf } from '../../lab/growth/queries.ts'
import { openDatabase } from '../../src/db/database.ts'
import { entriesRead } from '../db/entries-read.ts'
import { createTestDatabase } from '../setup/database.ts'

const amounts = { accounts: 50, jobs: 20_000 }
const database = await createTestDatabase()
// One connection, for `entriesRead`.
const db = openDatabase(database.url, { poolSize: 1 })
const queries = Object.entries(queriesOf(db, amounts))
beforeAll(() => fillTables(database.url, amounts))
afterAll(async () => {
  await db.$disconnect()
  await database.drop()
})

/** The tables that keep their rows. */
const growing = ['jobs', 'ledger_entries', 'workflow_runs', 'idempotency_records', 'passages', 'usage_days']
/** A page, or the jobs of an account in a month. */
const fewEntries = amounts.jobs / 10

it.each(queries)('%s reads few of many rows', async (_name, run) => {
  const before = await entriesRead(db, growing)
  await run(7919)
  expect((await entriesRead(db, growing)) - before).toBeLessThan(fewEntries)
})
