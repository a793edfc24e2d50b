import { EventEmitter, once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../../../api/app.ts'
import { type Answer, type Api, codeOf, startApi } from '../../api.ts'
import { cookiesOf, linkIn, mailsTo, newEmail, openPage, password } from './sign-in.ts'

const triesPerAddress = 12
const triesPerEmail = 4

let api: Api
/** A second API process on the same database. */
let other: Api
let addresses = 0
beforeAll(async () => {
  api = await startApi({
    BASE_URL: 'https://api.test',
    SIGN_IN_TRIES_PER_ADDRESS: String(triesPerAddress),
    SIGN_IN_TRIES_PER_EMAIL: String(triesPerEmail),
  })
  const app = await buildApp(api)
  other = { ...api, app, call: callOn(app) }
})
afterAll(async () => {
  await other.app.close()
  await api.close()
})

function callOn(app: Api['app']): Api['call'] {
  return async (options) => {
    const { statusCode: status, headers, body: text } = await app.inject(options)
    return { status, headers, text, body: JSON.parse(text) }
  }
}

/** A page with its own address, on one of the two processes. */
const pageOn = (on: Api, address = `10.0.0.${++addresses}`) => openPage(on, { address, origin: 'https://api.test' })

const isLimited = (answer: Answer) => {
  if (answer.status !== 429) return false
  expect(codeOf(answer)).toBe('rate_limited')
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  return true
}

async function verifiedEmail(): Promise<string> {
  const [email, page] = [newEmail(), pageOn(api)]
  await page.signUp(email)
  const [mail] = await mailsTo(api, email)
  await page.verify(linkIn(mail).token)
  return email
}

describe('wrong passwords', () => {
  it.each([
    ['of a user', verifiedEmail],
    ['of nobody', async () => newEmail()],
  ])('%s are counted by all processes together, from whichever address of a network', async (_whose, findEmail) => {
    const email = await findEmail()
    const tries = Array.from({ length: 20 }, (_, index) => pageOn(index % 2 ? api : other).signIn(email, 'wrong'))
    const answers = await Promise.all(tries)
    expect(answers.filter(isLimited)).toHaveLength(20 - triesPerEmail)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(triesPerEmail)
    expect(isLimited(await pageOn(other).signIn(email))).toBe(true)
  })

  it('before a correct one are forgotten', async () => {
    const email = await verifiedEmail()
    for (let round = 0; round < 3; round++) {
      for (let index = 1; index < triesPerEmail; index++) await pageOn(api).signIn(email, 'wrong')
      expect((await pageOn(api).signIn(email)).status).toBe(200)
    }
  })

  /** A page on another network each time. */
  let networks = 0
  const elsewhere = () => pageOn(api, `10.77.${++networks}.1`)

  it('of strangers do not keep the owner out, on a known device or not', async () => {
    const email = await verifiedEmail()
    const known = elsewhere()
    expect((await known.signIn(email)).status).toBe(200)
    const stranger = elsewhere()
    for (let index = 0; index < triesPerEmail; index++) await stranger.signIn(email, 'wrong')
    expect(isLimited(await stranger.signIn(email))).toBe(true)
    expect((await elsewhere().signIn(email)).status).toBe(200)
    expect((await known.signIn(email)).status).toBe(200)
  })

  it('from many networks slow down all but known devices and networks, and lock nobody', async () => {
    const email = await verifiedEmail()
    const [device, home] = [elsewhere(), `10.78.1.1`]
    await device.signIn(email)
    await pageOn(api, home).signIn(email)
    const strangers = Array.from({ length: 10 * triesPerEmail + 5 }, () => elsewhere().signIn(email, 'wrong'))
    const answers = await Promise.all(strangers)
    const tried = answers.filter(({ status }) => status === 401).length
    expect(tried).toBeGreaterThanOrEqual(10 * triesPerEmail - 2)
    expect(answers.filter(isLimited).length).toBeGreaterThan(0)
    // The last of these attempts may be longer ago than the seconds between them: each checks a password.
    await api.db.quotaWindow.updateMany({
      where: { subject: { startsWith: 'password slow' } },
      data: { endsAt: new Date(Date.now() + 10_000) },
    })
    const slowed = await elsewhere().signIn(email, 'wrong')
    expect(isLimited(slowed)).toBe(true)
    expect(Number(slowed.headers['retry-after'])).toBeLessThanOrEqual(10)
    for (const page of [device, pageOn(api, home), pageOn(api, '10.78.1.99')]) {
      expect((await page.signIn(email)).status).toBe(200)
    }
    await api.db.quotaWindow.updateMany({
      where: { subject: { startsWith: 'password slow' } },
      data: { endsAt: new Date(0) },
    })
    expect((await elsewhere().signIn(email)).status).toBe(200)
  })

  it('on a known device are counted too, and its cookie is worth nothing for another address', async () => {
    const [email, other] = [await verifiedEmail(), await verifiedEmail()]
    const page = elsewhere()
    await page.signIn(email)
    for (let index = 0; index < triesPerEmail; index++) await page.signIn(email, 'wrong')
    expect(isLimited(await page.signIn(email))).toBe(true)
    for (let index = 0; index < triesPerEmail; index++) await page.signIn(other, 'wrong')
    expect(isLimited(await page.signIn(other))).toBe(true)
    expect((await elsewhere().signIn(other)).status).toBe(200)
  })

  it('count again when the time is over', async () => {
    const email = await verifiedEmail()
    for (let index = 0; index < triesPerEmail; index++) await pageOn(api).signIn(email, 'wrong')
    expect(isLimited(await pageOn(api).signIn(email))).toBe(true)
    await api.db.quotaWindow.updateMany({ data: { endsAt: new Date(0) } })
    expect((await pageOn(api).signIn(email)).status).toBe(200)
  })
})

it('attempts of an address are limited, whatever it tries, over all processes', async () => {
  const address = '10.1.0.1'
  const tries = [
    ...Array.from({ length: triesPerAddress }, (_, index) =>
      pageOn(index % 2 ? api : other, address).signIn(newEmail(), 'wrong'),
    ),
  ]
  expect((await Promise.all(tries)).filter(isLimited)).toEqual([])
  expect(isLimited(await pageOn(other, address).signUp(newEmail()))).toBe(true)
  expect(isLimited(await pageOn(api, address).verify('x'))).toBe(true)
  expect(isLimited(await pageOn(api).signIn(newEmail(), 'wrong'))).toBe(false)
})

it('attempts of a subscriber are limited over all of its networks', async () => {
  const from = (network: number) => pageOn(api, `2001:db8:1:${network.toString(16)}::1`)
  const attempts = Array.from({ length: 5 * triesPerAddress }, (_, index) => from(index).signIn(newEmail(), 'wrong'))
  expect((await Promise.all(attempts)).filter(isLimited)).toEqual([])
  expect(isLimited(await from(100).signIn(newEmail(), 'wrong'))).toBe(true)
  expect(isLimited(await pageOn(api, '2001:db8:2::1').signIn(newEmail(), 'wrong'))).toBe(false)
})

it('an owner can ask five times a day for another address, over all processes, whether confirmed or not', async () => {
  const email = await verifiedEmail()
  const page = pageOn(api)
  await page.signIn(email)
  const ask = (on: Api, new_email: string, given = password) => {
    const asker = pageOn(on)
    asker.setCookie(page.cookie() ?? '')
    return asker.post('/api/auth/change-email', { password: given, new_email })
  }
  const chosen = newEmail()
  expect((await ask(api, chosen)).status).toBe(200)
  const { token } = linkIn((await mailsTo(api, chosen))[0])
  expect((await pageOn(api).post('/api/auth/confirm-email-change', { token })).status).toBe(200)
  // Neither of these is a request to change it.
  expect((await ask(api, newEmail(), 'wrong')).status).toBe(401)
  expect((await ask(api, chosen)).status).toBe(400)
  for (const on of [other, api, other, api]) expect((await ask(on, newEmail())).status).toBe(200)
  const refused = await ask(other, newEmail())
  expect(isLimited(refused)).toBe(true)
  expect(refused.body.error.message).toContain('five times a day')
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(80_000)
  await api.db.quotaWindow.updateMany({ data: { endsAt: new Date(0) } })
  expect((await ask(other, newEmail())).status).toBe(200)
})

it('an IPv6 network is one address', async () => {
  for (let index = 0; index < triesPerAddress; index++) {
    await pageOn(api, `2001:db8:0:1::${index + 1}`).signIn(newEmail(), 'wrong')
  }
  expect(isLimited(await pageOn(api, '2001:db8:0:1:ffff::1').signIn(newEmail(), 'wrong'))).toBe(true)
  expect(isLimited(await pageOn(api, '2001:db8:0:2::1').signIn(newEmail(), 'wrong'))).toBe(false)
})

it.each([
  ['somebody', verifiedEmail, 1],
  ['nobody', async () => newEmail(), 0],
])(
  '%s can be asked about from many addresses, and gets one mail of a kind in some minutes',
  async (_who, findEmail, resets) => {
    const email = await findEmail()
    const ask = (path: string) => async (_: unknown, index: number) =>
      pageOn(index % 2 ? api : other).post(`/api/auth/${path}`, { email })
    const answers = await Promise.all(Array.from({ length: 12 }).map(ask('request-password-reset')))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200))
    // The mail of the sign-up, and the resets.
    if (resets > 0) expect(await mailsTo(api, email, 1 + resets)).toHaveLength(1 + resets)
  },
)

it('a mailbox gets six mails of a kind a day, then one an hour', async () => {
  const email = await verifiedEmail()
  const ask = () => pageOn(api).post('/api/auth/request-password-reset', { email })
  const windows = (what: string) => ({ subject: { startsWith: `${what} reset ` }, endsAt: { gt: new Date() } })
  const end = (what: string) => api.db.quotaWindow.updateMany({ where: windows(what), data: { endsAt: new Date(0) } })
  for (let resets = 1; resets <= 7; resets++) {
    await end('mail')
    await ask()
    // With the mail of the sign-up.
    expect(await mailsTo(api, email, 1 + resets)).toHaveLength(1 + resets)
  }
  await end('mail')
  await ask()
  await expect.poll(() => api.db.quotaWindow.count({ where: windows('mail') })).toBe(1)
  await end('mail')
  await end('mail an hour')
  await ask()
  expect(await mailsTo(api, email, 9)).toHaveLength(9)
})

it('the answer about an address does not wait for the mail, and closing does', async () => {
  const email = await verifiedEmail()
  const sent: string[] = []
  const gate = new EventEmitter()
  const send = async (mail: { readonly to: string }) => {
    await once(gate, 'release')
    sent.push(mail.to)
  }
  const app = await buildApp({ ...api, mailer: { send } })
  const slow = { ...api, app, call: callOn(app) }
  expect((await pageOn(slow).post('/api/auth/request-password-reset', { email })).status).toBe(200)
  await expect.poll(() => gate.listenerCount('release')).toBe(1)
  const closed = app.close()
  expect(sent).toEqual([])
  gate.emit('release')
  await closed
  expect(sent).toEqual([email])
})

it('counters contain no address', async () => {
  const email = newEmail()
  await pageOn(api, '10.2.0.1').signIn(email, 'wrong')
  const rows = await api.db.quotaWindow.findMany({ where: { subject: { not: { startsWith: 'address ' } } } })
  const text = rows.map(({ subject }) => subject).join()
  expect(text).toContain('password ')
  expect(text).not.toContain(email)
  expect(text).not.toContain('10.2.0.1')
})

it('behind https the cookie is secure', async () => {
  const answer = await pageOn(api).signIn(await verifiedEmail())
  expect(cookiesOf(answer)).toEqual([
    expect.stringMatching(/^__Secure-media_timeline\.session_token=.*; HttpOnly; Secure; SameSite=Lax$/),
    expect.stringMatching(/^media_timeline\.device=.*; HttpOnly; Secure; SameSite=Lax$/),
  ])
})

it('without mail nobody can sign up, and existing users can sign in', async () => {
  const app = await buildApp({ ...api, mailer: undefined })
  const without = { ...api, app, call: callOn(app) }
  const email = await verifiedEmail()
  for (const path of ['sign-up/email', 'request-password-reset', 'send-verification-email']) {
    const answer = await pageOn(without).post(`/api/auth/${path}`, { email, password: 'long enough to be one' })
    expect([answer.status, codeOf(answer)]).toEqual([501, 'endpoint_unavailable'])
  }
  expect((await pageOn(without).signIn(email)).status).toBe(200)
  await app.close()
})
