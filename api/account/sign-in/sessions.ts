import { z } from 'zod'
import { changeEmail } from '../../../src/accounts/email-change.ts'
import { ensureOwnAccount } from '../../../src/accounts/own-account.ts'
import { forgetAttempts, withServiceErrors } from '../../../src/accounts/password.ts'
import { endOtherSessions, endSession, listSessions } from '../../../src/accounts/sign-in-options.ts'
import { ServiceError } from '../../../src/core/errors.ts'
import { isId } from '../../../src/core/ids.ts'
import { strictFields } from '../../../src/core/input-problems.ts'
import { sessionOf, setCookies, signInHeaders } from '../../http/authenticate.ts'
import type { ApiContext } from '../../http/context.ts'
import { bodyErrors, errorEnvelope, keyErrors, requestId, sessionRoute } from '../../http/route.ts'
import {
  anybody,
  assertMail,
  email,
  givenPassword,
  limitAddress,
  limitEmailChanges,
  limitPasswords,
  mailErrors,
  signedIn,
  statusSchema,
  token,
  userSchema,
} from './sign-in.ts'

/** `GET /api/auth/get-session`: the signed-in user. Also renews the cookie, once a day. */
export const getSessionRoute = sessionRoute({
  method: 'GET',
  url: '/api/auth/get-session',
  schema: {
    ...signedIn,
    operationId: 'getSession',
    summary: 'Get the signed-in user and their account',
    description: 'Also renews the cookie, once a day.',
    response: {
      ...keyErrors,
      200: z.object({
        request_id: requestId,
        user: userSchema,
        account_id: z.string(),
        session: z.object({ id: z.string(), expires_at: z.iso.datetime() }),
      }),
    },
  },
  handler: async (request, { context, reply }) => {
    const { signIn } = context
    const { headers, response } = await withServiceErrors(() =>
      signIn.api.getSession({ headers: signInHeaders(signIn, request), returnHeaders: true }),
    )
    setCookies(reply, headers)
    if (!response) throw new ServiceError('sign_in_required')
    const { user, session } = response
    return {
      request_id: request.id,
      user,
      account_id: await ensureOwnAccount(context, user.id),
      session: { id: session.id, expires_at: session.expiresAt.toISOString() },
    }
  },
})

const sessionList = z.object({
  request_id: requestId,
  sessions: z.array(
    z.object({
      id: z.string(),
      current: z.boolean(),
      address: z.string().nullable(),
      user_agent: z.string().nullable(),
      created_at: z.iso.datetime(),
      expires_at: z.iso.datetime(),
    }),
  ),
})

/** `GET /api/auth/list-sessions` */
export const listSessionsRoute = sessionRoute({
  method: 'GET',
  url: '/api/auth/list-sessions',
  schema: {
    ...signedIn,
    operationId: 'listSessions',
    summary: 'List the sessions of the user',
    response: { ...keyErrors, 200: sessionList },
  },
  handler: async (request, { context: { db, signIn } }) => {
    const { user, session: current } = await sessionOf(signIn, request)
    const sessions = await listSessions(db, user.id)
    return {
      request_id: request.id,
      sessions: sessions.map(({ id, ipAddress, userAgent, createdAt, expiresAt }) => ({
        id,
        current: id === current.id,
        address: ipAddress,
        user_agent: userAgent,
        created_at: createdAt.toISOString(),
        expires_at: expiresAt.toISOString(),
      })),
    }
  },
})

/** `POST /api/auth/revoke-session` */
export const endSessionRoute = sessionRoute({
  method: 'POST',
  url: '/api/auth/revoke-session',
  schema: {
    ...signedIn,
    operationId: 'endSession',
    summary: 'End a session of the user',
    body: z.object({ id: z.string().max(80) }),
    response: { ...bodyErrors, 200: statusSchema, 404: errorEnvelope },
  },
  // Checks the session before the body.
  beforeBody: async (request, { context: { signIn } }) => void (await sessionOf(signIn, request)),
  handler: async (request, { context: { db, signIn } }) => {
    const { user } = await sessionOf(signIn, request)
    const { id } = request.body
    if (!isId('ses', id) || !(await endSession(db, user.id, id))) {
      throw new ServiceError('not_found', 'No session has this id. It may have ended.')
    }
    return { request_id: request.id, status: 'ended' }
  },
})

/** `POST /api/auth/revoke-other-sessions` */
export const endOtherSessionsRoute = sessionRoute({
  method: 'POST',
  url: '/api/auth/revoke-other-sessions',
  schema: {
    ...signedIn,
    operationId: 'endOtherSessions',
    summary: 'End all sessions of the user but this one',
    response: { ...bodyErrors, 200: statusSchema },
  },
  handler: async (request, { context: { db, signIn } }) => {
    const { user, session } = await sessionOf(signIn, request)
    await endOtherSessions(db, user.id, session.id)
    return { request_id: request.id, status: 'ended' }
  },
})

/** `POST /api/auth/change-email` */
export const changeEmailRoute = sessionRoute({
  method: 'POST',
  url: '/api/auth/change-email',
  schema: {
    ...signedIn,
    operationId: 'changeEmail',
    summary: 'Change the email address: sends a link to the new one',
    description:
      'Needs the password. The address changes when the owner of the new one confirms it on the page of the mailed link, and the old address then gets a mail. Five requests a day are accepted; further ones are refused with rate_limited. The response is the same whether the new address has an account or not.',
    body: strictFields({ password: givenPassword, new_email: email }),
    response: { ...mailErrors, 200: statusSchema },
  },
  // Checks the session before the body.
  beforeBody: async (request, { context: { signIn } }) => void (await sessionOf(signIn, request)),
  handler: async (request, { context, reply }) => {
    assertMail(context)
    const { db, signIn } = context
    const { password, new_email: newEmail } = request.body
    const { user, session } = await sessionOf(signIn, request)
    await limitAddress(context, request, reply)
    const tries = await limitPasswords(context, request, user.email, reply)
    await signIn.provePassword(user.id, password)
    await forgetAttempts(db, tries)
    if (newEmail === user.email)
      throw new ServiceError('invalid_request', 'new_email: this is the address that the account has.')
    await limitEmailChanges(context, user.id, reply)
    signIn.mailEmailChange({ userId: user.id, sessionId: session.id, newEmail })
    return { request_id: request.id, status: 'mail_sent' }
  },
})

/** `POST /api/auth/confirm-email-change`: what the page of the mailed link does. */
export const confirmEmailChangeRoute = sessionRoute({
  method: 'POST',
  url: '/api/auth/confirm-email-change',
  schema: {
    ...anybody,
    operationId: 'confirmEmailChange',
    summary: 'Confirm a new email address with the token of the mailed link',
    description: 'The token works once, within an hour.',
    body: strictFields({ token }),
    response: { ...keyErrors, 200: statusSchema },
  },
  handler: async (request, { context, reply }) => {
    await limitAddress(context, request, reply)
    await confirmEmailChange(context, request.body.token)
    return { request_id: request.id, status: 'email_changed' }
  },
})

/** Changes the address, and mails the old one that it was changed. */
export async function confirmEmailChange(context: ApiContext, linkToken: string): Promise<void> {
  const mail = await changeEmail(context, linkToken)
  context.signIn.mailLater(async () => {
    // The last moment at which somebody knows the old address.
    await context.mailer?.forget?.(mail.to)
    return mail
  })
}
