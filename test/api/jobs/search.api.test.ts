import { describe, expect, it } from 'vitest'
import { createKey } from '../../../src/accounts/keys.ts'
import type { Passage } from '../../../src/core/passages.ts'
import { openAttempt } from '../../../src/jobs/attempts.ts'
import { markContentsDeleted } from '../../../src/jobs/delete.ts'
import { markRunning, recordDraft } from '../../../src/jobs/job-changes.ts'
import { settleAnswered, settleJob } from '../../../src/jobs/settle-job.ts'
import { codeOf, type TestAccount, useApi } from '../api.ts'
import { createAgent } from '../mcp/agent.ts'

const api = await useApi()

const talk = [
  { text: 'The rocket left the launch pad.', start: 1, end: 4 },
  { text: 'Rockets need fuel & oxygen, < 3 t, said the engineer.', start: 5, end: 8.5 },
  { text: 'Then we baked bread.', start: 9, end: 12 },
]

interface HeardBy {
  readonly endpoint?: string
  readonly media_url?: string
}

/** A completed job whose result has the passages. */
async function heard(account: TestAccount, passages: readonly Passage[] = talk, by: HeardBy = {}) {
  const jobId = await account.create({ endpoint: 'audio/find-words', start: 0, end: 3, ...by })
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

interface FoundMoment {
  readonly job_id: string
  readonly start: number
  readonly score: number
  readonly media: { readonly name: string }
}

/** The results of all pages, with what happens between two of them. */
async function allOf(account: TestAccount, q: string, between = async () => {}): Promise<FoundMoment[]> {
  const found: FoundMoment[] = []
  for (let cursor = ''; ; await between()) {
    const page = await search(account, q, `&limit=2${cursor}`)
    found.push(...page.results)
    if (page.next_cursor === undefined) return found
    cursor = `&cursor=${page.next_cursor}`
  }
}

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
    await heard(account, passages, { media_url: 'https://media.example/whales.mp4' })
    const found = await allOf(account, 'whale')
    expect(new Set(found.map(({ media, start }) => `${media.name} ${start}`)).size).toBe(14)
    expect(found).toHaveLength(14)
    const scores = found.map(({ score }) => score)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    expect(scores[0]).toBeGreaterThan(scores.at(-1) ?? 0)
    const wrong = await account.get('/v1/search?q=whale&cursor=bm8')
    expect([wrong.status, codeOf(wrong)]).toEqual([400, 'invalid_request'])
  })

  it('has each moment of a medium once, with the newest job that found it and still exists', async () => {
    const account = await api.newAccount()
    const [older, newest] = [await heard(account), await heard(account)]
    const otherMedia = await heard(account, talk, { media_url: 'https://media.example/copy.mp4' })
    const otherTime = await heard(account, [{ ...talk[0], text: talk[0]?.text ?? '', start: 2, end: 4 }])
    const jobsOf = async () => (await allOf(account, 'launch')).map(({ job_id }) => job_id).toSorted()
    expect(await jobsOf()).toEqual([newest, otherMedia, otherTime].toSorted())
    await api.call({ method: 'DELETE', url: `/v1/jobs/${newest}` }, account.token)
    expect(await jobsOf()).toEqual([older, otherMedia, otherTime].toSorted())
  })

  it('has pages without gaps or repeats while a medium is transcribed again', async () => {
    const account = await api.newAccount()
    const passages = Array.from({ length: 6 }, (_, at) => ({ text: `whale ${'ABCDEF'[at]}`, start: at, end: at + 1 }))
    await heard(account, passages)
    const again: string[] = []
    const found = await allOf(account, 'whale', async () => {
      again.push(await heard(account, passages))
    })
    expect(found.map(({ start }) => start).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5])
    expect(again.length).toBeGreaterThan(1)
    const last = await search(account, 'whale')
    expect(new Set(last.results.map(({ job_id }: FoundMoment) => job_id))).toEqual(new Set(again.slice(-1)))
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
    await heard(account, [], { endpoint: 'audio/detect-silence' })
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

describe('what people paste into a search', () => {
  it.each([
    ['“launch pad”', [1]],
    ['«pad launch»', []],
    ['rockets -“launch pad”', [5]],
    ['rocket ------------------------------------ fuel', [5]],
    ['-'.repeat(200), []],
    ['(-'.repeat(99), []],
    [`bread ${'-'.repeat(40)}rocket`, [9]],
    ['-"'.repeat(100), []],
  ])('is read like plain quotes, without stray hyphens: %s', async (q, starts) => {
    const account = await api.newAccount()
    await heard(account)
    expect(await startsOf(account, q)).toEqual(starts)
  })
})
