import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '../../../api/app.ts'
import { type Answer, type Api, codeOf, startApi } from '../api.ts'
import { cookiesOf, linkIn, mailsTo, newEmail, openPage } from './sign-in/sign-in.ts'

const triesPerAddress = 12
const triesPerEmail = 4
const mailsAnHour = 20
const mailsAnHourAsked = 5

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
  await page.get(linkIn(mail).path)
  return email
}

describe('wrong passwords', () => {
  it.each([
    ['of a user', verifiedEmail],
    ['of nobody', async () => newEmail()],
  ])('%s are counted by all processes together, from whichever address', async (_whose, findEmail) => {
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
  expect(isLimited(await pageOn(api, address).get('/api/auth/verify-email?token=x'))).toBe(true)
  expect(isLimited(await pageOn(api).signIn(newEmail(), 'wrong'))).toBe(false)
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
])('%s gets only so many mails', async (_who, findEmail, sentBefore) => {
  const email = await findEmail()
  const paths = ['request-password-reset', 'send-verification-email']
  const ask = async (index: number) => pageOn(index % 2 ? api : other).post(`/api/auth/${paths[index % 2]}`, { email })
  const answers = await Promise.all(Array.from({ length: 25 }, (_, index) => ask(index)))
  expect(answers.filter(isLimited)).toHaveLength(25 - mailsAnHour + sentBefore)
})

it('mails are limited per requesting address, so that another address still gets one', async () => {
  const email = await verifiedEmail()
  const ask = async (address: string) => pageOn(api, address).post('/api/auth/request-password-reset', { email })
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask('10.3.0.1')))
  expect(answers.filter(isLimited)).toHaveLength(8 - mailsAnHourAsked)
  expect((await ask('10.3.0.2')).status).toBe(200)
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
