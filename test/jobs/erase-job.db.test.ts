import { tmpdir } from 'node:os'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAccount } from '../../src/accounts/own-account.ts'
import { openDatabase } from '../../src/db/database.ts'
import { eraseJob } from '../../src/jobs/erase.ts'
import { openLocalStorage } from '../../src/storage/local/local-storage.ts'
import { createSigner } from '../../src/storage/signing.ts'
import { entriesRead } from '../db/entries-read.ts'
import { createTestDatabase } from '../setup/database.ts'

const database = await createTestDatabase()
// One connection, for `entriesRead`.
const db = openDatabase(database.url, { poolSize: 1 })
const signer = createSigner({ keyId: 'k1', secret: 'a secret of the tests, 32 characters' })
const storage = openLocalStorage({ directory: tmpdir(), baseUrls: ['http://127.0.0.1:1'], signer })
const tables = ['jobs', 'probes']
const [rows, fewEntries] = [5000, 200]
let accountId = ''

beforeAll(async () => {
  accountId = await createAccount(db, 'of many jobs')
  await db.$executeRaw`
    INSERT INTO jobs (id, account_id, request_id, endpoint, status, media_url, settings, rate_micro_usd_per_minute, ended_at)
    SELECT 'job_' || n, ${accountId}, 'req_a', 'audio/find-words', 'completed', 'https://media.example/' || n / 2, '{}', 0, now()
    FROM generate_series(0, ${rows - 1}::int) AS n`
  await db.$executeRaw`
    INSERT INTO probes (id, account_id, media_url, media_key)
    SELECT 'prb_' || n, ${accountId}, 'https://media.example/' || n / 2, CASE WHEN n % 2 > 0 THEN 'uploads/' || n END
    FROM generate_series(0, ${rows - 1}::int) AS n`
  for (const table of tables) await db.$executeRawUnsafe(`VACUUM ANALYZE ${table}`)
})
afterAll(async () => {
  await db.$disconnect()
  await database.drop()
})

it('the erasure of a job on a URL reads few of many jobs, and forgets the media with the last job on it', async () => {
  const mediaUrl = 'https://media.example/1000'
  const known = () => db.probe.findMany({ where: { mediaUrl }, select: { id: true } })
  for (const [id, left] of [
    ['job_2000', ['prb_2000', 'prb_2001']],
    ['job_2001', ['prb_2001']],
  ] as const) {
    await db.job.update({ where: { id }, data: { deletedAt: new Date() } })
    const before = await entriesRead(db, tables)
    await eraseJob({ db, storage }, id)
    expect((await entriesRead(db, tables)) - before).toBeLessThan(fewEntries)
    expect((await known()).map((probe) => probe.id).toSorted()).toEqual(left)
  }
})
