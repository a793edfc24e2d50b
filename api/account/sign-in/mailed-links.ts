import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { revokeKeysOf, userOfReset, withServiceErrors } from '../../../src/accounts/password.ts'
import { strictFields } from '../../../src/core/input-problems.ts'
import { rememberDevice } from '../../http/authenticate.ts'
import type { ApiContext } from '../../http/context.ts'
import { bodyErrors, sessionRoute } from '../../http/route.ts'
import { anybody, assertMail, email, limitAddress, mailErrors, newPassword, statusSchema, token } from './sign-in.ts'

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

export const verifyEmailBody = strictFields({ token, password: newPassword })

/** `POST /api/auth/verify-email`: what the page of the mailed link does. */
export const verifyEmailRoute = sessionRoute({
  method: 'POST',
  url: '/api/auth/verify-email',
  schema: {
    ...anybody,
    operationId: 'verifyEmail',
    summary: 'Confirm an address with the token of the mailed link',
    description:
      'Creates the account. The password is that of the account from now on, whatever the sign-up sent, because somebody else may have signed up with the address. The token works for a day. Sending it again changes nothing.',
    body: verifyEmailBody,
    response: { ...bodyErrors, 200: statusSchema },
  },
  handler: async (request, { context, reply }) => {
    await limitAddress(context, request, reply)
    await verifyEmail(context, request.body)
    return { request_id: request.id, status: 'verified' }
  },
})

/** Creates the account of the address, with the password. */
export async function verifyEmail(
  { signIn }: ApiContext,
  { token, password }: z.output<typeof verifyEmailBody>,
): Promise<void> {
  const renewed = signIn.renewSignature(token, 'base64url')
  await withServiceErrors(() => signIn.verifyEmail(renewed, password))
}

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
    response: { ...bodyErrors, 200: statusSchema },
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
  const user = await userOfReset(db, token)
  // Before the password: if the second step fails, the link still works.
  if (user && revokesKeys) await revokeKeysOf(db, user.id)
  await withServiceErrors(() => signIn.api.resetPassword({ body: { token, newPassword: password } }))
  // Those that a session made until it ended.
  if (user && revokesKeys) await revokeKeysOf(db, user.id)
  if (user) rememberDevice(reply, context, user.email)
}
