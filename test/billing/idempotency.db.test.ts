import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createAccount } from '../../src/accounts/own-account.ts'
import { freeCreditsMicroUsd } from '../../src/billing/credits.ts'
import { openTestDatabase } from '../setup/database.ts'
import { acceptClip } from './jobs.ts'

const db = await openTestDatabase()

function keyed(key: string, body: string) {
  const bodyHash = new Uint8Array(createHash('sha256').update(body).digest())
  return { seconds: 60, idempotency: { method: 'POST', path: '/v1/jobs', key, bodyHash } }
}

describe('an idempotency key', () => {
  it('creates one job and one hold when twenty requests race', async () => {
    const accountId = await createAccount(db, 'race')
    const results = await Promise.all(Array.from({ length: 20 }, () => acceptClip(db, accountId, keyed('a', 'body'))))
    expect(new Set(results.map(({ job }) => job.id)).size).toBe(1)
    expect(results.filter(({ isRepeat }) => !isRepeat)).toHaveLength(1)
    const account = await db.account.findUniqueOrThrow({ where: { id: accountId } })
    expect(account.heldMicroUsd).toBe(10_000n)
  })

  it('refuses another body', async () => {
    const accountId = await createAccount(db, 'other body')
    await acceptClip(db, accountId, keyed('a', 'body'))
    await expect(acceptClip(db, accountId, keyed('a', 'other'))).rejects.toMatchObject({ code: 'idempotency_conflict' })
  })

  it('belongs to its account', async () => {
    const [one, two] = [await createAccount(db, 'one'), await createAccount(db, 'two')]
    await acceptClip(db, one, keyed('a', 'body'))
    expect((await acceptClip(db, two, keyed('a', 'body'))).isRepeat).toBe(false)
  })

  it('is forgotten after a day', async () => {
    const accountId = await createAccount(db, 'a day later')
    const first = await acceptClip(db, accountId, keyed('a', 'body'))
    await db.idempotencyRecord.updateMany({
      where: { accountId },
      data: { createdAt: new Date(Date.now() - 25 * 3_600_000) },
    })
    const second = await acceptClip(db, accountId, keyed('a', 'body'))
    expect(second.job.id).not.toBe(first.job.id)
  })

  it('stays unused after a refused job', async () => {
    const accountId = await createAccount(db, 'refused')
    await expect(acceptClip(db, accountId, { ...keyed('a', 'body'), seconds: 86_400 })).rejects.toMatchObject({
      code: 'billing_required',
    })
    expect(await db.idempotencyRecord.count({ where: { accountId } })).toBe(0)
    expect((await db.account.findUniqueOrThrow({ where: { id: accountId } })).creditMicroUsd).toBe(freeCreditsMicroUsd)
  })
})
