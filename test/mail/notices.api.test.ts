import { beforeEach, describe, expect, it } from 'vitest'
import type { Dependencies } from '../../activities/dependencies.ts'
import { upkeepRuns } from '../../activities/upkeep/index.ts'
import { createAccount } from '../../src/accounts/own-account.ts'
import { newId } from '../../src/core/ids.ts'
import { type Mail, MailRefusedError } from '../../src/mail/mailer.ts'
import { addNotice, knownKinds } from '../../src/mail/notices.ts'
import { useDependencies } from '../activities/use-dependencies.ts'

const deps = await useDependencies()
const mails: Mail[] = []
const send = async (mail: Mail) => void mails.push(mail)

beforeEach(async () => {
  mails.length = 0
  await deps.db.notice.deleteMany()
})

async function ownedAccount({ emailVerified = true } = {}) {
  const id = newId('acct')
  const email = `${id}@example.com`
  await createAccount(deps.db, 'notices', id)
  await deps.db.account.update({
    where: { id },
    data: { owner: { create: { id: `usr_${id}`, name: 'Ada', email, emailVerified } } },
  })
  return { id, email }
}

const alert = { month: '2026-11', percent: 80, spent_usd: 40, cap_usd: 50 }
const tell = (accountId: string, key = 'one') =>
  addNotice(deps.db, { accountId, kind: 'spend_alert', key, data: alert })

const dataOfKey = (n: string) => ({ key_id: `key_${n}`, name: n, scope: 'all' })
const tellOfKey = (accountId: string, n: string) =>
  addNotice(deps.db, { accountId, kind: 'key_created', key: n, data: dataOfKey(n) })

async function sendNotices(changed: Partial<Dependencies> = {}): Promise<number> {
  const { sendNotices: rule = expect.fail('no rule') } = upkeepRuns({ ...deps, mailer: { send }, ...changed })
  return rule(new AbortController().signal)
}

describe('a notice', () => {
  it('is written once for each key, however many simultaneous calls there are', async () => {
    const { id } = await ownedAccount()
    await Promise.all(Array.from({ length: 20 }, () => tell(id)))
    await tell(id, 'two')
    expect(await deps.db.notice.count({ where: { accountId: id } })).toBe(2)
  })

  it('is rolled back with its transaction', async () => {
    const { id } = await ownedAccount()
    const failed = deps.db.$transaction(async (tx) => {
      await addNotice(tx, { accountId: id, kind: 'spend_alert', key: 'one', data: alert })
      throw new Error('rolled back')
    })
    await expect(failed).rejects.toThrow('rolled back')
    expect(await deps.db.notice.count()).toBe(0)
  })
})

describe('sendNotices', () => {
  it('mails each notice to the owner, once', async () => {
    const { id, email } = await ownedAccount()
    await tell(id)
    expect(await sendNotices()).toBe(1)
    expect(mails).toEqual([
      { to: email, subject: '80 % of your monthly cap is used', text: expect.stringContaining('40.00 USD') },
    ])
    expect(await sendNotices()).toBe(0)
    expect(mails).toHaveLength(1)
  })

  it('mails what waits together as one mail, which begins with what it is about', async () => {
    const { id, email } = await ownedAccount()
    for (const n of ['one', 'two']) await tellOfKey(id, n)
    await tell(id)
    expect(await sendNotices()).toBe(1)
    const [mail, ...others] = mails
    expect([mail?.to, mail?.subject, others]).toEqual([email, '3 notices of your account', []])
    const [about] = mail?.text.split('\n\n') ?? []
    expect(about?.split('\n').toSorted()).toEqual(['- 80 % of your monthly cap is used', '- A new API key (2)'])
    for (const told of ['key_one', 'key_two', '40.00 USD']) expect(mail?.text).toContain(told)
    expect(await sendNotices()).toBe(0)
  })

  it('mails an account ten times an hour, and then all that waits as one', async () => {
    const { id } = await ownedAccount()
    const other = await ownedAccount()
    for (let n = 1; n <= 10; n += 1) {
      await tellOfKey(id, `${n}`)
      expect(await sendNotices()).toBe(1)
    }
    for (const n of ['11', '12']) await tellOfKey(id, n)
    await tell(other.id)
    expect(await sendNotices()).toBe(1)
    expect(mails.slice(10).map(({ to }) => to)).toEqual([other.email])
    // An hour after the first mail.
    const [first] = await deps.db.notice.findMany({ where: { accountId: id }, orderBy: { mailedAt: 'asc' }, take: 1 })
    await deps.db.notice.update({
      where: { id: first?.id ?? '' },
      data: { mailedAt: new Date(Date.now() - 3_600_000) },
    })
    expect(await sendNotices()).toBe(1)
    const told = mails.slice(11).map(({ text }) => ['key_11', 'key_12'].every((key) => text.includes(key)))
    expect(told).toEqual([true])
  })

  it('has a turn for each account, however many notices another one has', async () => {
    const many = await ownedAccount()
    const one = await ownedAccount()
    const kind = 'key_created'
    const rows = Array.from({ length: 700 }, (_, n) => ({
      ...{ id: newId('ntc'), kind, key: `${n}` },
      data: dataOfKey(`${n}`),
    }))
    await deps.db.notice.createMany({ data: rows.map((row) => ({ ...row, accountId: many.id })) })
    await tell(one.id)
    expect(await sendNotices()).toBe(2)
    expect(mails.map(({ to }) => to).toSorted()).toEqual([many.email, one.email].toSorted())
    expect(await deps.db.notice.count({ where: { mailedAt: null } })).toBe(0)
  })

  it('mails no unverified address, no user without an account, and no unknown kind of a newer release', async () => {
    await tell((await ownedAccount({ emailVerified: false })).id)
    await tell(await createAccount(deps.db, 'operator made'))
    const { id } = await ownedAccount()
    await deps.db.notice.create({ data: { id: newId('ntc'), accountId: id, kind: 'later', key: '', data: {} } })
    expect(await sendNotices()).toBe(0)
    expect(mails).toEqual([])
  })

  it('retries failed mails in the next pass, and mails the others', async () => {
    const [one, two] = [await ownedAccount(), await ownedAccount()]
    await tell(one.id)
    await tell(two.id)
    const broken = async (mail: Mail) => {
      if (mail.to === one.email) throw new Error('no answer')
      await send(mail)
    }
    expect(await sendNotices({ mailer: { send: broken } })).toBe(1)
    expect(mails.map(({ to }) => to)).toEqual([two.email])
    expect(await sendNotices()).toBe(1)
    expect(mails.map(({ to }) => to)).toEqual([two.email, one.email])
  })

  it('does not retry an address that the server refuses permanently', async () => {
    await tell((await ownedAccount()).id)
    const refuse = async () => {
      throw new MailRefusedError('address refused')
    }
    await sendNotices({ mailer: { send: refuse } })
    expect(await sendNotices()).toBe(0)
    expect(mails).toEqual([])
  })

  it('sends nothing without a mail server, and no old notices later', async () => {
    await tell((await ownedAccount()).id)
    expect(await sendNotices({ mailer: undefined })).toBe(0)
    await deps.db.notice.updateMany({ data: { createdAt: new Date(Date.now() - 4 * 86_400_000) } })
    expect(await sendNotices()).toBe(0)
  })
})

it('every kind has a name that the API can show', () => {
  for (const kind of knownKinds) expect(kind).toMatch(/^[a-z_]+$/)
})
