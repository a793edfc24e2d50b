import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { forgetAttempts } from '../../../src/accounts/attempts.ts'
import { mailboxHashes } from '../../../src/accounts/mailbox.ts'
import { ensureOwnAccount } from '../../../src/accounts/own-account.ts'
import { endOtherSessions, forgetMailedLinks } from '../../../src/accounts/sessions.ts'
import { withServiceErrors } from '../../../src/accounts/sign-in-errors.ts'
import { grantFreeCredits } from '../../../src/billing/free-credits.ts'
import { strictFields } from '../../../src/core/input-problems.ts'
import { isRowDoubled } from '../../../src/store/database.ts'
import type { ApiContext } from '../../http/context.ts'
import { wideNetworkOf } from '../../http/rate-limits.ts'
import { sessionRoute } from '../../http/route.ts'
import { name, requestId } from '../../http/schemas.ts'
import { rememberDevice, sessionOf, setCookies, signInHeaders } from '../../http/session.ts'
import { limitAddress, limitPasswords } from '../sign-in-limits.ts'
import {
  anybody,
  assertMail,
  email,
  givenPassword,
  mailErrors,
  newPassword,
  signedIn,
  signInBodyErrors,
  statusSchema,
  userSchema,
} from './fields.ts'

/** `POST /api/auth/sign-up/email`: sends a mail to the address. */
export const signUpRoute = sessionRoute({
  method: 'POST',
  url: '/api/auth/sign-up/email',
  schema: {
    ...anybody,
    operationId: 'signUp',
    summary: 'Sign up: sends a mail to confirm the address',
    description: 'The response is the same whether the address has an account or not.',
    body: z.object({ email, password: newPassword, name: name.optional() }),
    response: { ...mailErrors, 200: statusSchema },
  },
  handler: async (request, { context, reply }) => {
    assertMail(context)
    const { email, password, name = email.replace(/@.*/, '') } = request.body
    await limitAddress(context, request, reply)
    const signUp = () => context.signIn.signUp({ email, password, name })
    // Of two simultaneous sign-ups one creates the user; the other finds the user in its second attempt.
    const once = async () => {
      try {
        await signUp()
      } catch (error) {
        if (!isRowDoubled(error)) throw error
        await signUp()
      }
    }
    await withServiceErrors(once)
    return { request_id: request.id, status: 'mail_sent' }
  },
})

/** `POST /api/auth/sign-in/email`: sets the session cookie. The first sign-in grants the free credits. */
export const signInRoute = sessionRoute({
  method: 'POST',
  url: '/api/auth/sign-in/email',
  schema: {
    ...anybody,
    operationId: 'signIn',
    summary: 'Sign in: sets the session cookie',
    description: 'The first sign-in grants the free credits.',
    body: z.object({ email, password: givenPassword }),
    response: {
      ...signInBodyErrors,
      200: z.object({ request_id: requestId, user: userSchema, account_id: z.string() }),
    },
  },
  handler: async (request, { context, reply }) => {
    const { user, accountId } = await signInWithPassword(context, request, reply, request.body)
    return { request_id: request.id, user, account_id: accountId }
  },
})

/** Sets the session cookie, and grants the free credits at the first sign-in. Throws `wrong_email_or_password`. */
export async function signInWithPassword(
  context: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { email, password }: { readonly email: string; readonly password: string },
) {
  const { config, db, signIn } = context
  await limitAddress(context, request, reply)
  const tries = await limitPasswords(context, request, email, reply)
  const { headers, response } = await withServiceErrors(() =>
    signIn.signInEmail({ email, password }, signInHeaders(signIn, request)),
  )
  await forgetAttempts(db, tries)
  setCookies(reply, headers)
  rememberDevice(reply, context, email)
  const accountId = await ensureOwnAccount(context, response.user.id)
  await grantFreeCredits(db, {
    accountId,
    proof: config.FREE_CREDITS_PROOF,
    mailboxes: mailboxHashes(config, email),
    network: wideNetworkOf(request.ip),
    grantsPerNetwork: config.FREE_CREDITS_PER_NETWORK,
  })
  return { user: response.user, accountId }
}

/** `POST /api/auth/change-password` */
export const changePasswordRoute = sessionRoute({
  method: 'POST',
  url: '/api/auth/change-password',
  schema: {
    ...signedIn,
    operationId: 'changePassword',
    summary: 'Change the password',
    description:
      'Needs the present password. Ends every other session of the user, and links that were mailed to set a password.',
    body: strictFields({ password: givenPassword, new_password: newPassword }),
    response: { ...signInBodyErrors, 200: statusSchema },
  },
  // Checks the session before the body.
  beforeBody: async (request, { context: { signIn } }) => void (await sessionOf(signIn, request)),
  handler: async (request, { context, reply }) => {
    const { db, signIn } = context
    const { password: currentPassword, new_password: newPassword } = request.body
    const { user, session } = await sessionOf(signIn, request)
    await limitAddress(context, request, reply)
    const tries = await limitPasswords(context, request, user.email, reply)
    await signIn.changePassword({ userId: user.id, currentPassword, newPassword })
    await forgetAttempts(db, tries)
    await endOtherSessions(db, user.id, session.id)
    await forgetMailedLinks(db, user.id)
    return { request_id: request.id, status: 'password_changed' }
  },
})

/** `POST /api/auth/sign-out`: ends the session and removes its cookie. */
export const signOutRoute = sessionRoute({
  method: 'POST',
  url: '/api/auth/sign-out',
  schema: {
    ...anybody,
    operationId: 'signOut',
    summary: 'Sign out: ends the session and removes its cookie',
    response: { ...signInBodyErrors, 200: statusSchema },
  },
  handler: async (request, { context: { signIn }, reply }) => {
    const { headers } = await withServiceErrors(() =>
      signIn.api.signOut({ headers: signInHeaders(signIn, request), returnHeaders: true }),
    )
    setCookies(reply, headers)
    return { request_id: request.id, status: 'signed_out' }
  },
})
