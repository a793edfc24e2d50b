import { beforeAll, describe, expect, it } from 'vitest'
import { createAccount } from '../../src/accounts/own-account.ts'
import { searchPassages, selectMatching } from '../../src/jobs/search-index.ts'
import { nodesOf } from '../db/plan-nodes.ts'
import { openTestDatabase } from '../setup/database.ts'

const db = await openTestDatabase()
const accounts = 20
const rows = 40_000
let accountId: string

beforeAll(async () => {
  const ids = await Promise.all(Array.from({ length: accounts }, (_, index) => createAccount(db, `account ${index}`)))
  accountId = ids[7] ?? ''
  await db.$executeRaw`
    INSERT INTO jobs (id, account_id, request_id, endpoint, status, settings, rate_micro_usd_per_minute, created_at, ended_at)
    SELECT 'job_' || n, (${ids}::text[])[1 + n % ${accounts}::int], 'req_a', 'audio/find-words', 'completed', '{}', 0,
      now() - interval '1 day' + n * interval '1 second', now()
    FROM generate_series(0, ${rows / 100 - 1}::int) AS n`
  await db.$executeRaw`
    INSERT INTO passages (job_id, start_seconds, end_seconds, text, search)
    SELECT jobs.id, n, n + 1, said, passage_words(account_id, endpoint, said)
    FROM jobs, generate_series(0, 99) AS n, LATERAL (SELECT 'everywhere word' || n || ' of ' || jobs.id AS said) AS sentence`
  await db.$executeRaw`VACUUM ANALYZE passages`
})

describe('a search among the passages of many accounts', () => {
  it.each([
    ['a rare word', 'word7', 'all', 20],
    ['with a scope', 'word7', 'audio/*', 20],
    ['a word of every passage', 'everywhere', 'all', 21],
    ['two words', 'everywhere word7', 'all', 20],
    ['words that are too common', 'the of', 'all', 0],
    ['nothing that was said', 'submarine', 'all', 0],
    ['what other endpoints found', 'word7', 'video/*', 0],
  ])('reads only those of the account, by the index: %s', async (_what, words, scope, found) => {
    const reader = { accountId, scope }
    expect(await searchPassages(db, reader, { words, limit: 21 })).toHaveLength(found)
    const nodes = await nodesOf(db, selectMatching(reader, { words, limit: 21 }))
    for (const node of nodes) {
      if (node['Node Type'] === 'Seq Scan') expect(node['Relation Name']).not.toBe('passages')
      expect(node['Rows Removed by Filter'] ?? 0).toBeLessThan(100)
      expect(node['Rows Removed by Index Recheck'] ?? 0).toBeLessThan(100)
    }
    const indexes = nodes.map((node) => node['Index Name'])
    if (found > 0) expect(indexes).toContain('passages_search_idx')
  })

  it('ranks the newest of too many matches', async () => {
    const reader = { accountId, scope: 'all' }
    const [oldest, newest] = await Promise.all(
      ['ASC', 'DESC'].map(async (order) => {
        const [row] = await db.$queryRawUnsafe<{ jobId: string }[]>(
          `SELECT id AS "jobId" FROM jobs WHERE account_id = '${accountId}' ORDER BY created_at ${order} LIMIT 1`,
        )
        return row?.jobId
      }),
    )
    const found: string[] = []
    for (let after: { rank: number; id: string } | undefined; ; ) {
      const page = await searchPassages(db, reader, { words: 'everywhere', limit: 100, after })
      found.push(...page.map(({ jobId }) => jobId))
      after = page.at(-1)
      if (!after) break
    }
    expect(found).toHaveLength(300)
    expect(found).toContain(newest)
    expect(found).not.toContain(oldest)
  })

  it('gives every word of a vector and of a query to the account, whatever the word contains', async () => {
    const words = { vector: "'a''b':1 'c\\\\d':2A 'e f':3", query: "!'a''b' & ('c\\\\d' <2> 'e f':*A)" }
    const [own] = await db.$queryRaw<Record<string, string>[]>`
      SELECT words_of_account('acct_0123456789', ${words.vector}::tsvector::text)::tsvector::text AS vector,
        words_of_account('acct_0123456789', ${words.query}::tsquery::text)::tsquery::text AS query`
    expect(own).toEqual({
      vector: "'456789 a''b':1 '456789 c\\\\d':2A '456789 e f':3",
      query: "!'456789 a''b' & '456789 c\\\\d' <2> '456789 e f':*A",
    })
  })

  it.each([
    ['Meet me at the ÉCOLE…', 'école'],
    ['They call it an “asterisk” there', 'asterisk'],
    ['Nobody’s asterisk', "nobody's"],
  ])('finds words with accents and typographic quotes: %s', async (said, words) => {
    const [row] = await db.$queryRaw<{ isFound: boolean }[]>`
      SELECT searched_words(${said}) @@ websearch_to_tsquery('english', ${words}) AS "isFound"`
    expect(row?.isFound).toBe(true)
  })

  it('leaves out words that are too long to be searched', async () => {
    const [row] = await db.$queryRaw<{ words: string }[]>`
      SELECT passage_words('acct_0123456789', 'audio/find-words', 'so ' || repeat('ф', 1022) || ' it goes')::text AS words`
    expect(row?.words).toBe("'456789 goe':4 'acct_0123456789' 'acct_0123456789 audio'")
  })

  it('takes a few milliseconds', async () => {
    const milliseconds: number[] = []
    for (let n = 0; n < 100; n += 1) {
      const began = performance.now()
      await searchPassages(db, { accountId, scope: 'all' }, { words: n % 2 ? `word${n}` : 'everywhere', limit: 21 })
      milliseconds.push(performance.now() - began)
    }
    expect(milliseconds.toSorted((a, b) => a - b)[50]).toBeLessThan(50)
  })
})
