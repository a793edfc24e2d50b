import { z } from 'zod'
import type { SignIn } from '../../../src/accounts/sign-in.ts'
import { withServiceErrors } from '../../../src/accounts/sign-in-errors.ts'
import { escapeMarkup } from '../../../src/core/text.ts'
import type { ErrorBody } from '../../http/errors.ts'
import { htmlPage, sendPage, wantsPage } from '../../http/html.ts'
import { sessionRoute } from '../../http/route.ts'
import { limitAddress, limitMails } from '../sign-in-limits.ts'
import { assertMail, email, newPassword, statusSchema } from './fields.ts'

const token = z
  .string()
  .max(2000)
  .regex(/^[\w.-]+$/, 'copy the whole link from the mail')

/** `POST /api/auth/send-verification-email` */
export const sendVerificationRoute = askForMailRoute('/api/auth/send-verification-email', ({ api }, email) =>
  api.sendVerificationEmail({ body: { email } }),
)

/** `POST /api/auth/request-password-reset` */
export const requestPasswordResetRoute = askForMailRoute('/api/auth/request-password-reset', ({ api }, email) =>
  api.requestPasswordReset({ body: { email } }),
)

/** The response does not reveal whether the address is known. */
function askForMailRoute(url: string, sendMail: (signIn: SignIn, email: string) => Promise<unknown>) {
  return sessionRoute({
    method: 'POST',
    url,
    schema: { hide: true, body: z.object({ email }), response: { 200: statusSchema } },
    handler: async (request, { context, reply }) => {
      const { email } = request.body
      assertMail(context)
      await limitAddress(context, request, reply)
      await limitMails(context, request, email, reply)
      await withServiceErrors(async () => sendMail(context.signIn, email))
      return { request_id: request.id, status: 'mail_sent' }
    },
  })
}

/** `GET /api/auth/verify-email`: the link in the mail. Opening it again changes nothing. Browsers get a page, clients JSON. */
export const verifyEmailRoute = sessionRoute({
  method: 'GET',
  url: '/api/auth/verify-email',
  schema: { hide: true, querystring: z.looseObject({ token }) },
  errorPage: refusedPage,
  handler: async (request, { context, reply }) => {
    await limitAddress(context, request, reply)
    const { api, renewSignature } = context.signIn
    const token = renewSignature(request.query.token, 'base64url')
    await withServiceErrors(() => api.verifyEmail({ query: { token } }))
    if (wantsPage(request)) return sendPage(reply, confirmedPage)
    return { request_id: request.id, status: 'verified' }
  },
})

const confirmedPage = htmlPage(
  'Email address confirmed',
  `<h1>Email address confirmed</h1>
<p>Your account is open. You can close this page and sign in.</p>`,
)

function refusedPage({ message, request_id }: ErrorBody): string {
  return htmlPage(
    'Email address not confirmed',
    `<h1>Email address not confirmed</h1>
<p>${escapeMarkup(message)}</p>
<p>Request id: <code>${request_id}</code></p>`,
  )
}

/** `POST /api/auth/reset-password`: sets the new password and ends every session. */
export const resetPasswordRoute = sessionRoute({
  method: 'POST',
  url: '/api/auth/reset-password',
  schema: { hide: true, body: z.object({ token, password: newPassword }), response: { 200: statusSchema } },
  handler: async (request, { context, reply }) => {
    await limitAddress(context, request, reply)
    const { token, password } = request.body
    await withServiceErrors(() => context.signIn.api.resetPassword({ body: { token, newPassword: password } }))
    return { request_id: request.id, status: 'password_changed' }
  },
})
