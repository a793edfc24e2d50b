import { z } from 'zod'
import { forgetAttempts } from '../../../src/accounts/attempts.ts'
import { changeEmail } from '../../../src/accounts/email-change.ts'
import { withServiceErrors } from '../../../src/accounts/sign-in-errors.ts'
import { ServiceError } from '../../../src/core/errors.ts'
import { strictFields } from '../../../src/core/input-problems.ts'
import { sendPage, wantsPage } from '../../http/html.ts'
import { sessionRoute } from '../../http/route.ts'
import { sessionOf, signInHeaders } from '../../http/session.ts'
import { limitAddress, limitPasswords } from '../sign-in-limits.ts'
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
import { emailChangedPage, failurePage } from './pages.ts'

/** `POST /api/auth/change-email` */
export const changeEmailRoute = sessionRoute({
  method: 'POST',
  url: '/api/auth/change-email',
  schema: {
    ...signedIn,
    operationId: 'changeEmail',
    summary: 'Change the email address: sends a link to the new one',
    description:
      'Needs the password. The address changes when the link in the mail is opened, and the old address then gets a mail. The response is the same whether the new address has an account or not.',
    body: strictFields({ password: givenPassword, new_email: email }),
    response: { ...mailErrors, 200: statusSchema },
  },
  // Checks the session before the body.
  beforeBody: async (request, { context: { signIn } }) => void (await sessionOf(signIn, request)),
  handler: async (request, { context, reply }) => {
    assertMail(context)
    const { db, signIn } = context
    const { password, new_email: newEmail } = request.body
    const { user } = await sessionOf(signIn, request)
    await limitAddress(context, request, reply)
    const tries = await limitPasswords(context, request, user.email, reply)
    const headers = signInHeaders(signIn, request)
    await withServiceErrors(() => signIn.api.verifyPassword({ body: { password }, headers }))
    await forgetAttempts(db, tries)
    if (newEmail === user.email)
      throw new ServiceError('invalid_request', 'new_email: this is the address that the account has.')
    signIn.mailEmailChange({ userId: user.id, newEmail })
    return { request_id: request.id, status: 'mail_sent' }
  },
})

/** `GET /api/auth/confirm-email-change`: the link in the mail. Browsers get a page, clients JSON. */
export const confirmEmailChangeRoute = sessionRoute({
  method: 'GET',
  url: '/api/auth/confirm-email-change',
  schema: {
    ...anybody,
    operationId: 'confirmEmailChange',
    summary: 'Confirm a new email address: the link of the mail',
    description: 'The link works once, within an hour. Browsers get a page.',
    querystring: z.looseObject({ token }),
    response: { ...signInErrors, 200: statusSchema },
  },
  errorPage: failurePage,
  handler: async (request, { context, reply }) => {
    await limitAddress(context, request, reply)
    const mail = await changeEmail(context, request.query.token)
    context.signIn.mailLater(async () => {
      // The last moment at which somebody knows the old address.
      await context.mailer?.forget?.(mail.to)
      return mail
    })
    if (wantsPage(request)) return sendPage(reply, emailChangedPage)
    return { request_id: request.id, status: 'email_changed' }
  },
})
