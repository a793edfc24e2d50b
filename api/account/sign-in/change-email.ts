import { forgetAttempts } from '../../../src/accounts/attempts.ts'
import { changeEmail } from '../../../src/accounts/email-change.ts'
import { ServiceError } from '../../../src/core/errors.ts'
import { strictFields } from '../../../src/core/input-problems.ts'
import type { ApiContext } from '../../http/context.ts'
import { sessionRoute } from '../../http/route.ts'
import { sessionOf } from '../../http/session.ts'
import { limitAddress, limitEmailChanges, limitPasswords } from '../sign-in-limits.ts'
import {
  anybody,
  assertMail,
  email,
  givenPassword,
  mailErrors,
  signedIn,
  signInErrors,
  statusSchema,
  token,
} from './fields.ts'

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
    response: { ...signInErrors, 200: statusSchema },
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
