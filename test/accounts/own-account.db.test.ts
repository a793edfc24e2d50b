import { describe, expect, it } from 'vitest'
import { ensureOwnAccount } from '../../src/accounts/own-account.ts'
import { resumeAccount, suspendMailboxOf } from '../../src/accounts/suspension.ts'
import { openTestDatabase } from '../setup/database.ts'
import { config, hashOf, newEmail, ownersOn, renewedConfig, suspend, tagged } from './owners.ts'

const db = await openTestDatabase()
const { signUp, open, remove, movedTwice } = ownersOn(db)
const isSuspended = async (id: string) => (await db.account.findUniqueOrThrow({ where: { id } })).suspendedAt !== null

describe('ensureOwnAccount', () => {
  it('creates one account for simultaneous calls', async () => {
    const user = await signUp()
    const ids = await Promise.all(Array.from({ length: 5 }, () => ensureOwnAccount({ db, config }, user.id)))
    expect(new Set(ids).size).toBe(1)
    expect(await db.account.findUniqueOrThrow({ where: { ownerId: user.id } })).toMatchObject({
      id: ids[0],
      name: 'Ada',
    })
  })

  it('requires a new sign-in of a user who was deleted after the session was read', async () => {
    const user = await signUp()
    await db.user.delete({ where: { id: user.id } })
    await expect(ensureOwnAccount({ db, config }, user.id)).rejects.toMatchObject({ code: 'sign_in_required' })
  })

  it('requires it also if the deletion commits meanwhile', async () => {
    const user = await signUp()
    const ensured = await db.$transaction(async (tx) => {
      await tx.user.delete({ where: { id: user.id } })
      const outcome = ensureOwnAccount({ db, config }, user.id).catch((error: unknown) => error)
      await expect.poll(() => waitingFor('INSERT INTO accounts')).toBe(true)
      return { outcome }
    })
    expect(await ensured.outcome).toMatchObject({ code: 'sign_in_required' })
  })
})

describe('the suspension of an account that its owner deleted', () => {
  const accountOf = (id: string) => db.account.findUniqueOrThrow({ where: { id } })

  /** A mailbox whose suspended account was deleted. */
  async function suspendedMailbox() {
    const email = newEmail()
    const first = await open(email)
    await suspend({ db, config }, first)
    await remove(first)
    return { email, first }
  }

  it('is kept for its mailbox, also with a tag and after another deletion, and names the account to operators', async () => {
    const { email, first } = await suspendedMailbox()
    expect(await accountOf(first)).toMatchObject({ name: '', ownerId: null, suspendedReason: null })
    const second = await open(email)
    expect(await accountOf(second)).toMatchObject({
      suspendedAt: expect.any(Date),
      suspendedReason: expect.stringContaining(first),
    })
    await remove(second)
    expect(await isSuspended(await open(email))).toBe(true)
    expect(await isSuspended(await open(tagged(email)))).toBe(true)
  })

  it('is known by the secret that signed before', async () => {
    const { email } = await suspendedMailbox()
    const { id } = await signUp(email)
    expect(await isSuspended(await ensureOwnAccount({ db, config: renewedConfig }, id))).toBe(true)
  })

  it('ends for the mailbox when an operator resumes its account', async () => {
    const { email } = await suspendedMailbox()
    const next = await open(email)
    await resumeAccount(db, next)
    expect(await isSuspended(next)).toBe(false)
    await remove(next)
    expect(await isSuspended(await open(email))).toBe(false)
  })

  it('can be made after the deletion, by the address, and ended again', async () => {
    const email = newEmail()
    const first = await open(email)
    const hash = hashOf(email)
    await expect(suspendMailboxOf(db, first, hash)).rejects.toThrow('is not deleted')
    await remove(first)
    await suspendMailboxOf(db, first, hash)
    const second = await open(tagged(email))
    expect(await accountOf(second)).toMatchObject({ suspendedReason: expect.stringContaining(first) })
    await resumeAccount(db, second)
    await remove(second)
    expect(await isSuspended(await open(email))).toBe(false)
  })

  it('does not touch other mailboxes, nor one whose deleted account was not suspended', async () => {
    await suspendedMailbox()
    const email = newEmail()
    await remove(await open(email))
    expect(await isSuspended(await open(email))).toBe(false)
  })
})

describe('the suspension of an account whose owner changed the address', () => {
  it('covers the mailboxes that the owner left, while the account is open and after its deletion', async () => {
    const { accountId, former, third } = await movedTwice()
    await suspend({ db, config }, accountId)
    const next = await open(tagged(former[0]))
    expect(await db.account.findUniqueOrThrow({ where: { id: next } })).toMatchObject({
      suspendedAt: expect.any(Date),
      suspendedReason: expect.stringContaining(accountId),
    })
    await remove(accountId)
    expect(await isSuspended(await open(former[1]))).toBe(true)
    expect(await isSuspended(await open(third))).toBe(true)
  })

  it('covers the mailbox that the owner has, under its other addresses', async () => {
    const email = newEmail()
    const accountId = await open(email)
    await suspend({ db, config }, accountId)
    const next = await open(tagged(email))
    expect(await isSuspended(next)).toBe(true)
    await remove(next)
    await resumeAccount(db, accountId)
    expect(await isSuspended(await open(email.replace('@', '+other@')))).toBe(false)
  })

  it('ends for all of them with the account', async () => {
    const { accountId, former } = await movedTwice()
    await suspend({ db, config }, accountId)
    await remove(await open(former[0]))
    await resumeAccount(db, accountId)
    expect(await isSuspended(await open(former[0]))).toBe(false)
    expect(await isSuspended(await open(former[1]))).toBe(false)
  })

  it('ends after the deletion with the next account of one of them', async () => {
    const { accountId, former } = await movedTwice()
    await suspend({ db, config }, accountId)
    await remove(accountId)
    const next = await open(former[0])
    await resumeAccount(db, next)
    await remove(next)
    expect(await isSuspended(await open(former[0]))).toBe(false)
  })

  it('keeps nothing of them with a deleted account that was not suspended', async () => {
    const { accountId, former } = await movedTwice()
    await remove(accountId)
    expect(await db.account.findUniqueOrThrow({ where: { id: accountId } })).toMatchObject({ coveredMailboxes: [] })
    expect(await isSuspended(await open(former[0]))).toBe(false)
  })
})

describe('a suspension while another account of the mailbox is opened', () => {
  /** An account, and a user with a tag of its address who has none yet. */
  async function twoOfAMailbox() {
    const email = newEmail()
    const { id } = await signUp(email)
    const [accountId, user] = [await ensureOwnAccount({ db, config }, id), await signUp(tagged(email))]
    return { email, accountId, userId: user.id }
  }

  it('waits for the account that was begun before it', async () => {
    const { accountId, userId } = await twoOfAMailbox()
    const both = await db.$transaction(async (tx) => {
      await tx.$executeRaw`SELECT 1 FROM users WHERE id = ${userId} FOR UPDATE`
      const opened = ensureOwnAccount({ db, config }, userId)
      await expect.poll(() => waitingFor('INSERT INTO accounts')).toBe(true)
      const suspended = suspend({ db, config }, accountId)
      await expect.poll(() => waitingFor('pg_advisory_xact_lock')).toBe(true)
      return { opened, suspended }
    })
    await both.suspended
    expect(await db.account.findUnique({ where: { ownerId: userId } })).toMatchObject({ id: await both.opened })
  })

  it.each(['an open account', 'a deleted account'])(
    'of %s suspends the account that is begun after it',
    async (which) => {
      const { email, accountId, userId } = await twoOfAMailbox()
      const isOpen = which === 'an open account'
      if (!isOpen) await remove(accountId)
      const both = await db.$transaction(async (tx) => {
        // Lets others lock rows, but change none.
        await tx.$executeRaw`LOCK TABLE accounts IN SHARE MODE`
        const suspended = isOpen ? suspend({ db, config }, accountId) : suspendMailboxOf(db, accountId, hashOf(email))
        await expect.poll(() => waitingFor('UPDATE "public"."accounts"')).toBe(true)
        const opened = ensureOwnAccount({ db, config }, userId)
        await expect.poll(() => waitingFor('pg_advisory_xact_lock')).toBe(true)
        return { suspended, opened }
      })
      await both.suspended
      expect(await db.account.findUniqueOrThrow({ where: { id: await both.opened } })).toMatchObject({
        suspendedAt: expect.any(Date),
        suspendedReason: expect.stringContaining(accountId),
      })
    },
  )
})

/** Whether a statement with this text waits for a lock. */
async function waitingFor(text: string): Promise<boolean> {
  const waiting = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND strpos(query, ${text}) > 0 AND pid <> pg_backend_pid() AND datname = current_database()`
  return waiting.length > 0
}
