import { z } from 'zod'
import { withServiceErrors } from '../../../src/accounts/sign-in-errors.ts'
import { escapeMarkup } from '../../../src/core/escape-markup.ts'
import type { ApiContext, App } from '../../http/context.ts'
import { type ErrorBody, errorHandler } from '../../http/errors.ts'
import { htmlPage, sendPage, wantsPage } from '../../http/html.ts'
import { limitAddress, limitMails } from '../sign-in-limits.ts'
import { assertMail, email, newPassword, statusSchema } from './fields.ts'

const token = z
  .string()
  .max(2000)
  .regex(/^[\w.-]+$/, 'copy the whole link from the mail')

/** `POST /api/auth/send-verification-email` and `POST /api/auth/request-password-reset`: the response reveals nothing. */
export function askForMailRoutes(app: App, context: ApiContext): void {
  const { api } = context.signIn
  const asks = {
    '/api/auth/send-verification-email': (to: string) => api.sendVerificationEmail({ body: { email: to } }),
    '/api/auth/request-password-reset': (to: string) => api.requestPasswordReset({ body: { email: to } }),
  }
  for (const [url, ask] of Object.entries(asks)) {
    app.route({
      method: 'POST',
      url,
      schema: { hide: true, body: z.object({ email }), response: { 200: statusSchema } },
      handler: async (request, reply) => {
        assertMail(context)
        await limitAddress(context, request, reply)
        await limitMails(context, request, request.body.email, reply)
        await withServiceErrors(async () => ask(request.body.email))
        return { request_id: request.id, status: 'mail_sent' }
      },
    })
  }
}

/** `GET /api/auth/verify-email`: the link in the mail. Opening it again changes nothing. Browsers get a page, clients JSON. */
export function verifyEmailRoute(app: App, context: ApiContext): void {
  app.route({
    method: 'GET',
    url: '/api/auth/verify-email',
    schema: { hide: true, querystring: z.object({ token }) },
    errorHandler: errorHandler(context.config, refusedPage),
    handler: async (request, reply) => {
      await limitAddress(context, request, reply)
      await withServiceErrors(() => context.signIn.api.verifyEmail({ query: { token: request.query.token } }))
      if (wantsPage(request)) return sendPage(reply, confirmedPage)
      return { request_id: request.id, status: 'verified' }
    },
  })
}

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
export function resetPasswordRoute(app: App, context: ApiContext): void {
  app.route({
    method: 'POST',
    url: '/api/auth/reset-password',
    schema: { hide: true, body: z.object({ token, password: newPassword }), response: { 200: statusSchema } },
    handler: async (request, reply) => {
      await limitAddress(context, request, reply)
      const { token, password } = request.body
      await withServiceErrors(() => context.signIn.api.resetPassword({ body: { token, newPassword: password } }))
      return { request_id: request.id, status: 'password_changed' }
    },
  })
}
