import { z } from 'zod'
import { passwordLength } from '../../../src/accounts/sign-in-options.ts'
import { ServiceError } from '../../../src/core/errors.ts'
import type { ApiContext, App } from '../../http/context.ts'
import { type ErrorBody, errorBodyOf, errorHandler } from '../../http/errors.ts'
import { readForms } from '../../http/forms.ts'
import { sendPage, wantsPage } from '../../http/html.ts'
import { assertOwnOrigin } from '../../http/session.ts'
import { limitAddress } from '../sign-in-limits.ts'
import { confirmEmailChange } from './change-email.ts'
import { assertMail, email, newPassword, token } from './fields.ts'
import { mailVerification, resetPassword, verifyEmail, verifyEmailBody } from './mailed-links.ts'
import {
  addressConfirmedPage,
  addressNotConfirmedPage,
  confirmEmailChangePage,
  emailChangedPage,
  failurePage,
  mailSentPage,
  passwordChangedPage,
  resetPage,
  resetScript,
  verifyEmailPage,
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

/** What a mailed link confirms: a page whose button does it. Opening the link changes nothing. */
interface Confirmation<Form> {
  readonly path: string
  /** The route that does it for clients without a browser. An earlier version mailed links to it, so browsers get the page there too. */
  readonly apiPath: string
  readonly page: (token: string) => string
  readonly form: z.ZodType<Form>
  readonly confirm: (context: ApiContext, form: Form) => Promise<void>
  readonly donePage: string
  readonly errorPage: (error: ErrorBody) => string
}

const link = z.looseObject({ token })

const confirmations = [
  confirmation({
    path: '/verify-email',
    apiPath: '/api/auth/verify-email',
    page: verifyEmailPage,
    form: verifyEmailBody,
    confirm: verifyEmail,
    donePage: addressConfirmedPage,
    errorPage: addressNotConfirmedPage,
  }),
  confirmation({
    path: '/confirm-email-change',
    apiPath: '/api/auth/confirm-email-change',
    page: confirmEmailChangePage,
    form: link,
    confirm: (context, form) => confirmEmailChange(context, form.token),
    donePage: emailChangedPage,
    errorPage: failurePage,
  }),
]

function confirmation<Form>({ form, confirm, ...page }: Confirmation<Form>) {
  return {
    ...page,
    submit: async (context: ApiContext, body: unknown) => {
      const { data, error } = form.safeParse(body)
      if (error) throw new ServiceError('invalid_request', problemOf(error))
      await confirm(context, data)
    },
  }
}

/**
 * `GET` and `POST` of `/reset-password`, `/verify-email` and `/confirm-email-change`, which mailed links open, and
 * `POST /mailed-link`, which mails a new link.
 */
export async function mailedPagesRoutes(app: App, context: ApiContext): Promise<void> {
  const { config } = context
  app.addHook('onRequest', async (request) => assertOwnOrigin(request, config))
  app.setErrorHandler(errorHandler(config, { pageFor: failurePage }))
  readForms(app, maxFormBytes)
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

  for (const { path, apiPath, page, submit, donePage, errorPage } of confirmations) {
    const onError = { errorHandler: errorHandler(config, { pageFor: errorPage }) }
    for (const url of [path, apiPath]) {
      app.get(url, { schema: { ...schema, querystring: link }, ...onError }, async (request, reply) => {
        if (wantsPage(request)) return sendPage(reply, page(request.query.token))
        reply.header('allow', 'POST')
        const message = `Opening the link confirms nothing. Send its token with POST ${apiPath}.`
        throw new ServiceError('method_not_allowed', message)
      })
    }
    app.post(path, { schema, ...onError }, async (request, reply) => {
      await limitAddress(context, request, reply)
      await submit(context, request.body)
      return sendPage(reply, donePage)
    })
  }

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
