import { z } from 'zod'
import { passwordLength } from '../../../src/accounts/sign-in.ts'
import { ServiceError } from '../../../src/core/errors.ts'
import type { ApiContext, App } from '../../http/context.ts'
import { errorBodyOf, errorHandler } from '../../http/errors.ts'
import { sendPage, wantsPage } from '../../http/html.ts'
import { assertOwnOrigin } from '../../http/session.ts'
import { limitAddress } from '../sign-in-limits.ts'
import { confirmEmailChange } from './change-email.ts'
import { assertMail, email, newPassword, token } from './fields.ts'
import { mailVerification, resetPassword } from './mailed-links.ts'
import {
  confirmEmailPage,
  emailChangedPage,
  failurePage,
  mailSentPage,
  passwordChangedPage,
  resetPage,
  resetScript,
} from './pages.ts'

/** A token, or the whole link that contains it. */
const linkOrToken = z
  .string()
  .trim()
  .transform((text) => text.replace(/^.*[#?&]token=/, ''))
  .pipe(token)

const resetForm = z.object({ token: linkOrToken, password: newPassword, revoke_keys: z.literal('true').optional() })
const tokenOnly = z.object({ token: linkOrToken })
const mailForm = z.object({ kind: z.enum(['reset', 'verification']), email })

/** The largest form has a link and a password of 128 characters, each up to twelve bytes. */
const maxFormBytes = 8 * 1024

/**
 * `GET` and `POST` of `/reset-password` and `/confirm-email-change`, which mailed links open, and `POST /mailed-link`, which mails a
 * new link.
 */
export async function mailedPagesRoutes(app: App, context: ApiContext): Promise<void> {
  const { config } = context
  app.addHook('onRequest', async (request) => assertOwnOrigin(request, config))
  app.setErrorHandler(errorHandler(config, failurePage))
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: maxFormBytes },
    async (_request: unknown, body: string) => Object.fromEntries(new URLSearchParams(body)),
  )
  const schema = { hide: true }

  app.get('/reset-password', { schema }, async (_request, reply) =>
    sendPage(reply, resetPage(), { script: resetScript }),
  )

  app.post('/reset-password', { schema }, async (request, reply) => {
    const form = resetForm.safeParse(request.body)
    // Kept while the password is not accepted. A link that is over is asked for again.
    const kept = form.success ? undefined : tokenOnly.safeParse(request.body).data?.token
    try {
      if (!form.success) throw new ServiceError('invalid_request', problemOf(form.error))
      const revokesKeys = form.data.revoke_keys !== undefined
      await resetPassword(context, request, reply, { ...form.data, revoke_keys: revokesKeys })
      return await sendPage(reply, passwordChangedPage(revokesKeys))
    } catch (error) {
      const isRepairable = error instanceof ServiceError && error.code === 'invalid_request' && wantsPage(request)
      if (!isRepairable) throw error
      reply.code(error.httpStatus)
      return sendPage(reply, resetPage(errorBodyOf(config, error, request.id), kept), { script: resetScript })
    }
  })

  const link = z.looseObject({ token })
  app.get('/confirm-email-change', { schema: { ...schema, querystring: link } }, async (request, reply) =>
    sendPage(reply, confirmEmailPage(request.query.token)),
  )

  app.post('/confirm-email-change', { schema: { ...schema, body: link } }, async (request, reply) => {
    await limitAddress(context, request, reply)
    await confirmEmailChange(context, request.body.token)
    return sendPage(reply, emailChangedPage)
  })

  app.post('/mailed-link', { schema: { ...schema, body: mailForm } }, async (request, reply) => {
    assertMail(context)
    await limitAddress(context, request, reply)
    const { kind, email } = request.body
    if (kind === 'reset') context.signIn.mailReset(email)
    else mailVerification(context, email)
    return sendPage(reply, mailSentPage)
  })
}

function problemOf({ issues: [first] }: z.ZodError): string {
  return first?.path[0] === 'password'
    ? `Choose a password of ${passwordLength.min} to ${passwordLength.max} characters.`
    : 'The link is not complete: copy the whole link from the mail.'
}
