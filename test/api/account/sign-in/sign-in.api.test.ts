import { describe, expect, it } from 'vitest'
import { describeCredentials } from '../../../../src/accounts/describe-account.ts'
import { deleteAccount } from '../../../../src/accounts/erase-account.ts'
import { type Answer, codeOf, useApi } from '../../api.ts'
import { cookiesOf, linkIn, mailsTo, newEmail, openPage, password, signedIn } from './sign-in.ts'

const api = await useApi({ SIGN_IN_TRIES_PER_ADDRESS: '1000000' })

const accountsOf = (email: string) =>
  api.db.account.findMany({ where: { owner: { email } }, include: { ledger: true } })
const userOf = (email: string) => api.db.user.findUniqueOrThrow({ where: { email } })
/** A response without the id of its request. */
const told = ({ status, body }: Answer) => ({ status, ...body, request_id: undefined })
/** An error without the id of its request. */
const refusal = ({ status, body }: Answer) => ({ status, ...body.error, request_id: undefined })

describe('signing up', () => {
  it('mails a link, which creates the account; the first sign-in grants 5 USD', async () => {
    const [email, page] = [newEmail(), openPage(api)]
    expect(told(await page.signUp(email))).toEqual({ status: 'mail_sent' })
    expect((await page.signIn(email)).status).toBe(401)
    expect(await accountsOf(email)).toEqual([])
    const [mail] = await mailsTo(api, email)
    expect(told(await page.verify(linkIn(mail).token))).toEqual({ status: 'verified' })
    const [account, ...more] = await accountsOf(email)
    expect(more).toEqual([])
    expect(account).toMatchObject({ creditMicroUsd: 0n, ledger: [] })
    const { status, body } = await page.signIn(email)
    await page.signIn(email)
    expect(await accountsOf(email)).toMatchObject([
      { id: account?.id, creditMicroUsd: 5_000_000n, ledger: [{ kind: 'grant', creditMicroUsd: 5_000_000n }] },
    ])
    expect([status, body.account_id, body.user.email]).toEqual([200, account?.id, email])
  })

  it('grants the credits once for twenty simultaneous verifications, and for none after them', async () => {
    const [email, page] = [newEmail(), openPage(api)]
    await page.signUp(email)
    const { token } = linkIn((await mailsTo(api, email))[0])
    const answers = await Promise.all(Array.from({ length: 20 }, () => page.verify(token)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
    await page.verify(token)
    await page.signIn(email)
    const accounts = await accountsOf(email)
    expect(accounts.map(({ creditMicroUsd, ledger }) => [creditMicroUsd, ledger.length])).toEqual([[5_000_000n, 1]])
  })

  it('opens the account with the password of whoever confirms, not of whoever signed up', async () => {
    const [email, stranger, owner] = [newEmail(), openPage(api), openPage(api)]
    await stranger.signUp(email, 'the password of a stranger')
    await owner.signUp(email)
    const mails = await mailsTo(api, email, 2)
    const confirming = mails.find((mail) => mail.includes('verify-email'))
    expect((await owner.verify(linkIn(confirming).token)).status).toBe(200)
    expect(codeOf(await stranger.signIn(email, 'the password of a stranger'))).toBe('wrong_email_or_password')
    expect((await owner.signIn(email)).status).toBe(200)
    // The link in the mail stays one that confirms, and never one that changes a password.
    await stranger.verify(linkIn(confirming).token, 'the password of a stranger')
    expect((await owner.signIn(email)).status).toBe(200)
    expect(codeOf(await stranger.post('/api/auth/verify-email', { token: 'x.y.z' }))).toBe('invalid_request')
  })

  it('creates an account that is missing after the verification', async () => {
    const [email, page] = [newEmail(), openPage(api)]
    await page.signUp(email)
    await api.db.user.update({ where: { email }, data: { emailVerified: true } })
    expect(await accountsOf(email)).toEqual([])
    const { body } = await page.signIn(email)
    expect(await accountsOf(email)).toMatchObject([{ id: body.account_id, creditMicroUsd: 5_000_000n }])
  })

  it('keeps only a hash of the password and of the mailed token, and a signed token in the cookie', async () => {
    const { email, userId, post, cookie } = await signedIn(api)
    await post('/api/auth/request-password-reset', { email })
    const { token } = linkIn((await mailsTo(api, email, 2))[1])
    const [methods, verifications, sessions] = await Promise.all([
      api.db.signInMethod.findMany({ where: { userId } }),
      api.db.verification.findMany(),
      api.db.session.findMany({ where: { userId } }),
    ])
    expect(JSON.stringify([methods, verifications])).not.toContain(password)
    expect(token).not.toBe('')
    expect(JSON.stringify([methods, verifications])).not.toContain(token)
    expect(cookie()).not.toBe(`media_timeline.session_token=${sessions[0]?.token}`)
  })

  it.each([
    ['a short password', { password: 'short' }],
    ['a long password', { password: 'p'.repeat(129) }],
    ['no address', { email: 'ada' }],
    ['a second line in the address', { email: 'ada@example.com\nBcc: eve@example.com' }],
    ['a second line in the name', { name: 'Ada\r\nBcc: eve@example.com' }],
    ['a name that cannot be stored', { name: 'Ada\0' }],
  ])('refuses %s', async (_what, fields) => {
    const answer = await openPage(api).post('/api/auth/sign-up/email', { email: newEmail(), password, ...fields })
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request'])
  })

  it('creates one user for many simultaneous requests', async () => {
    const [email, page] = [newEmail(), openPage(api)]
    const answers = await Promise.all(Array.from({ length: 4 }, () => page.signUp(email)))
    expect(answers.map(told)).toEqual(Array.from({ length: 4 }, () => ({ status: 'mail_sent' })))
    expect(await api.db.user.count({ where: { email } })).toBe(1)
  })
})

describe('strangers do not learn who has an account', () => {
  it.each(['sign-up/email', 'request-password-reset', 'send-verification-email'])('%s', async (path) => {
    const { email } = await signedIn(api)
    const ask = (to: string) => openPage(api).post(`/api/auth/${path}`, { email: to, password })
    const [known, unknown] = [await ask(email), await ask(newEmail())]
    expect(told(known)).toEqual(told(unknown))
    expect(Object.keys(known.headers).toSorted()).toEqual(Object.keys(unknown.headers).toSorted())
  })

  it('sign-in', async () => {
    const { email } = await signedIn(api)
    const known = await openPage(api).signIn(email, 'wrong')
    expect(refusal(await openPage(api).signIn(newEmail(), 'wrong'))).toEqual(refusal(known))
    expect([codeOf(known), known.body.error.message]).toEqual([
      'wrong_email_or_password',
      'The email address or the password is wrong, or the address is not confirmed yet. Open the link in our mail, or request a mail to choose a new password.',
    ])
  })
})

it('a sign-up with the address of somebody else, and a sign-in with its password, do not tell whether that has an account', async () => {
  const [{ email: known }, unknown] = [await signedIn(api), newEmail()]
  const [stranger, own] = [openPage(api), 'the password of a stranger']
  const tries = []
  for (const email of [known, unknown]) {
    await stranger.signUp(email, own)
    tries.push(refusal(await stranger.signIn(email, own)))
  }
  expect(tries[1]).toEqual(tries[0])
  expect(tries[0]).toMatchObject({ status: 401, code: 'wrong_email_or_password' })
})

describe('a new password', () => {
  it('comes by mail, works once and ends every session', async () => {
    const { email, post, get, signIn } = await signedIn(api)
    await post('/api/auth/request-password-reset', { email })
    const { token } = linkIn((await mailsTo(api, email, 2))[1])
    const reset = (chosen: string) => openPage(api).post('/api/auth/reset-password', { token, password: chosen })
    expect(told(await reset('another horse battery'))).toEqual({ status: 'password_changed' })
    expect(codeOf(await get('/api/auth/get-session'))).toBe('sign_in_required')
    expect((await signIn(email)).status).toBe(401)
    expect((await signIn(email, 'another horse battery')).status).toBe(200)
    const again = await reset('a third horse battery')
    expect([again.status, codeOf(again)]).toEqual([400, 'invalid_request'])
  })

  it('has one link while that is valid, mailed again after some minutes, whoever asks for it', async () => {
    const { email } = await signedIn(api)
    const ask = () => openPage(api).post('/api/auth/request-password-reset', { email })
    const minutesLater = () => api.db.quotaWindow.updateMany({ data: { endsAt: new Date(0) } })
    for (let count = 0; count < 3; count++) expect(told(await ask())).toEqual({ status: 'mail_sent' })
    const [, first] = await mailsTo(api, email, 2)
    await minutesLater()
    await ask()
    const [, , second] = await mailsTo(api, email, 3)
    expect(linkIn(second)).toEqual(linkIn(first))
    expect(await api.db.verification.count({ where: { value: (await userOf(email)).id } })).toBe(1)
    await minutesLater()
    await api.db.verification.updateMany({ data: { expiresAt: new Date(Date.now() + 60_000) } })
    await ask()
    const [, , , third] = await mailsTo(api, email, 4)
    expect(linkIn(third).token).not.toBe(linkIn(first).token)
    const reset = (mail = '') =>
      openPage(api).post('/api/auth/reset-password', { token: linkIn(mail).token, password: 'another horse battery' })
    expect(told(await reset(third))).toEqual({ status: 'password_changed' })
    expect(codeOf(await reset(first))).toBe('invalid_request')
  })

  it.each([true, false])('names the API keys in its mail, and revokes them if asked: %s', async (revokes) => {
    const { email, accountId, post } = await signedIn(api)
    const { body } = await post('/v1/keys', { name: 'render farm' })
    await post(`/v1/keys/${(await post('/v1/keys', { name: 'gone' })).body.key.id}/revoke`)
    const { id: lapsed } = (await post('/v1/keys', { name: 'gone too' })).body.key
    await api.db.apiKey.update({ where: { id: lapsed }, data: { expiresAt: new Date() } })
    await post('/v1/batches', {
      ...{ name: 'gone as a batch', endpoint: 'audio/detect-silence', cap_usd: 1 },
      media_urls: ['https://media.example/1.mp4'],
    })
    await post('/api/auth/request-password-reset', { email })
    const [, mail = ''] = await mailsTo(api, email, 2)
    const listed = await describeCredentials(api.db, accountId)
    expect(listed.map(({ name }) => name)).toEqual(['render farm'])
    expect(mail).toContain(`- render farm (ends in ${body.secret.slice(-4)})`)
    expect(mail).not.toContain('gone')
    expect(mail).not.toContain(body.secret.slice(-43))
    const wrong = { token: 'wrong', password: 'another horse battery', revoke_keys: true }
    expect(codeOf(await openPage(api).post('/api/auth/reset-password', wrong))).toBe('invalid_request')
    const misspelt = { token: linkIn(mail).token, password: 'another horse battery', revoke_key: true }
    const refused = await openPage(api).post('/api/auth/reset-password', misspelt)
    expect(refused.body.error.message).toBe('body: unknown field "revoke_key". Did you mean revoke_keys?')
    expect((await api.call({ url: '/v1/jobs' }, body.secret)).status).toBe(200)
    const chosen = {
      token: linkIn(mail).token,
      password: 'another horse battery',
      ...(revokes ? { revoke_keys: true } : {}),
    }
    expect(told(await openPage(api).post('/api/auth/reset-password', chosen))).toEqual({ status: 'password_changed' })
    expect((await api.call({ url: '/v1/jobs' }, body.secret)).status).toBe(revokes ? 401 : 200)
    expect(await describeCredentials(api.db, accountId)).toHaveLength(revokes ? 0 : 1)
  })

  it('ends what proves the former one at that moment: sign-ins, and a change of the password', async () => {
    const thief = await signedIn(api)
    const { email, userId } = thief
    await thief.post('/api/auth/request-password-reset', { email })
    const { token } = linkIn((await mailsTo(api, email, 2))[1])
    const chosen = 'the owner chose it'
    // Two passwords are hashed at a time, in order: the later steps have read the former hash before the reset ends, and prove it after.
    const [reset, change] = await Promise.all([
      openPage(api).post('/api/auth/reset-password', { token, password: chosen }),
      thief.post('/api/auth/change-password', { password, new_password: 'the thief chose it' }),
      ...Array.from({ length: 6 }, () => openPage(api).signIn(email)),
    ])
    expect(told(reset)).toEqual({ status: 'password_changed' })
    expect(codeOf(change)).toMatch(/^(wrong_email_or_password|sign_in_required)$/)
    expect(await api.db.session.count({ where: { userId } })).toBe(0)
    expect((await openPage(api).signIn(email, 'the thief chose it')).status).toBe(401)
    expect((await openPage(api).signIn(email, chosen)).status).toBe(200)
  })

  it('is refused for a token that cannot be stored', async () => {
    const answer = await openPage(api).post('/api/auth/reset-password', { token: '\0', password })
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request'])
  })

  it('returns an address to its owner after a stranger signed up with it first', async () => {
    const [email, stranger, owner] = [newEmail(), openPage(api), openPage(api)]
    await stranger.signUp(email, 'the stranger chose it')
    await owner.signUp(email, 'the owner chose it')
    const [, second] = await mailsTo(api, email, 2)
    await owner.post('/api/auth/reset-password', { token: linkIn(second).token, password: 'the owner chose it' })
    expect((await stranger.signIn(email, 'the stranger chose it')).status).toBe(401)
    expect((await owner.signIn(email, 'the owner chose it')).status).toBe(200)
    expect(await accountsOf(email)).toHaveLength(1)
  })
})

describe('a session', () => {
  it('is a cookie that scripts cannot read and other sites cannot send', async () => {
    const { email } = await signedIn(api)
    const answer = await openPage(api).signIn(email)
    expect(cookiesOf(answer)).toEqual([
      expect.stringMatching(/^media_timeline\.session_token=/),
      expect.stringMatching(/^media_timeline\.device=.*; Path=\/api\/auth; HttpOnly; SameSite=Lax$/),
    ])
    const attributes = cookiesOf(answer)[0]?.split('; ').slice(1)
    expect(attributes).toEqual(expect.arrayContaining(['Path=/', 'HttpOnly', 'SameSite=Lax', 'Max-Age=2592000']))
    expect(attributes).not.toContain('Secure')
    const [value = ''] = cookiesOf(answer)[0]?.split('=')[1]?.split('.') ?? []
    expect(answer.text).not.toContain(value)
  })

  it('is refused when its cookie was changed', async () => {
    const { cookie, get, setCookie } = await signedIn(api)
    const [good = ''] = [cookie()]
    setCookie(`${good.slice(0, -6)}AAAAAA`)
    expect(codeOf(await get('/api/auth/get-session'))).toBe('sign_in_required')
    expect(codeOf(await get('/v1/account/notices'))).toBe('sign_in_required')
    setCookie(good)
    expect((await get('/v1/account/notices')).status).toBe(200)
  })

  it('is listed, without its token, and ended from another one', async () => {
    const one = await signedIn(api)
    const two = openPage(api)
    await two.signIn(one.email)
    const { body, text } = await two.get('/api/auth/list-sessions')
    const { token } = await api.db.session.findFirstOrThrow({ where: { userId: one.userId } })
    expect(text).not.toContain(token)
    expect(body.sessions.map(({ current }: { current: boolean }) => current)).toEqual([true, false])
    await two.post('/api/auth/revoke-session', { id: body.sessions[1].id })
    expect(codeOf(await one.get('/api/auth/get-session'))).toBe('sign_in_required')
    expect((await two.get('/api/auth/get-session')).status).toBe(200)
    for (const id of [body.sessions[1].id, '\0']) {
      const strange = await two.post('/api/auth/revoke-session', { id })
      expect([strange.status, codeOf(strange)]).toEqual([404, 'not_found'])
    }
  })

  it('of another user is not ended', async () => {
    const [one, two] = [await signedIn(api), await signedIn(api)]
    const { body } = await one.get('/api/auth/get-session')
    expect(codeOf(await two.post('/api/auth/revoke-session', { id: body.session.id }))).toBe('not_found')
    await two.post('/api/auth/revoke-other-sessions')
    expect((await one.get('/api/auth/get-session')).status).toBe(200)
  })

  it('of others ends with a new password, which needs the present one and a page of the service', async () => {
    const page = await signedIn(api)
    const { email } = page
    const other = openPage(api)
    expect((await other.signIn(email)).status).toBe(200)
    const change = (given: string, chosen: string) =>
      page.post('/api/auth/change-password', { password: given, new_password: chosen })
    expect(codeOf(await change('not the password', 'another battery staple'))).toBe('wrong_email_or_password')
    expect(codeOf(await change(password, 'short'))).toBe('invalid_request')
    expect((await other.get('/api/auth/get-session')).status).toBe(200)
    expect((await change(password, 'another battery staple')).body.status).toBe('password_changed')
    expect((await page.get('/api/auth/get-session')).status).toBe(200)
    expect((await other.get('/api/auth/get-session')).status).toBe(401)
    expect((await openPage(api).signIn(email)).status).toBe(401)
    expect((await openPage(api).signIn(email, 'another battery staple')).status).toBe(200)
  })

  it('ends with all others, and with signing out', async () => {
    const one = await signedIn(api)
    const two = openPage(api)
    await two.signIn(one.email)
    await two.post('/api/auth/revoke-other-sessions')
    expect(codeOf(await one.get('/api/auth/get-session'))).toBe('sign_in_required')
    const cookie = two.cookie() ?? ''
    const out = await two.post('/api/auth/sign-out')
    expect(cookiesOf(out)[0]).toMatch(/^media_timeline\.session_token=;.* Max-Age=0/)
    two.setCookie(cookie)
    expect(codeOf(await two.get('/api/auth/get-session'))).toBe('sign_in_required')
  })
})

describe('a request from another site', () => {
  it.each(['/api/auth/sign-out', '/api/auth/revoke-other-sessions', '/api/auth/sign-in/email'])(
    '%s is refused',
    async (path) => {
      const { cookie, email } = await signedIn(api)
      for (const origin of ['http://evil.test', 'null', 'http://api.test.evil.test']) {
        const page = openPage(api, { origin })
        page.setCookie(cookie() ?? '')
        const answer = await page.post(path, { email, password })
        expect([answer.status, codeOf(answer)]).toEqual([403, 'csrf_failed'])
      }
      const headers = { cookie: cookie() ?? '' }
      const unnamed = await api.call({ method: 'POST', url: path, payload: { email, password }, headers })
      expect([unnamed.status, codeOf(unnamed)]).toEqual([403, 'csrf_failed'])
      expect(unnamed.body.error.message).toContain('send the header "Origin: http://api.test"')
    },
  )

  it('cannot sign a visitor in as another user', async () => {
    const { email } = await signedIn(api)
    const answer = await openPage(api, { origin: 'http://evil.test' }).signIn(email)
    expect([answer.status, codeOf(answer)]).toEqual([403, 'csrf_failed'])
  })
})

it('no other route of better-auth answers', async () => {
  const { get, post } = await signedIn(api)
  const paths = ['sign-in/social', 'update-user', 'delete-user', 'unlink-account', 'ok']
  for (const path of paths) {
    for (const answer of [await get(`/api/auth/${path}`), await post(`/api/auth/${path}`, {})]) {
      expect([path, answer.status, codeOf(answer)]).toEqual([path, 404, 'not_found'])
    }
  }
})

it('no log contains passwords or tokens', async () => {
  const { email, cookie, post } = await signedIn(api)
  await post('/api/auth/request-password-reset', { email })
  const mails = await mailsTo(api, email, 2)
  const secrets = [password, ...mails.map((mail) => linkIn(mail).token), cookie()?.split('=')[1] ?? '']
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(10)
    expect(api.logLines.join('')).not.toContain(secret)
  }
  expect(api.logLines.join('')).toContain('"mail written"')
})

describe('signing in while the account is being deleted', () => {
  it('is refused if the deletion comes before the session', async () => {
    const { email, accountId, userId } = await signedIn(api)
    const { answer } = await api.db.$transaction(async (tx) => {
      await tx.account.update({ where: { id: accountId }, data: { ownerId: null, deletedAt: new Date() } })
      await tx.user.delete({ where: { id: userId } })
      const answer = openPage(api).signIn(email)
      await expect.poll(isSessionWaiting).toBe(true)
      return { answer }
    })
    const { status, body } = await answer
    expect([status, body.error.code]).toEqual([401, 'sign_in_required'])
  })

  it('is refused or ends with it, and never fails on our side', async () => {
    for (let round = 0; round < 6; round += 1) {
      const { email, accountId } = await signedIn(api)
      const [{ status }] = await Promise.all([openPage(api).signIn(email), deleteAccount(api, accountId)])
      expect([200, 401]).toContain(status)
      expect(await api.db.user.count({ where: { email } })).toBe(0)
    }
  })
})

async function isSessionWaiting(): Promise<boolean> {
  const waiting = await api.db.$queryRaw<unknown[]>`
    SELECT 1 FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND query LIKE '%INSERT INTO%sessions%' AND datname = current_database()`
  return waiting.length > 0
}
