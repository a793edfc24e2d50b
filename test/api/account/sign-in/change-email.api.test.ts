import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { emailChangeMailFor } from '../../../../src/accounts/email-change.ts'
import { deleteAccount } from '../../../../src/accounts/erase-account.ts'
import { suspend } from '../../../accounts/owners.ts'
import { codeOf, useApi } from '../../api.ts'
import { linkIn, mailsTo, newEmail, openPage, password, signedIn } from './sign-in.ts'

const api = await useApi()

type Person = Awaited<ReturnType<typeof signedIn>>

const ask = (person: Person, new_email: string, given = password) =>
  person.post('/api/auth/change-email', { password: given, new_email })

/** The token of the link that the new address got. */
async function tokenTo(email: string): Promise<string> {
  const [mail] = await mailsTo(api, email)
  return linkIn(mail).token
}

const confirm = (token: string) => openPage(api).post('/api/auth/confirm-email-change', { token })

describe('a change of the email address', () => {
  it('happens with the link that the new address gets, tells the old address, and keeps session and account', async () => {
    const person = await signedIn(api)
    const chosen = newEmail()
    const asked = await ask(person, chosen)
    expect([asked.status, asked.body.status]).toEqual([200, 'mail_sent'])
    const link = linkIn((await mailsTo(api, chosen))[0])
    const opened = await api.call({ url: link.path, headers: { accept: 'text/html' } })
    expect([opened.status, opened.text]).toEqual([200, expect.stringContaining(`value="${link.token}"`)])
    expect((await openPage(api).get(link.path)).status).toBe(405)
    // Whatever opens the link, such as a scanner of mails: it changes nothing.
    expect((await person.get('/api/auth/get-session')).body.user.email).toBe(person.email)

    expect((await confirm(link.token)).body.status).toBe('email_changed')
    const { user, account_id } = (await person.get('/api/auth/get-session')).body
    expect([user.email, account_id]).toEqual([chosen, person.accountId])
    const told = `The email address of your account is now ${chosen}`
    await expect.poll(async () => (await mailsTo(api, person.email)).map((mail) => mail.includes(told))).toEqual([true])
    expect((await openPage(api).signIn(chosen)).status).toBe(200)
    expect((await openPage(api).signIn(person.email)).status).toBe(401)
    expect(codeOf(await confirm(link.token))).toBe('invalid_request')
  })

  it.each(['before', 'after'])(
    'takes an address with which somebody signed up %s it was asked for, without confirming',
    async (when) => {
      const person = await signedIn(api)
      const chosen = newEmail()
      const squat = () => openPage(api).signUp(chosen)
      if (when === 'before') await squat()
      await ask(person, chosen)
      const mails = await mailsTo(api, chosen, when === 'before' ? 2 : 1)
      if (when === 'after') await squat()
      const { token } = linkIn(mails.find((mail) => mail.includes('confirm-email-change')))
      expect((await confirm(token)).body.status).toBe('email_changed')
      expect((await openPage(api).signIn(chosen)).status).toBe(200)
      expect(await api.db.user.count({ where: { email: chosen } })).toBe(1)
    },
  )

  it('leaves no mail that names a former address, or one that was never confirmed, once the account is deleted', async () => {
    const person = await signedIn(api)
    const [second, third] = [newEmail(), newEmail()]
    const [forgotten, replaced, open] = [newEmail(), newEmail(), newEmail()]
    await ask(person, forgotten)
    await mailsTo(api, forgotten)
    for (const [chosen, former] of [
      [second, person.email],
      [third, second],
    ] as const) {
      await ask(person, chosen)
      await confirm(await tokenTo(chosen))
      const told = `is now ${chosen}`
      await expect.poll(async () => (await mailsTo(api, former)).map((mail) => mail.includes(told))).toEqual([true])
    }
    for (const chosen of [replaced, open]) {
      await ask(person, chosen)
      await mailsTo(api, chosen)
    }
    await deleteAccount(api, person.accountId)
    const folder = path.join(api.config.DATA_DIR, 'mail')
    const mails = await Promise.all((await readdir(folder)).map((name) => readFile(path.join(folder, name), 'utf8')))
    for (const address of [person.email, second, third, forgotten, replaced, open])
      expect(mails.join()).not.toContain(address)
  })

  it('needs the password, another address, and a session', async () => {
    const person = await signedIn(api)
    expect(codeOf(await ask(person, newEmail(), 'not the password'))).toBe('wrong_email_or_password')
    expect(codeOf(await ask(person, person.email))).toBe('invalid_request')
    expect(codeOf(await ask(person, 'no address'))).toBe('invalid_request')
    const visitor = openPage(api)
    expect((await visitor.post('/api/auth/change-email', { password, new_email: newEmail() })).status).toBe(401)
  })

  it('does not reveal whether the new address has an account, which gets no mail, and never takes it', async () => {
    const [person, other] = [await signedIn(api), await signedIn(api)]
    expect((await ask(person, other.email)).body.status).toBe('mail_sent')
    const chosen = newEmail()
    await ask(person, chosen)
    const link = await tokenTo(chosen)
    // The mails of the taken address were found before that of the free one.
    await mailsTo(api, other.email)
    await api.db.user.update({ where: { id: other.userId }, data: { email: chosen } })
    expect(codeOf(await confirm(link))).toBe('invalid_request')
    expect((await person.get('/api/auth/get-session')).body.user.email).toBe(person.email)
  })

  it('ends with a later request, a new password, and its hour', async () => {
    const person = await signedIn(api)
    const [first, second] = [newEmail(), newEmail()]
    await ask(person, first)
    const earlier = await tokenTo(first)
    await ask(person, second)
    const later = await tokenTo(second)
    expect(codeOf(await confirm(earlier))).toBe('invalid_request')
    await api.db.verification.updateMany({ where: { value: person.userId }, data: { expiresAt: new Date() } })
    expect(codeOf(await confirm(later))).toBe('invalid_request')
    const third = newEmail()
    await ask(person, third)
    const link = await tokenTo(third)
    await person.post('/api/auth/change-password', { password, new_password: 'another battery staple' })
    expect(codeOf(await confirm(link))).toBe('invalid_request')
  })

  it('mails nothing for a session that has ended meanwhile, as a new password ends it', async () => {
    const { userId, get } = await signedIn(api)
    const { id: sessionId } = (await get('/api/auth/get-session')).body.session
    const deps = { db: api.db, baseUrl: api.config.BASE_URL, secrets: [api.config.SIGNING_SECRET ?? ''] } as const
    const change = { userId, sessionId, newEmail: newEmail() }
    expect(await emailChangeMailFor(deps, change)).toMatchObject({ to: change.newEmail })
    await api.db.verification.deleteMany({ where: { value: userId } })
    await api.db.session.delete({ where: { id: sessionId } })
    expect(await emailChangeMailFor(deps, change)).toBeUndefined()
    expect(await api.db.verification.count({ where: { value: userId } })).toBe(0)
  })

  it('gives the old mailbox no second free credits, and no way out of a suspension', async () => {
    const person = await signedIn(api)
    const [chosen, another] = [newEmail(), newEmail()]
    await ask(person, chosen)
    await confirm(await tokenTo(chosen))
    const again = openPage(api)
    await again.signUp(person.email)
    // A second mail of this kind would come after three minutes.
    await api.db.user.update({ where: { email: person.email }, data: { emailVerified: true } })
    const { body } = await again.signIn(person.email)
    const { creditMicroUsd } = await api.db.account.findUniqueOrThrow({ where: { id: body.account_id } })
    expect(creditMicroUsd).toBe(0n)

    await ask(person, another)
    const link = await tokenTo(another)
    await suspend(api, person.accountId)
    expect(codeOf(await confirm(link))).toBe('account_suspended')
  })

  it('is refused to a page of another site', async () => {
    const person = await signedIn(api)
    const page = openPage(api, { origin: 'http://evil.test' })
    page.setCookie(person.cookie() ?? '')
    const answer = await page.post('/api/auth/change-email', { password, new_email: newEmail() })
    expect([answer.status, codeOf(answer)]).toEqual([403, 'csrf_failed'])
  })
})
