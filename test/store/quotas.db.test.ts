import { describe, expect, it } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { acquireWaitSlot, forgetOpenWaits, releaseWaitSlot } from '../../src/store/open-waits.ts'
import { forgetQuotaWindows, takeFromQuota } from '../../src/store/quotas.ts'
import { openTestDatabase } from '../setup/database.ts'

const db = await openTestDatabase()

const endWindow = (subject: string) =>
  db.quotaWindow.update({ where: { subject }, data: { endsAt: new Date(Date.now() - 1) } })

describe('takeFromQuota', () => {
  it('lets exactly the limit through, however many ask at once', async () => {
    const quota = { subject: newId('acct'), limit: 30, windowSeconds: 60 }
    const uses = await Promise.all(Array.from({ length: 100 }, () => takeFromQuota(db, quota)))
    expect(uses.filter(({ fits }) => fits)).toHaveLength(30)
    expect(new Set(uses.filter(({ fits }) => fits).map(({ left }) => left)).size).toBe(30)
    for (const { resetSeconds } of uses) expect(resetSeconds).toBeLessThanOrEqual(60)
  })

  it('does not count what does not fit, and begins anew when the window is over', async () => {
    const quota = { subject: newId('acct'), limit: 10, windowSeconds: 3600 }
    expect(await takeFromQuota(db, quota, 11)).toEqual({ fits: false, left: 10, resetSeconds: 3600 })
    expect(await takeFromQuota(db, quota, 7)).toMatchObject({ fits: true, left: 3 })
    expect(await takeFromQuota(db, quota, 4)).toMatchObject({ fits: false, left: 3 })
    expect(await takeFromQuota(db, quota, 3)).toMatchObject({ fits: true, left: 0 })
    await endWindow(quota.subject)
    expect(await takeFromQuota(db, quota, 10)).toEqual({ fits: true, left: 0, resetSeconds: 3600 })
  })

  it('has one quota for each subject', async () => {
    const [one, other] = [newId('acct'), newId('acct')]
    const quotaOf = (subject: string) => ({ subject, limit: 1, windowSeconds: 60 })
    expect(await takeFromQuota(db, quotaOf(one))).toMatchObject({ fits: true })
    expect(await takeFromQuota(db, quotaOf(other))).toMatchObject({ fits: true })
    expect(await takeFromQuota(db, quotaOf(one))).toMatchObject({ fits: false })
  })
})

describe('openWait', () => {
  const wait = (accountId: string, milliseconds = 10_000) => acquireWaitSlot(db, { accountId, limit: 3, milliseconds })

  it('never gives more than the limit at once, and gives back what has ended', async () => {
    const accountId = newId('acct')
    const first = (await Promise.all(Array.from({ length: 20 }, () => wait(accountId)))).filter(Boolean)
    expect(first.length).toBeLessThanOrEqual(3)
    while (first.length < 3) first.push(await wait(accountId))
    expect(await wait(accountId)).toBeUndefined()
    expect(await wait(newId('acct'))).toBeDefined()
    await releaseWaitSlot(db, first[0] ?? '')
    expect(await wait(accountId)).toBeDefined()
  })

  it('counts a wait that nobody ended no longer than it could last', async () => {
    const accountId = newId('acct')
    for (let count = 0; count < 3; count++) await wait(accountId, -1)
    expect(await wait(accountId)).toBeDefined()
  })
})

it('the tables of quotas need no write-ahead log', async () => {
  const tables = await db.$queryRaw<{ relname: string }[]>`
    SELECT relname FROM pg_class WHERE relpersistence = 'u' AND relkind = 'r' ORDER BY relname`
  expect(tables.map(({ relname }) => relname)).toEqual(['open_waits', 'quota_windows'])
})

it('what is over is deleted, and what is not stays', async () => {
  const quota = { subject: newId('acct'), limit: 1, windowSeconds: 60 }
  const over = { ...quota, subject: newId('acct') }
  await Promise.all([takeFromQuota(db, quota), takeFromQuota(db, over)])
  await endWindow(over.subject)
  const accountId = newId('acct')
  const open = await acquireWaitSlot(db, { accountId, limit: 1, milliseconds: 10_000 })
  await acquireWaitSlot(db, { accountId, limit: 9, milliseconds: -1 })
  expect(await forgetQuotaWindows(db)).toBeGreaterThan(0)
  expect(await forgetOpenWaits(db)).toBeGreaterThan(0)
  const subjects = [quota.subject, over.subject]
  expect(await db.quotaWindow.findMany({ where: { subject: { in: subjects } } })).toMatchObject([
    { subject: quota.subject },
  ])
  expect(await db.openWait.findMany({ where: { accountId } })).toMatchObject([{ id: open }])
})
