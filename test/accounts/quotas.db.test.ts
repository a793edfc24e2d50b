import { describe, expect, it } from 'vitest'
import { acquireWaitSlot, forgetOpenWaits, holdsWaitSlot, releaseWaitSlot } from '../../src/accounts/credentials.ts'
import { forgetQuotaWindows, takeFromQuota } from '../../src/accounts/quotas.ts'
import { newId } from '../../src/core/ids.ts'
import { openTestDatabase } from '../setup/database.ts'

const db = await openTestDatabase()

const endWindow = (subject: string) =>
  db.quotaWindow.update({ where: { subject }, data: { endsAt: new Date(Date.now() - 1) } })

describe('takeFromQuota', () => {
  it('accepts exactly the limit, however many simultaneous requests there are', async () => {
    const quota = { subject: newId('acct'), limit: 30, windowSeconds: 60 }
    const uses = await Promise.all(Array.from({ length: 100 }, () => takeFromQuota(db, quota)))
    expect(uses.filter(({ fits }) => fits)).toHaveLength(30)
    expect(new Set(uses.filter(({ fits }) => fits).map(({ left }) => left)).size).toBe(30)
    for (const { resetSeconds } of uses) expect(resetSeconds).toBeLessThanOrEqual(60)
  })

  it('does not count an amount above the limit, and starts again when the window is over', async () => {
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

describe('open waits', () => {
  const wait = async (accountId: string, milliseconds = 10_000) => {
    const id = newId('wait')
    return { id, isHeld: await acquireWaitSlot(db, { id, accountId, keyId: newId('key'), limit: 3, milliseconds }) }
  }
  const heldOf = async (accountId: string) =>
    (await db.openWait.findMany({ where: { accountId }, orderBy: { startedAt: 'asc' } })).map(({ id }) => id)

  it('a new one always gets a slot, which the oldest one of its account loses', async () => {
    const [accountId, other] = [newId('acct'), newId('acct')]
    const others = await wait(other)
    const waits = []
    for (let count = 0; count < 5; count++) waits.push(await wait(accountId))
    expect(waits.map(({ isHeld }) => isHeld)).toEqual([true, true, true, true, true])
    expect(await heldOf(accountId)).toEqual(waits.slice(2).map(({ id }) => id))
    expect([await holdsWaitSlot(db, waits[1]?.id ?? ''), await holdsWaitSlot(db, waits[2]?.id ?? '')]).toEqual([
      false,
      true,
    ])
    expect(await heldOf(other)).toEqual([others.id])
  })

  it('of many simultaneous ones exactly the limit stays', async () => {
    const accountId = newId('acct')
    await Promise.all(Array.from({ length: 40 }, () => wait(accountId)))
    expect(await heldOf(accountId)).toHaveLength(3)
  })

  it('one that was not released keeps its slot no longer than its maximum duration', async () => {
    const accountId = newId('acct')
    const open = await wait(accountId)
    for (let count = 0; count < 3; count++) await wait(accountId, -1)
    await wait(accountId)
    expect(await holdsWaitSlot(db, open.id)).toBe(true)
  })

  it('one that was released takes no slot', async () => {
    const accountId = newId('acct')
    const [first, second] = [await wait(accountId), await wait(accountId)]
    await releaseWaitSlot(db, second.id)
    for (let count = 0; count < 2; count++) await wait(accountId)
    expect(await holdsWaitSlot(db, first.id)).toBe(true)
  })
})

it('the tables of quotas need no write-ahead log', async () => {
  const tables = await db.$queryRaw<{ relname: string }[]>`
    SELECT relname FROM pg_class WHERE relpersistence = 'u' AND relkind = 'r' ORDER BY relname`
  expect(tables.map(({ relname }) => relname)).toEqual(['open_waits', 'quota_windows'])
})

it('expired rows are deleted, and others stay', async () => {
  const quota = { subject: newId('acct'), limit: 1, windowSeconds: 60 }
  const over = { ...quota, subject: newId('acct') }
  await Promise.all([takeFromQuota(db, quota), takeFromQuota(db, over)])
  await endWindow(over.subject)
  const accountId = newId('acct')
  const open = newId('wait')
  await acquireWaitSlot(db, { id: open, accountId, keyId: newId('key'), limit: 1, milliseconds: 10_000 })
  await acquireWaitSlot(db, { id: newId('wait'), accountId, keyId: newId('key'), limit: 9, milliseconds: -1 })
  expect(await forgetQuotaWindows(db, 100)).toBeGreaterThan(0)
  expect(await forgetOpenWaits(db, 100)).toBeGreaterThan(0)
  const subjects = [quota.subject, over.subject]
  expect(await db.quotaWindow.findMany({ where: { subject: { in: subjects } } })).toMatchObject([
    { subject: quota.subject },
  ])
  expect(await db.openWait.findMany({ where: { accountId } })).toMatchObject([{ id: open }])
})
