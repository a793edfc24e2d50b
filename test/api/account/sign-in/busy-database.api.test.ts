import { describe, expect, it } from 'vitest'
import { Prisma } from '../../../../src/db/generated/client.ts'
import { type Answer, useApi } from '../../api.ts'
import { linkIn, mailsTo, newEmail, openPage, password, signedIn } from './sign-in.ts'

const api = await useApi({ SIGN_IN_TRIES_PER_ADDRESS: '1000000', DATABASE_STATEMENT_SECONDS: '1' })

type Table = 'users' | 'sessions' | 'sign_in_methods'

/** The answer while writes to the table wait longer than a statement may take. */
function whileBusy(table: Table, request: () => Promise<Answer>): Promise<Answer> {
  return api.db.$transaction(
    async (tx) => {
      await tx.$executeRaw`LOCK TABLE ${Prisma.raw(table)} IN SHARE MODE`
      return request()
    },
    { timeout: 60_000 },
  )
}

async function resetToken(): Promise<string> {
  const { email, post } = await signedIn(api)
  await post('/api/auth/request-password-reset', { email })
  return linkIn((await mailsTo(api, email, 2))[1]).token
}

async function signUpToken(): Promise<string> {
  const email = newEmail()
  await openPage(api).signUp(email)
  return linkIn((await mailsTo(api, email))[0]).token
}

const requests: readonly [what: string, Table, () => Promise<() => Promise<Answer>>][] = [
  ['a sign-up', 'users', async () => () => openPage(api).signUp(newEmail())],
  [
    'a sign-in',
    'sessions',
    async () => {
      const { email } = await signedIn(api)
      return () => openPage(api).signIn(email)
    },
  ],
  [
    'a confirmation',
    'users',
    async () => {
      const token = await signUpToken()
      return () => openPage(api).verify(token)
    },
  ],
  [
    'the page that confirms',
    'users',
    async () => {
      const token = await signUpToken()
      return () => openPage(api).post('/verify-email', { token, password })
    },
  ],
  [
    'a new password',
    'sign_in_methods',
    async () => {
      const token = await resetToken()
      return () => openPage(api).post('/api/auth/reset-password', { token, password })
    },
  ],
  [
    'the page for a new password',
    'sign_in_methods',
    async () => {
      const token = await resetToken()
      return () => openPage(api).post('/reset-password', { token, password })
    },
  ],
]

describe('while the database gives no answer in time', () => {
  it.each(requests)('%s answers 503, and says when to try again', async (_what, table, prepare) => {
    const { status, headers, body } = await whileBusy(table, await prepare())
    expect([status, body.error.code, headers['retry-after']]).toEqual([503, 'service_unavailable', '10'])
  })
})
