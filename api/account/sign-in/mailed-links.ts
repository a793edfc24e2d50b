import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { emailOfReset, revokeKeysOf } from '../../../src/accounts/password-reset.ts'
import { withServiceErrors } from '../../../src/accounts/sign-in-errors.ts'
import { strictFields } from '../../../src/core/input-problems.ts'
import type { ApiContext } from '../../http/context.ts'
import { sendPage, wantsPage } from '../../http/html.ts'
import { sessionRoute } from '../../http/route.ts'
import { rememberDevice } from '../../http/session.ts'
import { limitAddress } from '../sign-in-limits.ts'
import {
  anybody,
  assertMail,
  email,
  mailErrors,
  newPassword,
  signInBodyErrors,
  signInErrors,
  statusSchema,
  token,
} from './fields.ts'
import { addressConfirmedPage, addressNotConfirmedPage } from './pages.ts'

/** `POST /api/auth/send-verification-email` */
export const sendVerificationRoute = askForMailRoute(
  '/api/auth/send-verification-email',
  { operationId: 'sendVerificationMail', summary: 'Send the mail that confirms an address again' },
  mailVerification,
)

export function mailVerification({ background, signIn, logger }: ApiContext, email: string): void {
  background.run(
    signIn.api.sendVerificationEmail({ body: { email } }).then(
      () => {},
      (error: unknown) => logger.error({ err: error }, 'mail not sent'),
    ),
  )
}

/** `POST /api/auth/request-password-reset` */
export const requestPasswordResetRoute = askForMailRoute(
  '/api/auth/request-password-reset',
  { operationId: 'requestPasswordReset', summary: 'Send a mail with a link to set a new password' },
  ({ signIn }, email) => signIn.mailReset(email),
)

/** Looks the address up after the response, so that text and time of the response are the same for every address. */
function askForMailRoute(
  url: string,
  names: { readonly operationId: string; readonly summary: string },
  mailLater: (context: ApiContext, email: string) => void,
) {
  return sessionRoute({
    method: 'POST',
    url,
    schema: {
      ...anybody,
      ...names,
      description: 'The response is the same whether the address has an account or not.',
      body: z.object({ email }),
      response: { ...mailErrors, 200: statusSchema },
    },
    handler: async (request, { context, reply }) => {
      assertMail(context)
      await limitAddress(context, request, reply)
      mailLater(context, request.body.email)
      return { request_id: request.id, status: 'mail_sent' }
    },
  })
}

/** `GET /api/auth/verify-email`: the link in the mail. Opening it again changes nothing. Browsers get a page, clients JSON. */
export const verifyEmailRoute = sessionRoute({
  method: 'GET',
  url: '/api/auth/verify-email',
  schema: {
    ...anybody,
    operationId: 'verifyEmail',
    summary: 'Confirm an address: the link of the mail',
    description: 'Opening it again changes nothing. Browsers get a page.',
    querystring: z.looseObject({ token }),
    response: { ...signInErrors, 200: statusSchema },
  },
  errorPage: addressNotConfirmedPage,
  handler: async (request, { context, reply }) => {
    await limitAddress(context, request, reply)
    const { api, renewSignature } = context.signIn
    const token = renewSignature(request.query.token, 'base64url')
    await withServiceErrors(() => api.verifyEmail({ query: { token } }))
    if (wantsPage(request)) return sendPage(reply, addressConfirmedPage)
    return { request_id: request.id, status: 'verified' }
  },
})

/** Strict: with a misspelt revoke_keys, keys that were stolen would stay valid. */
const newPasswordBody = strictFields({ token, password: newPassword, revoke_keys: z.boolean().default(false) })

/** `POST /api/auth/reset-password`: sets the new password, ends every session, and revokes the account's keys if asked to. */
export const resetPasswordRoute = sessionRoute({
  method: 'POST',
  url: '/api/auth/reset-password',
  schema: {
    ...anybody,
    operationId: 'resetPassword',
    summary: 'Set a new password with the token of the mail',
    description: 'Ends every session of the user. With revoke_keys, also revokes all API keys of the account.',
    body: newPasswordBody,
    response: { ...signInBodyErrors, 200: statusSchema },
  },
  handler: async (request, { context, reply }) => {
    await resetPassword(context, request, reply, request.body)
    return { request_id: request.id, status: 'password_changed' }
  },
})

export async function resetPassword(
  context: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { token, password, revoke_keys: revokesKeys }: z.output<typeof newPasswordBody>,
): Promise<void> {
  await limitAddress(context, request, reply)
  const { db, signIn } = context
  const email = await emailOfReset(db, token)
  // Before the password: if the second step fails, the link still works.
  if (email && revokesKeys) await revokeKeysOf(db, email)
  await withServiceErrors(() => signIn.api.resetPassword({ body: { token, newPassword: password } }))
  if (email) rememberDevice(reply, context, email)
}
