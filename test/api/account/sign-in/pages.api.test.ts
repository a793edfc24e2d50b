import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { codeOf, useApi } from '../../api.ts'
import { linkIn, mailsTo, newEmail, openPage, password, signedIn } from './sign-in.ts'

const api = await useApi()

const accept = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8'
const origin = () => new URL(api.config.BASE_URL).origin

const open = (url: string) => api.call({ url, headers: { accept } })
const submit = (url: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  api.call({
    method: 'POST',
    url,
    headers: { accept, 'content-type': 'application/x-www-form-urlencoded', origin: origin(), ...headers },
    payload: new URLSearchParams(fields).toString(),
  })
const titleOf = ({ text }: { readonly text: string }) => /<title>(.*)<\/title>/.exec(text)?.[1]
const hashOf = (text: string) => createHash('sha256').update(text).digest('base64')

async function resetLink() {
  const account = await signedIn(api)
  await account.post('/api/auth/request-password-reset', { email: account.email })
  const [, mail = ''] = await mailsTo(api, account.email, 2)
  const [link = ''] = /https?:\S+/.exec(mail) ?? []
  return { ...account, link, token: linkIn(mail).token }
}

describe('the page behind the reset link', () => {
  it('is a form whose script and style are the only ones that its policy allows', async () => {
    const { link, token } = await resetLink()
    expect(link).toBe(`${api.config.BASE_URL}/reset-password#token=${token}`)
    const page = await open(new URL(link).pathname)
    expect(page.status).toBe(200)
    const [, style = ''] = /<style>([^<]*)<\/style>/.exec(page.text) ?? []
    const [, script = ''] = /<script>([^<]*)<\/script>/.exec(page.text) ?? []
    expect(page.headers).toMatchObject({
      'content-security-policy': `default-src 'none'; style-src 'sha256-${hashOf(style)}'; script-src 'sha256-${hashOf(script)}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
      'cache-control': 'no-store',
      // Browsers send the origin null with a form of a page without a referrer.
      'referrer-policy': 'same-origin',
    })
    expect(page.text).not.toMatch(/ (on\w+|style)=/)
  })

  it.each([
    ['the token', ({ token }: { token: string }) => token],
    ['the whole link, which a reader without scripts pastes', ({ link }: { link: string }) => link],
  ])('changes the password with %s, and ends every session', async (_what, tokenOf) => {
    const reset = await resetLink()
    const changed = await submit('/reset-password', { token: tokenOf(reset), password: 'another horse battery' })
    expect([changed.status, titleOf(changed)]).toEqual([200, 'Password changed'])
    expect(codeOf(await reset.get('/api/auth/get-session'))).toBe('sign_in_required')
    expect((await openPage(api).signIn(reset.email)).status).toBe(401)
    expect((await openPage(api).signIn(reset.email, 'another horse battery')).status).toBe(200)
  })

  it.each([
    [true, 'All API keys of the account are revoked.'],
    [false, 'API keys keep working.'],
  ])('revokes the keys if its box is checked: %s', async (revokes, told) => {
    const { token, post } = await resetLink()
    const { body } = await post('/v1/keys', { name: 'server' })
    const box: Record<string, string> = revokes ? { revoke_keys: 'true' } : {}
    const changed = await submit('/reset-password', { token, password: 'another horse battery', ...box })
    expect(changed.text).toContain(told)
    expect((await api.call({ url: '/v1/jobs' }, body.secret)).status).toBe(revokes ? 401 : 200)
  })

  it('keeps its token when the password is too short, and shows why', async () => {
    const { token } = await resetLink()
    const refused = await submit('/reset-password', { token, password: 'short' })
    expect(refused.status).toBe(400)
    expect(refused.text).toMatch(/role="alert">Choose a password of 10 to 128 characters\.<br>Request id: <code>req_/)
    expect(refused.text).toContain(`name="token" value="${token}"`)
    expect((await submit('/reset-password', { token, password: 'another horse battery' })).status).toBe(200)
  })

  it('offers a new mail when its link is over, which the form sends', async () => {
    const { email, token } = await resetLink()
    await submit('/reset-password', { token, password: 'another horse battery' })
    const over = await submit('/reset-password', { token, password: 'a third horse battery' })
    expect(over.status).toBe(400)
    expect(over.text).toMatch(/This link is no longer valid\.[\s\S]*<details open>[\s\S]*name="kind" value="reset"/)
    await api.db.quotaWindow.deleteMany({ where: { subject: { startsWith: 'mail ' } } })
    expect(titleOf(await submit('/mailed-link', { kind: 'reset', email }))).toBe('Look into your mailbox')
    const [, , next] = await mailsTo(api, email, 3)
    expect(linkIn(next).token).not.toBe(token)
  })

  it('writes hostile fields as text', async () => {
    for (const fields of [
      { token: '"><script>x</script>', password },
      { token: '', password: '' },
    ]) {
      const refused = await submit('/reset-password', fields)
      expect([refused.status, refused.text.match(/<script>/g)?.length]).toEqual([400, 1])
    }
  })

  it.each([
    ['/reset-password', 'This did not work'],
    ['/verify-email', 'Email address not confirmed'],
    ['/mailed-link', 'This did not work'],
  ])('%s refuses forms of other sites and large ones', async (url, title) => {
    for (const origin of ['http://evil.test', 'null']) {
      const answer = await submit(url, { token: 'a', password, kind: 'reset', email: newEmail() }, { origin })
      expect([answer.status, titleOf(answer)]).toEqual([403, title])
    }
    const large = await submit(url, { token: 'a'.repeat(10_000), password })
    expect([large.status, titleOf(large)]).toEqual([413, title])
  })
})

/** The token of the mail that confirms the address of a sign-up. */
async function verificationToken() {
  const email = newEmail()
  await openPage(api).signUp(email)
  return { email, ...linkIn((await mailsTo(api, email))[0]) }
}

const isVerified = async (email: string) => (await api.db.user.findUniqueOrThrow({ where: { email } })).emailVerified

describe('the page behind a verification link', () => {
  it('confirms by its button, once or again; opening the link changes nothing', async () => {
    const { email, path, token } = await verificationToken()
    expect(path).toBe(`/verify-email?token=${token}`)
    // Earlier mails have the second one.
    for (const url of [path, `/api/auth${path}`]) {
      const page = await open(url)
      expect([page.status, titleOf(page)]).toEqual([200, 'Confirm your email address'])
      expect(page.text).toContain(
        `<form method="post" action="/verify-email">\n<input type="hidden" name="token" value="${token}">`,
      )
      // Only its own style: no script, no frame, no resources.
      const [, style = ''] = /<style>([^<]*)<\/style>/.exec(page.text) ?? []
      expect(page.headers).toMatchObject({
        'content-security-policy': `default-src 'none'; style-src 'sha256-${hashOf(style)}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
        'cache-control': 'no-store',
      })
    }
    expect(await isVerified(email)).toBe(false)
    expect(await api.db.account.count({ where: { owner: { email } } })).toBe(0)
    for (const _time of ['once', 'again']) {
      const confirmed = await submit('/verify-email', { token, password })
      expect([confirmed.status, titleOf(confirmed)]).toEqual([200, 'Email address confirmed'])
      expect(confirmed.text).toContain('<a class="button" href="/dashboard/sign-in">Sign in</a>')
    }
    expect(await isVerified(email)).toBe(true)
    expect(await api.db.account.count({ where: { owner: { email } } })).toBe(1)
  })

  it('is for browsers: other clients learn where to send the token', async () => {
    const { email, path, token } = await verificationToken()
    for (const url of [path, `/api/auth${path}`]) {
      const answer = await api.call({ url, headers: { accept: 'application/json' } })
      expect([answer.status, codeOf(answer), answer.headers['allow']]).toEqual([405, 'method_not_allowed', 'POST'])
      expect(answer.body.error.message).toContain('Send its token with POST /api/auth/verify-email.')
    }
    expect(await isVerified(email)).toBe(false)
    expect((await openPage(api).verify(token)).status).toBe(200)
    expect(await isVerified(email)).toBe(true)
  })

  it('shows a token that is not valid as text, and confirms nothing with it', async () => {
    const { email, token } = await verificationToken()
    const wrong = await submit('/verify-email', { token: `${token.slice(0, -6)}abcdef`, password })
    expect([wrong.status, titleOf(wrong)]).toEqual([400, 'Email address not confirmed'])
    expect(wrong.text).toMatch(/This link is no longer valid.*<code>req_\w+<\/code>/s)
    const incomplete = await open('/verify-email')
    expect([incomplete.status, titleOf(incomplete)]).toEqual([400, 'Email address not confirmed'])
    expect(incomplete.text).toContain(
      'The link is not complete. Copy the whole link from the mail, or ask for a new one.',
    )
    expect(incomplete.text).toContain('Mail me a new link')
    const broken = await open('/verify-email?token=%3Cb%3E')
    expect([broken.status, broken.text.includes('<b>')]).toEqual([400, false])
    expect(codeOf(await openPage(api).verify('<b>'))).toBe('invalid_request')
    expect(await isVerified(email)).toBe(false)
  })

  it('mails a new link when its link is over', async () => {
    const { email } = await verificationToken()
    const over = await submit('/verify-email', { token: 'over', password })
    expect([over.status, titleOf(over)]).toEqual([400, 'Email address not confirmed'])
    expect(over.text).toContain('<input type="hidden" name="kind" value="verification">')
    await api.db.quotaWindow.deleteMany({ where: { subject: { startsWith: 'mail ' } } })
    const sent = await submit('/mailed-link', { kind: 'verification', email })
    expect(sent.status).toBe(200)
    const [, mail] = await mailsTo(api, email, 2)
    expect(titleOf(await submit('/verify-email', { token: linkIn(mail).token, password }))).toBe(
      'Email address confirmed',
    )
    // The page is the same for an address that nobody has.
    expect((await submit('/mailed-link', { kind: 'verification', email: newEmail() })).text).toBe(sent.text)
  })
})
