import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { passwordLength } from '../../../src/accounts/sign-in-options.ts'
import { ServiceError } from '../../../src/core/errors.ts'
import { assertOwnOrigin } from '../../http/authenticate.ts'
import type { ApiContext, App } from '../../http/context.ts'
import { type ErrorBody, errorBodyOf, errorHandler } from '../../http/errors.ts'
import { alertOf, cardPage, hiddenField, readForms, sendPage, wantsPage } from '../../http/html.ts'
import { mailVerification, resetPassword, verifyEmail, verifyEmailBody } from './mailed-links.ts'
import { confirmEmailChange } from './sessions.ts'
import { assertMail, email, limitAddress, newPassword, signInWithPassword, token } from './sign-in.ts'

// The pages behind mailed links. They work without a script, but for the token of a reset, which is in the link's fragment: without
// a script, the reader pastes the link.

const signInLink = '<p><a class="button" href="/dashboard/sign-in">Sign in</a></p>'

/** Opening a mailed link changes nothing, because programs that scan mails open links too: the button does what the link is for. */
function confirmationPage(
  {
    title,
    explanation,
    fields = '',
    button,
    action,
  }: Readonly<Record<'title' | 'explanation' | 'button' | 'action', string>> & { readonly fields?: string },
  token: string,
): string {
  return cardPage(
    title,
    `<h1>${title}</h1>
<p>${explanation}</p>
<form method="post" action="${action}">
${hiddenField('token', token)}
${fields}<p><button>${button}</button></p>
</form>`,
  )
}

function verifyEmailPage(token: string): string {
  const title = 'Confirm your email address'
  const explanation = 'If you signed up yourself, choose the password with which you sign in.'
  const fields = `${passwordField('Password')}
<p class="hint">At least ${passwordLength.min} characters.</p>
`
  const button = 'Create the account'
  return confirmationPage({ title, explanation, fields, button, action: '/verify-email' }, token)
}

const addressConfirmedPage = cardPage(
  'Email address confirmed',
  `<h1>Email address confirmed</h1>
<p>Your account is open.</p>
${signInLink}`,
)

function confirmEmailChangePage(token: string): string {
  const title = 'Confirm your new email address'
  const explanation =
    'Confirm only if you asked for this change yourself. The account that asked for it then uses your address, to sign in and for its mails.'
  return confirmationPage({ title, explanation, button: 'Use this address', action: '/confirm-email-change' }, token)
}

const emailChangedPage = cardPage(
  'Email address changed',
  `<h1>Email address changed</h1>
<p>Sign in with this address from now on.</p>
<p><a class="button" href="/dashboard/account">To your account</a></p>`,
)

function addressNotConfirmedPage(error: ErrorBody): string {
  return cardPage(
    'Email address not confirmed',
    `<h1>Email address not confirmed</h1>
${alertOf(error)}
${mailForm('verification', 'Mail me a new link')}`,
  )
}

/** Fills in the token of the link that opened the page. */
const resetScript = `
const token = new URLSearchParams(location.hash.slice(1)).get('token')
const field = document.getElementById('token')
if (token && field) {
  field.value = token
  field.parentElement.hidden = true
}
`

/** The form for a new password. After an error, the form keeps the token that was sent. */
function resetPage(error?: ErrorBody, token = ''): string {
  const tokenField = token
    ? hiddenField('token', token)
    : '<p><label for="token">The link in the mail, or its token</label><input id="token" name="token" required autocomplete="off"></p>'
  const open = error && !token ? ' open' : ''
  return cardPage(
    'Choose a new password',
    `<h1>Choose a new password</h1>
${error ? alertOf(error) : ''}
<form method="post" action="/reset-password">
${tokenField}
${passwordField('New password')}
<p class="hint">At least ${passwordLength.min} characters. A new password ends every session.</p>
<p><label><input name="revoke_keys" type="checkbox" value="true"> Revoke all API keys too, if somebody else may have used the account. Programs that use them stop working.</label></p>
<p><button>Change the password</button></p>
</form>
<details${open}><summary>The link does not work</summary>
${mailForm('reset', 'Mail me a new link')}
</details>
<script>${resetScript}</script>`,
  )
}

function passwordChangedPage(revokesKeys: boolean): string {
  return cardPage(
    'Password changed',
    `<h1>Password changed</h1>
<p>Every session has ended.</p>
<p>${revokesKeys ? 'All API keys of the account are revoked.' : 'API keys keep working.'}</p>
${signInLink}`,
  )
}

function passwordField(label: string): string {
  return `<p><label for="password">${label}</label><input id="password" name="password" type="password" required minlength="${passwordLength.min}" maxlength="${passwordLength.max}" autocomplete="new-password"></p>`
}

const mailSentPage = cardPage(
  'Look into your mailbox',
  `<h1>Look into your mailbox</h1>
<p>If this address can get the mail, it arrives within a minute. Each kind of mail is sent at most once in three minutes.</p>`,
)

/** For errors that no form of a page can mend. */
export function failurePage(error: ErrorBody): string {
  return cardPage('This did not work', `<h1>This did not work</h1>\n${alertOf(error)}`)
}

function mailForm(kind: 'reset' | 'verification', label: string): string {
  return `<form method="post" action="/mailed-link">
${hiddenField('kind', kind)}
<p><label for="email">Email address</label><input id="email" name="email" type="email" required autocomplete="email"></p>
<p><button>${label}</button></p>
</form>`
}

/** A token, or the whole link that contains it. */
const linkOrToken = z
  .string()
  .trim()
  .transform((text) => text.replace(/^.*[#?&]token=/, ''))
  .pipe(token)

const resetForm = z.object({ token: linkOrToken, password: newPassword, revoke_keys: z.literal('true').optional() })
const tokenOnly = z.object({ token: linkOrToken })
const mailedLinkBody = z.object({ kind: z.enum(['reset', 'verification']), email })

/** The largest form has a link and a password of 128 characters, each up to twelve bytes. */
const maxFormBytes = 8 * 1024

interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** What a mailed link confirms: a page whose button does it. Opening the link changes nothing. */
interface Confirmation<Form> {
  readonly path: string
  /** The route that does it for clients without a browser. An earlier version mailed links to it, so browsers get the page there too. */
  readonly apiPath: string
  readonly page: (token: string) => string
  readonly form: z.ZodType<Form>
  /** Resolves with the page to which it leads, if not `donePage`. */
  readonly confirm: (context: ApiContext, form: Form, exchange: Exchange) => Promise<string | undefined>
  readonly donePage: string
  readonly errorPage: (error: ErrorBody) => string
}

const link = z.looseObject({ token })

const incompleteLink = 'The link is not complete. Copy the whole link from the mail, or ask for a new one.'

const confirmations = [
  confirmation({
    path: '/verify-email',
    apiPath: '/api/auth/verify-email',
    page: verifyEmailPage,
    form: verifyEmailBody,
    confirm: openAccount,
    donePage: addressConfirmedPage,
    errorPage: addressNotConfirmedPage,
  }),
  confirmation({
    path: '/confirm-email-change',
    apiPath: '/api/auth/confirm-email-change',
    page: confirmEmailChangePage,
    form: link,
    confirm: async (context, form) => {
      await confirmEmailChange(context, form.token)
      return undefined
    },
    donePage: emailChangedPage,
    errorPage: failurePage,
  }),
]

function confirmation<Form>({ form, confirm, ...page }: Confirmation<Form>) {
  return {
    ...page,
    submit: async (context: ApiContext, exchange: Exchange) => {
      const { data, error } = form.safeParse(exchange.request.body)
      if (error) throw new ServiceError('invalid_request', problemOf(error))
      return confirm(context, data, exchange)
    },
  }
}

const confirmedToken = z.object({ email })

/** Confirms the address, and signs its owner in, who has just proved the mailbox and chosen the password. */
async function openAccount(
  context: ApiContext,
  form: z.output<typeof verifyEmailBody>,
  { request, reply }: Exchange,
): Promise<string | undefined> {
  await verifyEmail(context, form)
  if (!context.pages) return undefined
  const [, payload = ''] = form.token.split('.')
  const { email } = confirmedToken.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()))
  try {
    await signInWithPassword(context, request, reply, { email, password: form.password })
    return '/dashboard'
  } catch (error) {
    // A link that was used before changed no password.
    if (error instanceof ServiceError && error.code === 'wrong_email_or_password') return undefined
    throw error
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
      app.get(url, { schema: { ...schema, querystring: link.partial() }, ...onError }, async (request, reply) => {
        if (wantsPage(request)) {
          if (request.query.token === undefined) throw new ServiceError('invalid_request', incompleteLink)
          return sendPage(reply, page(request.query.token))
        }
        reply.header('allow', 'POST')
        const message = `Opening the link confirms nothing. Send its token with POST ${apiPath}.`
        throw new ServiceError('method_not_allowed', message)
      })
    }
    app.post(path, { schema, ...onError }, async (request, reply) => {
      await limitAddress(context, request, reply)
      const next = await submit(context, { request, reply })
      return next === undefined ? sendPage(reply, donePage) : reply.redirect(next, 303)
    })
  }

  app.post('/mailed-link', { schema: { ...schema, body: mailedLinkBody } }, async (request, reply) => {
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
    : incompleteLink
}
