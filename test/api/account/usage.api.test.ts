import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { createKey } from '../../../src/accounts/keys.ts'
import { readUsage, totalOf, type UsageGroup, usageGroups } from '../../../src/billing/usage.ts'
import { settleJob } from '../../../src/jobs/settle-job.ts'
import { acceptClip, draftClip } from '../../billing/jobs.ts'
import { codeOf, type TestAccount, useApi } from '../api.ts'

const api = await useApi()

/** An ended job of that day: completed with `billed` milliseconds, or failed. */
async function endOne(accountId: string, apiKeyId: string | null, billed: number | null, day?: string) {
  const { job } = await acceptClip(api.db, accountId, { seconds: 1, apiKeyId })
  if (day) await api.db.job.update({ where: { id: job.id }, data: { createdAt: new Date(`${day}T12:00:00Z`) } })
  if (billed === null) return settleJob(api.db, job.id, { code: 'canceled', message: 'Canceled.' })
  await draftClip(api.db, job.id, billed)
  return settleJob(api.db, job.id)
}

/** The current month, in which every hold of the test is. */
const month = new Date().toISOString().slice(0, 7)
const dayOf = (number: number) => `${month}-${String(number).padStart(2, '0')}`
const wholeMonth = {
  from: dayOf(1),
  to: new Date(Date.UTC(+month.slice(0, 4), +month.slice(5), 0)).toISOString().slice(0, 10),
}

const captured = async (accountId: string) => {
  const entries = await api.db.ledgerEntry.findMany({ where: { accountId, kind: 'capture' } })
  return entries.reduce((sum, entry) => sum + entry.creditMicroUsd + entry.billableMicroUsd, 0n)
}

describe('the usage of random jobs', () => {
  it('adds up to the captures of the ledger, to the millionth of a dollar, however it is grouped', async () => {
    const job = fc.record({
      billed: fc.option(fc.integer({ min: 0, max: 1_000 })),
      day: fc.integer({ min: 1, max: 28 }),
      key: fc.integer({ min: -1, max: 1 }),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(job, { minLength: 1, maxLength: 8 }),
        fc.subarray([...usageGroups]),
        async (jobs, groupBy: UsageGroup[]) => {
          const account = await api.newAccount()
          const { accountId } = account
          const keys = [account.keyId, (await createKey(api.db, { accountId, name: 'second' })).keyId]
          for (const { billed, day, key } of jobs) await endOne(accountId, keys[key] ?? null, billed, dayOf(day))
          // A job of another account and an open job: neither counts.
          await acceptClip(api.db, accountId, { seconds: 1 })

          const rows = await readUsage(api.db, { accountId, ...wholeMonth, groupBy, limit: 1_000 })
          const completed = jobs.flatMap(({ billed }) => billed ?? [])
          expect(totalOf(rows)).toEqual({
            jobsCompleted: BigInt(completed.length),
            jobsFailed: BigInt(jobs.length - completed.length),
            billedMilliseconds: BigInt(completed.reduce((sum, billed) => sum + billed, 0)),
            amountMicroUsd: await captured(accountId),
          })
          const groups = jobs.map(({ day, key }) =>
            JSON.stringify([groupBy.includes('day') && day, groupBy.includes('key') && key]),
          )
          expect(rows).toHaveLength(new Set(groups).size)
        },
      ),
      { numRuns: 15 },
    )
  })
})

describe('GET /v1/usage', () => {
  let account: TestAccount
  beforeAll(async () => {
    account = await api.newAccount()
    const other = await createKey(api.db, { accountId: account.accountId, name: 'second' })
    await endOne(account.accountId, account.keyId, 300, dayOf(3))
    await endOne(account.accountId, account.keyId, 301, dayOf(3))
    await endOne(account.accountId, other.keyId, null, dayOf(4))
    await endOne((await api.newAccount()).accountId, null, 700, dayOf(3))
  })
  const usage = async (query: string) => (await account.get(`/v1/usage?${query}`)).body

  it('200 by day, endpoint and key, with a total', async () => {
    const { from, to } = wholeMonth
    expect(await usage(`from=${from}&to=${to}`)).toMatchObject({
      from,
      to,
      usage: [
        {
          day: dayOf(3),
          endpoint: 'video/clip-window',
          ...{ key_id: account.keyId, key_name: 'test' },
          jobs_completed: 2,
          jobs_failed: 0,
          billed_seconds: 0.601,
          amount_usd: 0.000101,
        },
        { day: dayOf(4), jobs_completed: 0, jobs_failed: 1, billed_seconds: 0, amount_usd: 0 },
      ],
      total: { jobs_completed: 2, jobs_failed: 1, billed_seconds: 0.601, amount_usd: 0.000101 },
    })
  })

  it('200 by the requested groups, for the requested days', async () => {
    const { from, to } = wholeMonth
    const byDay = await usage(`from=${from}&to=${to}&group_by=day`)
    expect(byDay.usage.map((row: object) => Object.keys(row)[1])).toEqual(['jobs_completed', 'jobs_completed'])
    const day = await usage(`from=${dayOf(4)}&to=${dayOf(4)}&group_by=endpoint`)
    expect(day).toMatchObject({
      usage: [{ endpoint: 'video/clip-window', jobs_failed: 1 }],
      total: { jobs_completed: 0 },
    })
    expect((await usage('from=2020-01-01&to=2020-01-31')).usage).toEqual([])
  })

  it('names the key of a job', async () => {
    const jobId = await account.create()
    expect(await api.db.job.findUnique({ where: { id: jobId } })).toMatchObject({ apiKeyId: account.keyId })
  })

  it('keeps a job in the month of its hold, though its clock says the next day', async () => {
    const late = await api.newAccount()
    const after = new Date(Date.parse(wholeMonth.to) + 86_400_000)
    await endOne(late.accountId, null, 100, after.toISOString().slice(0, 10))
    const { body } = await late.get(`/v1/usage?from=${wholeMonth.from}&to=${wholeMonth.to}`)
    expect(body.usage).toMatchObject([{ day: wholeMonth.to, jobs_completed: 1 }])
  })

  it('counts batches for the keys that created them, where each would be one of more than 10,000 rows', async () => {
    const { accountId, keyId, get } = await api.newAccount()
    await api.db.$executeRaw`
      INSERT INTO api_keys (id, account_id, name, secret_hash, last_four, maker_id)
      SELECT 'bat_many' || n, ${accountId}, 'many', '\\x00', 'abcd', CASE WHEN n > 1 THEN ${keyId} END FROM generate_series(0, 10000) AS n`
    await api.db.$executeRaw`
      INSERT INTO usage_days SELECT ${accountId}, ${dayOf(5)}::date, 'video/clip-window', 'bat_many' || n, 1, 0, 1000, 2
      FROM generate_series(0, 10000) AS n`
    const { body } = await get(`/v1/usage?from=${wholeMonth.from}&to=${wholeMonth.to}`)
    expect(body.usage).toMatchObject([
      { key_id: keyId, key_name: 'test', jobs_completed: 9_999 },
      { key_id: null, jobs_completed: 2 },
    ])
    expect(body.total).toMatchObject({ jobs_completed: 10_001, amount_usd: 0.020_002 })
  })

  it.each([
    ['from=2026-02-02&to=2026-02-01', /from is after to/],
    ['from=2020-01-01&to=2026-02-01', /at most 366/],
    ['from=yesterday', /from/],
    ['to=0000-02-01', /to: expected a year from 0001/],
    ['group_by=color', /group_by.*day, endpoint, key/],
  ])('400 invalid_request for %s', async (query, message) => {
    const answer = await account.get(`/v1/usage?${query}`)
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request'])
    expect(answer.body.error.message).toMatch(message)
  })

  it('403 connector_scope_denied for a key of one group', async () => {
    const { accountId, keyId, get } = await api.newAccount()
    await api.db.apiKey.update({ where: { id: keyId, accountId }, data: { scope: 'video/*' } })
    const answer = await get('/v1/usage')
    expect([answer.status, codeOf(answer)]).toEqual([403, 'connector_scope_denied'])
  })
})
