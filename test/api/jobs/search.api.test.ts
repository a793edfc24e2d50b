import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Passage } from '../../../src/core/passages.ts'
import { settleAnswered, settleJob } from '../../../src/jobs/settle-job.ts'
import { markContentsDeleted } from '../../../src/store/deletions.ts'
import { recordDraft } from '../../../src/store/drafts.ts'
import { markRunning } from '../../../src/store/job-changes.ts'
import { createKey } from '../../../src/store/keys.ts'
import { openAttempt } from '../../../src/store/open-attempts.ts'
import { type Api, codeOf, startApi, type TestAccount } from '../api.ts'
import { createAgent } from '../mcp/agent.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const talk = [
  { text: 'The rocket left the launch pad.', start: 1, end: 4 },
  { text: 'Rockets need fuel & oxygen, < 3 t, said the engineer.', start: 5, end: 8.5 },
  { text: 'Then we baked bread.', start: 9, end: 12 },
]

/** A completed job whose result has the passages. */
async function heard(account: TestAccount, passages: readonly Passage[] = talk, endpoint = 'audio/find-words') {
  const jobId = await account.create({ endpoint, start: 0, end: 3 })
  await markRunning(api.db, jobId)
  await recordDraft(api.db, jobId, { result: { media_seconds: 10 }, passages, files: [], billedMilliseconds: 2_000 })
  await settleJob(api.db, jobId)
  return jobId
}

const search = async (account: Pick<TestAccount, 'get'>, q: string, more = '') => {
  const { status, body } = await account.get(`/v1/search?q=${encodeURIComponent(q)}${more}`)
  expect(status).toBe(200)
  return body
}
const startsOf = async (account: Pick<TestAccount, 'get'>, q: string) =>
  (await search(account, q)).results
    .map(({ start }: { start: number }) => start)
    .toSorted((a: number, b: number) => a - b)

describe('GET /v1/search', () => {
  it('finds words in any ending, with job, media, times and a highlight that is safe as HTML', async () => {
    const account = await api.newAccount()
    const job_id = await heard(account)
    const { results, next_cursor } = await search(account, 'ROCKET engineers')
    expect(results).toEqual([
      {
        ...{ job_id, endpoint: 'audio/find-words', media: { name: 'interview.mp4', host: 'media.example' } },
        ...{ start: 5, end: 8.5, text: talk[1]?.text, score: expect.any(Number) },
        highlight: '<mark>Rockets</mark> need fuel &amp; oxygen, &lt; 3 t, said the <mark>engineer</mark>.',
      },
    ])
    expect(next_cursor).toBeUndefined()
  })

  it.each([
    ['rocket', [1, 5]],
    ['"launch pad"', [1]],
    ['"pad launch"', []],
    ['fuel or bread', [5, 9]],
    ['rocket -fuel', [1]],
    ['submarine', []],
  ])('%j finds what begins at %j', async (q, starts) => {
    const account = await api.newAccount()
    await heard(account)
    expect(await startsOf(account, q)).toEqual(starts)
  })

  it('has the best first, and comes in pages without gaps or repeats', async () => {
    const account = await api.newAccount()
    const passages = Array.from({ length: 7 }, (_, at) => ({
      text: `${'whale '.repeat(at % 3 === 0 ? 4 : 1)}number ${at}`,
      start: at,
      end: at + 1,
    }))
    await heard(account, passages)
    await heard(account, passages)
    const found: { score: number; start: number; job_id: string }[] = []
    for (let cursor = ''; ; ) {
      const page = await search(account, 'whale', `&limit=4${cursor}`)
      found.push(...page.results)
      if (page.next_cursor === undefined) break
      cursor = `&cursor=${page.next_cursor}`
    }
    expect(new Set(found.map(({ job_id, start }) => `${job_id} ${start}`)).size).toBe(14)
    const scores = found.map(({ score }) => score)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    expect(scores[0]).toBeGreaterThan(scores.at(-1) ?? 0)
    const wrong = await account.get('/v1/search?q=whale&cursor=bm8')
    expect([wrong.status, codeOf(wrong)]).toEqual([400, 'invalid_request'])
  })

  it('finds nothing of other accounts, or of endpoints that the key does not cover', async () => {
    const [account, stranger] = [await api.newAccount(), await api.newAccount()]
    await heard(account)
    expect(await startsOf(stranger, 'rocket')).toEqual([])
    // What marks the account in the index is not a word.
    for (const q of [account.accountId, `'${account.accountId}'`, `"${account.accountId} audio"`])
      expect(await startsOf(stranger, q)).toEqual([])
    for (const [scope, count] of [
      ['audio/*', 2],
      ['video/*', 0],
      ['timeline/*', 0],
    ] as const) {
      const { token } = await createKey(api.db, { accountId: account.accountId, name: 'scoped', scope })
      const scoped = { get: (url: string) => api.call({ method: 'GET', url }, token) }
      expect(await startsOf(scoped, 'rocket')).toHaveLength(count)
    }
  })

  it('finds nothing of a deleted job, and the index keeps nothing of it', async () => {
    const account = await api.newAccount()
    const [gone, left] = [await heard(account), await heard(account)]
    const count = (jobId: string) => api.db.passage.count({ where: { jobId } })
    expect([await count(gone), await count(left)]).toEqual([3, 3])
    await api.call({ method: 'DELETE', url: `/v1/jobs/${gone}` }, account.token)
    expect([await count(gone), await count(left)]).toEqual([0, 3])
    const { results } = await search(account, 'rocket')
    expect(new Set(results.map(({ job_id }: { job_id: string }) => job_id))).toEqual(new Set([left]))
  })

  it('finds the text of a job that was answered from what is kept', async () => {
    const account = await api.newAccount()
    const jobId = await account.create({ endpoint: 'audio/semantic-chunks', start: 0, end: 3 })
    await settleAnswered(api.db, jobId, {
      draft: { result: { media_seconds: 10 }, passages: talk, files: [], billedMilliseconds: 0 },
      ...{ media: null, estimate: 0n, startedAt: new Date(), attempt: await openAttempt(api.db, jobId) },
    })
    expect(await startsOf(account, 'rocket')).toEqual([1, 5])
  })

  it('finds nothing of a job before it is completed, and keeps one draft of it', async () => {
    const account = await api.newAccount()
    const jobId = await account.create({ endpoint: 'audio/find-words', start: 0, end: 3 })
    await markRunning(api.db, jobId)
    const draft = { result: {}, passages: talk, files: [], billedMilliseconds: 2_000 }
    expect(await recordDraft(api.db, jobId, draft)).toBe(true)
    expect(await startsOf(account, 'rocket')).toEqual([])
    expect(await recordDraft(api.db, jobId, { ...draft, passages: [] })).toBe(false)
    expect(await recordDraft(api.db, jobId, { ...draft, passages: [...talk, ...talk] })).toBe(false)
    await settleJob(api.db, jobId)
    expect(await startsOf(account, 'rocket')).toEqual([1, 5])
  })

  it('keeps nothing of a job that fails, or ended before its answer', async () => {
    const account = await api.newAccount()
    const jobId = await account.create({ endpoint: 'audio/find-words', start: 0, end: 3 })
    await markRunning(api.db, jobId)
    await recordDraft(api.db, jobId, { result: {}, passages: talk, files: [], billedMilliseconds: 2_000 })
    await settleJob(api.db, jobId, { code: 'processing_failed', message: 'No.' })
    await settleAnswered(api.db, jobId, {
      draft: { result: {}, passages: talk, files: [], billedMilliseconds: 0 },
      ...{ media: null, estimate: 0n, startedAt: new Date(), attempt: await openAttempt(api.db, jobId) },
    })
    expect(await startsOf(account, 'rocket')).toEqual([])
    expect(await api.db.passage.count({ where: { jobId } })).toBe(0)
  })

  it.each([
    'the of and',
    "it's",
    '"',
    '"""',
    "'; DROP TABLE passages; --",
    '& | ! <-> ()',
    '-',
    '-rocket',
    'rocket:*',
    'a & !b | (c',
    '\\',
    '%',
    '😀',
    '日本語',
    'ﷺ'.repeat(10),
    '\u202eevil',
    'x'.repeat(200),
    '-a '.repeat(60).trim(),
    '"a b" '.repeat(30).trim(),
  ])('answers %j', async (q) => {
    const account = await api.newAccount()
    await heard(account)
    const { results } = await search(account, q)
    expect(results.length).toBeLessThanOrEqual(3)
  })

  it.each([
    ['nothing', ''],
    ['spaces', '%20%20'],
    ['10 kB', 'x'.repeat(10_000)],
    ['a NUL', 'a%00b'],
  ])('refuses %s', async (_what, q) => {
    const answer = await (await api.newAccount()).get(`/v1/search?q=${q}`)
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request'])
  })

  it('answers bytes that are no character', async () => {
    const { status, body } = await (await api.newAccount()).get('/v1/search?q=%ED%A0%80')
    expect([status, body.results]).toEqual([200, []])
  })

  it('forgets what an account had when it is deleted', async () => {
    const account = await api.newAccount()
    const jobId = await heard(account)
    const other = await heard(await api.newAccount())
    await markContentsDeleted(api.db, account.accountId)
    expect(await api.db.passage.count({ where: { jobId } })).toBe(0)
    expect(await api.db.passage.count({ where: { jobId: other } })).toBe(3)
  })
})

describe('svc.list_jobs with query', () => {
  it('lists the matches and their jobs', async () => {
    const account = await api.newAccount()
    const jobId = await heard(account)
    await heard(account, [], 'audio/detect-silence')
    const agent = createAgent(api, account.token)
    const { structuredContent, content } = await agent.use('svc.list_jobs', { query: 'bread', limit: 5 })
    expect(structuredContent['jobs']).toMatchObject([{ id: jobId, status: 'completed' }])
    expect(structuredContent['matches']).toMatchObject([
      { job_id: jobId, start: 9, end: 12, text: 'Then we baked bread.' },
    ])
    expect(JSON.stringify(content)).toContain('9-12 s')
    expect(await agent.failure('svc.list_jobs', { query: 'bread', status: 'failed' })).toBe('invalid_request')
    expect(await agent.failure('svc.list_jobs', { query: 'x'.repeat(300) })).toBe('invalid_request')
  })
})
