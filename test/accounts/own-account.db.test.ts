import { describe, expect, it } from 'vitest'
import { ensureOwnAccount } from '../../src/accounts/own-account.ts'
import { newId } from '../../src/core/ids.ts'
import { openTestDatabase } from '../setup/database.ts'

const db = await openTestDatabase()

const signUp = () => {
  const id = newId('usr')
  return db.user.create({ data: { id, name: 'Ada', email: `${id}@example.com` } })
}

describe('ensureOwnAccount', () => {
  it('creates one account for simultaneous calls', async () => {
    const user = await signUp()
    const ids = await Promise.all(Array.from({ length: 5 }, () => ensureOwnAccount(db, user)))
    expect(new Set(ids).size).toBe(1)
    expect(await db.account.findUniqueOrThrow({ where: { ownerId: user.id } })).toMatchObject({
      id: ids[0],
      name: 'Ada',
    })
  })

  it('requires a new sign-in of a user who was deleted after the session was read', async () => {
    const user = await signUp()
    await db.user.delete({ where: { id: user.id } })
    await expect(ensureOwnAccount(db, user)).rejects.toMatchObject({ code: 'sign_in_required' })
  })

  it('requires it also if the deletion commits meanwhile', async () => {
    const user = await signUp()
    const ensured = await db.$transaction(async (tx) => {
      await tx.user.delete({ where: { id: user.id } })
      const outcome = ensureOwnAccount(db, user).catch((error: unknown) => error)
      await expect.poll(isWaiting).toBe(true)
      return { outcome }
    })
    expect(await ensured.outcome).toMatchObject({ code: 'sign_in_required' })
  })
})

async function isWaiting(): Promise<boolean> {
  const waiting = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%INSERT INTO accounts%' AND datname = current_database()`
  return waiting.length > 0
}
