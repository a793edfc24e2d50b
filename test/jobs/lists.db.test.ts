import { beforeAll, describe, expect, it } from 'vitest'
import { createAccount } from '../../src/accounts/own-account.ts'
import { Prisma } from '../../src/db/generated/client.ts'
import { type AskedFilter, listConditions, selectPage } from '../../src/jobs/list-conditions.ts'
import { selectUploads } from '../../src/uploads/uploads.ts'
import { nodesOf } from '../db/plan-nodes.ts'
import { openTestDatabase } from '../setup/database.ts'

const db = await openTestDatabase()
let accountId: string
const rows = 20_000

beforeAll(async () => {
  accountId = await createAccount(db, 'large')
  const otherId = await createAccount(db, 'other')
  await db.$executeRaw`
    INSERT INTO workflow_runs (id, account_id, request_id, chain, media_url, media_name, media_seconds, settings, metadata, limit_micro_usd, created_at)
    SELECT 'run_' || n, CASE WHEN n % 2 = 0 THEN ${accountId} ELSE ${otherId} END, 'req_a', 'remove-dead-space', 'https://a.example/a',
      'episode-' || n / 10 || '.mp3', 1, '{}', jsonb_build_object('episode', (n / 10)::text), 0, now() - make_interval(secs => n)
    FROM generate_series(1, ${rows}::int) AS n`
  await db.$executeRaw`
    INSERT INTO jobs (id, account_id, request_id, run_id, endpoint, status, media_name, settings, metadata, rate_micro_usd_per_minute, created_at)
    SELECT 'job_' || n, CASE WHEN n % 2 = 0 THEN ${accountId} ELSE ${otherId} END, 'req_a',
      CASE WHEN n % 10 = 0 THEN 'run_' || n END, CASE WHEN n % 2000 = 0 THEN 'timeline/merge' ELSE 'audio/detect-silence' END,
      (CASE WHEN n % 2000 = 0 THEN 'failed' ELSE 'completed' END)::"JobStatus",
      'episode-' || n / 10 || '.mp3', '{}', jsonb_build_object('episode', (n / 10)::text, 'show', 'the same'), 0,
      now() - make_interval(secs => n)
    FROM generate_series(1, ${rows}::int) AS n`
  await db.$executeRaw`
    INSERT INTO uploads (id, account_id, object_key, file_name, content_type, created_at, expires_at)
    SELECT 'upl_' || n, CASE WHEN n % 2 = 0 THEN ${accountId} ELSE ${otherId} END, 'uploads/' || n,
      'episode-' || n / 10 || '.mp3', 'audio/mpeg', now() - make_interval(secs => n), now()
    FROM generate_series(1, ${rows}::int) AS n`
  await db.$executeRaw`ANALYZE jobs`
  await db.$executeRaw`ANALYZE uploads`
  await db.$executeRaw`ANALYZE workflow_runs`
})

const hourAgo = new Date(Date.now() - 3_600_000)
const after = { createdAt: hourAgo, id: 'job_zzz' }
const equals = (column: string, value: string) => Prisma.sql`${Prisma.raw(column)} = ${value}`

const filters: readonly [string, AskedFilter, readonly Prisma.Sql[]][] = [
  ['nothing', {}, []],
  ['the file name', { mediaName: 'episode-77.mp3' }, []],
  ['a pair of the metadata', { metadata: { episode: '77' } }, []],
  ['two pairs of the metadata', { metadata: { episode: '77', show: 'the same' } }, []],
  ['the time', { createdAfter: new Date(hourAgo.getTime() - 60_000), createdBefore: hourAgo }, []],
]
const ofJobs: typeof filters = [
  ['a rare endpoint', {}, [equals('endpoint', 'timeline/merge')]],
  ['a run', {}, [equals('run_id', 'run_7770')]],
  ['a rare status', {}, [Prisma.sql`status = 'failed'::"JobStatus"`]],
]

describe.each([
  ['jobs', [...filters, ...ofJobs]],
  ['workflow_runs', filters],
] as const)('a page of %s among many', (table, cases) => {
  const asked = cases.flatMap(([what, filter, more]) => [
    [what, 'first', { limit: 21, filter }, more] as const,
    [what, 'later', { limit: 21, filter, after }, more] as const,
  ])
  it.each(asked)('by %s, the %s one, is read from an index', async (_what, _page, input, more) => {
    const query = selectPage(Prisma.raw(table), [...listConditions(accountId, input), ...more], input.limit)
    await expectFromIndex(table, query)
  })
})

it.each([
  ['nothing', { filter: {} }],
  ['nothing, the later one', { filter: {}, after: { createdAt: hourAgo, id: 'upl_zzz' } }],
  ['the file name', { filter: { fileName: 'episode-77.mp3' } }],
  ['the time', { filter: { createdAfter: new Date(hourAgo.getTime() - 60_000), createdBefore: hourAgo } }],
])('a page of uploads among many, by %s, is read from an index', async (_what, input) => {
  await expectFromIndex('uploads', selectUploads(accountId, { limit: 21, ...input }))
})

async function expectFromIndex(table: string, query: Prisma.Sql): Promise<void> {
  const nodes = await nodesOf(db, query)
  expect(nodes.map((node) => node['Node Type'])).not.toContain('Seq Scan')
  expect(nodes.some((node) => node['Index Name']?.startsWith(table))).toBe(true)
  // Rows of another account with the same metadata, at most.
  const removed = nodes.reduce((sum, node) => sum + (node['Rows Removed by Filter'] ?? 0), 0)
  expect(removed).toBeLessThan(50)
}
