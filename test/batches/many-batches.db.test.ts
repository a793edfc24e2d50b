import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAccount } from '../../src/accounts/own-account.ts'
import { countItems, findAccountsWithItems, findFinishedBatches, findNextItem } from '../../src/batches/items.ts'
import { openDatabase } from '../../src/db/database.ts'
import { entriesRead } from '../db/entries-read.ts'
import { createTestDatabase } from '../setup/database.ts'
import { newBatch } from './new-batch.ts'

const database = await createTestDatabase()
// One connection, for `entriesRead`.
const db = openDatabase(database.url, { poolSize: 1 })
const tables = ['batches', 'batch_items', 'workflow_runs']
const [ended, itemsOfEach] = [3000, 10]
/** Of a query about one batch, or a few. */
const fewEntries = 100
let accountId = ''
let openId = ''

/** What the call returns, and the entries that it read. */
async function reading<T>(call: () => Promise<T>) {
  const before = await entriesRead(db, tables)
  const answer = await call()
  return { answer, entries: (await entriesRead(db, tables)) - before }
}

beforeAll(async () => {
  accountId = await createAccount(db, 'many batches')
  await db.$executeRaw`
    INSERT INTO api_keys (id, account_id, name, secret_hash, last_four)
    SELECT 'bat_' || n, ${accountId}, '', '\\x00', 'abcd' FROM generate_series(1, ${ended}::int) AS n`
  await db.$executeRaw`
    INSERT INTO batches (id, account_id, request_id, chain, settings, limit_micro_usd, ended_at)
    SELECT 'bat_' || n, ${accountId}, 'req_a', 'audio/detect-silence', '{}', 0, now() FROM generate_series(1, ${ended}::int) AS n`
  await db.$executeRaw`
    INSERT INTO batch_items (batch_id, media_url, run_id)
    SELECT 'bat_' || n, 'https://media.example/', 'run_' || n FROM generate_series(1, ${ended}::int) AS n, generate_series(1, ${itemsOfEach}::int)`
  const mediaUrls = Array.from({ length: 1000 }, (_, index) => `https://media.example/${index}.mp4`)
  openId = await newBatch(db, { accountId, mediaUrls })
  // All but the last one have ended.
  await db.$executeRaw`
    UPDATE batch_items SET run_id = 'run_' || id WHERE batch_id = ${openId} AND id < (SELECT max(id) FROM batch_items)`
  await db.$executeRaw`
    INSERT INTO workflow_runs (id, account_id, api_key_id, request_id, chain, media_url, media_seconds, settings, limit_micro_usd, ended_at)
    SELECT run_id, ${accountId}, ${openId}, 'req_a', 'audio/detect-silence', media_url, 1, '{}', 0, now()
    FROM batch_items WHERE batch_id = ${openId} AND run_id IS NOT NULL`
  for (const table of tables) await db.$executeRawUnsafe(`VACUUM ANALYZE ${table}`)
})
afterAll(async () => {
  await db.$disconnect()
  await database.drop()
})

it('the next item is found without a look at batches that have ended', async () => {
  const next = await reading(() => findNextItem(db, accountId, { maxOpen: 10, except: { batches: [], items: [] } }))
  expect(next.answer).toMatchObject({ batchId: openId, mediaUrl: 'https://media.example/999.mp4' })
  expect(next.entries).toBeLessThan(fewEntries)
})

it('so are the batches that are to be ended, and the accounts with items, without a look at items that have ended', async () => {
  const finished = await reading(() => findFinishedBatches(db, accountId))
  expect(finished.answer).toEqual([])
  expect(finished.entries).toBeLessThan(fewEntries)
  const accounts = await reading(() => findAccountsWithItems(db, { limit: 10 }))
  expect(accounts.answer).toEqual([accountId])
  expect(accounts.entries).toBeLessThan(fewEntries)
})

it('of a directive the newest thousand items are counted, of a batch all', async () => {
  const directiveId = await newBatch(db, { accountId, kind: 'dir' })
  await db.$executeRaw`
    INSERT INTO batch_items (batch_id, media_url, run_id, error)
    SELECT ${directiveId}, '', CASE WHEN n <= 5000 THEN 'run_erased' END, CASE WHEN n > 5990 THEN '{}'::jsonb END
    FROM generate_series(1, 6000) AS n`
  await db.$executeRawUnsafe('VACUUM ANALYZE batch_items')
  const counted = await reading(() => countItems(db, [directiveId, openId]))
  expect(counted.answer(directiveId)).toEqual({ waiting: 990, running: 0, completed: 0, failed: 10 })
  expect(counted.answer(openId)).toEqual({ waiting: 1, running: 0, completed: 999, failed: 0 })
  // Of 1,000 items each, and of 999 runs.
  expect(counted.entries).toBeLessThan(4000)
})

it('a batch whose last run goes on is not finished, and is when that has ended', async () => {
  await db.$executeRaw`
    UPDATE batch_items SET error = '{"code": "not_found", "message": ""}' WHERE batch_id = ${openId} AND run_id IS NULL`
  const last = await db.workflowRun.findFirstOrThrow({ where: { apiKeyId: openId } })
  await db.workflowRun.update({ where: { id: last.id }, data: { endedAt: null } })
  expect(await findFinishedBatches(db, accountId)).toEqual([])
  await db.workflowRun.update({ where: { id: last.id }, data: { endedAt: new Date() } })
  expect(await findFinishedBatches(db, accountId)).toEqual([{ id: openId }])
})
