import { expect, it } from 'vitest'
import { createAccount } from '../../src/accounts/own-account.ts'
import { activateBilling } from '../../src/billing/activate-billing.ts'
import { changeLimits } from '../../src/billing/limits.ts'
import { microUsd } from '../../src/core/money.ts'
import { settleJob } from '../../src/jobs/settle-job.ts'
import { openTestDatabase } from '../setup/database.ts'
import { acceptClip, draftClip } from './jobs.ts'

const db = await openTestDatabase()

async function newAccount(capMicroUsd: number, alertPercents: number[]): Promise<string> {
  const accountId = await createAccount(db, 'alerts')
  await changeLimits(db, { accountId, monthlyCapMicroUsd: microUsd(capMicroUsd), alertPercents, requestId: 'req_1' })
  return accountId
}

/** Spends 0.01 USD a minute. */
async function spend(accountId: string, minutes: number, failure?: Parameters<typeof settleJob>[2]): Promise<void> {
  const { job } = await acceptClip(db, accountId, { seconds: minutes * 60 })
  await draftClip(db, job.id, minutes * 60_000)
  await settleJob(db, job.id, failure)
}

async function alertsOf(accountId: string) {
  const notices = await db.notice.findMany({ where: { accountId, kind: 'spend_alert' }, orderBy: { createdAt: 'asc' } })
  return notices.map(({ data }) => data)
}

const month = new Date().toISOString().slice(0, 7)
const alert = (percent: number, spent_usd: number, cap_usd = 1) => ({ month, percent, spent_usd, cap_usd })

it('each percentage causes one alert, when that part was captured', async () => {
  const accountId = await newAccount(1_000_000, [50, 80, 100])
  await spend(accountId, 49)
  expect(await alertsOf(accountId)).toEqual([])
  await spend(accountId, 1)
  expect(await alertsOf(accountId)).toEqual([alert(50, 0.5)])
  await spend(accountId, 20)
  expect(await alertsOf(accountId)).toHaveLength(1)
  await spend(accountId, 30)
  // One settlement causes the last two, at one time.
  expect(new Set(await alertsOf(accountId))).toEqual(new Set([alert(50, 0.5), alert(80, 1), alert(100, 1)]))
})

it('the end of a job looks only at the percentages that it passes', async () => {
  const accountId = await newAccount(1_000_000, [50, 80])
  await spend(accountId, 50)
  await db.notice.deleteMany({ where: { accountId } })
  await spend(accountId, 10)
  expect(await alertsOf(accountId)).toEqual([])
  await spend(accountId, 20)
  expect(await alertsOf(accountId)).toEqual([alert(80, 0.8)])
})

it('the first cap, of an account that activates billing, counts what was spent before', async () => {
  const accountId = await createAccount(db, 'alerts')
  await changeLimits(db, { accountId, monthlyCapMicroUsd: null, alertPercents: [1, 2], requestId: 'req_1' })
  await spend(accountId, 100)
  expect(await alertsOf(accountId)).toEqual([])
  await activateBilling(db, accountId)
  expect(await alertsOf(accountId)).toEqual([alert(1, 1, 100)])
  await activateBilling(db, accountId)
  expect(await alertsOf(accountId)).toHaveLength(1)
})

it('holds and failed jobs do not count as spending', async () => {
  const accountId = await newAccount(1_000_000, [50])
  await acceptClip(db, accountId, { seconds: 90 * 60 })
  await spend(accountId, 10, { code: 'canceled', message: 'Canceled.' })
  expect(await alertsOf(accountId)).toEqual([])
})

it('are written in the transaction of the capture: rolled back with it', async () => {
  const accountId = await newAccount(100_000, [100])
  const { job } = await acceptClip(db, accountId, { seconds: 600 })
  await draftClip(db, job.id, 600_000)
  await db.$executeRaw`ALTER TABLE notices ADD CONSTRAINT broken CHECK (false) NOT VALID`
  await expect(settleJob(db, job.id)).rejects.toThrow()
  await db.$executeRaw`ALTER TABLE notices DROP CONSTRAINT broken`
  expect(await db.job.findUniqueOrThrow({ where: { id: job.id } })).toMatchObject({ endedAt: null })
  await settleJob(db, job.id)
  expect(await alertsOf(accountId)).toEqual([alert(100, 0.1, 0.1)])
})

it('a cap or percentage that is already exceeded causes an alert immediately', async () => {
  const accountId = await newAccount(10_000_000, [50])
  await spend(accountId, 30)
  const change = { accountId, requestId: 'req_2' }
  await changeLimits(db, { ...change, monthlyCapMicroUsd: microUsd(600_000) })
  expect(await alertsOf(accountId)).toEqual([alert(50, 0.3, 0.6)])
  await changeLimits(db, { ...change, monthlyCapMicroUsd: microUsd(600_000), alertPercents: [40, 50] })
  expect(await alertsOf(accountId)).toHaveLength(2)
})

it('an account without a cap gets no alert', async () => {
  const accountId = await createAccount(db, 'no cap')
  await spend(accountId, 60)
  expect(await alertsOf(accountId)).toEqual([])
})
