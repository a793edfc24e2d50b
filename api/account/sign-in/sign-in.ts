import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ensureOwnAccount } from '../../../src/accounts/own-account.ts'
import { type AttemptLimit, countAttempt, forgetAttempts, withServiceErrors } from '../../../src/accounts/password.ts'
import { endOtherSessions, forgetMailedLinks, passwordLength } from '../../../src/accounts/sign-in-options.ts'
import { mailboxHashes } from '../../../src/accounts/suspension.ts'
import { grantFreeCredits } from '../../../src/billing/credits.ts'
import { ServiceError } from '../../../src/core/errors.ts'
import { strictFields } from '../../../src/core/input-problems.ts'
import { daySeconds } from '../../../src/core/time-code.ts'
import { isRowDoubled } from '../../../src/db/database.ts'
import { deviceOf, rememberDevice, sessionOf, setCookies, signInHeaders } from '../../http/authenticate.ts'
import type { ApiContext } from '../../http/context.ts'
import { networkOf, wideNetworkOf } from '../../http/rate-limits.ts'
import { bodyErrors, errorEnvelope, name, requestId, sessionRoute } from '../../http/route.ts'

export const email = z.string().trim().toLowerCase().max(254).meta({ format: 'email' }).pipe(z.email())
export const newPassword = z.string().min(passwordLength.min).max(passwordLength.max)
/** The token of a mailed link. */
export const token = z
  .string()
  .max(2000)
  .regex(/^[\w.-]+$/, 'copy the whole link from the mail')
export const givenPassword = z.string().min(1).max(passwordLength.max)

export const userSchema = z.object({ id: z.string(), email: z.string(), name: z.string() })

/** A response that does not reveal whether an email address has an account. */
export const statusSchema = z.object({ request_id: requestId, status: z.string() })

/** The errors of a route that sends mail. */
export const mailErrors = { ...bodyErrors, 501: errorEnvelope }

/** Routes for people who are not signed in, and for those who are. */
export const anybody = { tags: ['sign-in'], security: [] }
export const signedIn = { tags: ['sign-in'], security: [{ Session: [] }] }

/** Throws `endpoint_unavailable` if this installation sends no mail. */
export function assertMail({ mailer }: Pick<ApiContext, 'mailer'>): void {
  if (mailer) return
  throw new ServiceError(
    'endpoint_unavailable',
    'This needs mail, which this service has not set up. Ask its operator.',
  )
}

/** `POST /api/auth/sign-up/email`: sends a mail to the address. */
export const signUpRoute = sessionRoute({
  method: 'POST',
  url: '/api/auth/sign-up/email',
  schema: {
    ...anybody,
    operationId: 'signUp',
    summary: 'Sign up: sends a mail to confirm the address',
    description: 'The response is the same whether the address has an account or not.',
    body: z.object({ email, password: newPassword, name: name.optional() }),
    response: { ...mailErrors, 200: statusSchema },
  },
  handler: async (request, { context, reply }) => {
    assertMail(context)
    const { email, password, name = email.replace(/@.*/, '') } = request.body
    await limitAddress(context, request, reply)
    const signUp = () => context.signIn.signUp({ email, password, name })
    // Of two simultaneous sign-ups one creates the user; the other finds the user in its second attempt.
    const once = async () => {
      try {
        await signUp()
      } catch (error) {
        if (!isRowDoubled(error)) throw error
        await signUp()
      }
    }
    await withServiceErrors(once)
    return { request_id: request.id, status: 'mail_sent' }
  },
})

/** `POST /api/auth/sign-in/email`: sets the session cookie. The first sign-in grants the free credits. */
export const signInRoute = sessionRoute({
  method: 'POST',
  url: '/api/auth/sign-in/email',
  schema: {
    ...anybody,
    operationId: 'signIn',
    summary: 'Sign in: sets the session cookie',
    description: 'The first sign-in grants the free credits.',
    body: z.object({ email, password: givenPassword }),
    response: {
      ...bodyErrors,
      200: z.object({ request_id: requestId, user: userSchema, account_id: z.string() }),
    },
  },
  handler: async (request, { context, reply }) => {
    const { user, accountId } = await signInWithPassword(context, request, reply, request.body)
    return { request_id: request.id, user, account_id: accountId }
  },
})

/** Sets the session cookie, and grants the free credits at the first sign-in. Throws `wrong_email_or_password`. */
export async function signInWithPassword(
  context: ApiContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { email, password }: { readonly email: string; readonly password: string },
) {
  const { config, db, signIn } = context
  await limitAddress(context, request, reply)
  const tries = await limitPasswords(context, request, email, reply)
  const { headers, response } = await withServiceErrors(() =>
    signIn.signInEmail({ email, password }, signInHeaders(signIn, request)),
  )
  await forgetAttempts(db, tries)
  setCookies(reply, headers)
  rememberDevice(reply, context, email)
  const accountId = await ensureOwnAccount(context, response.user.id)
  await grantFreeCredits(db, {
    accountId,
    proof: config.FREE_CREDITS_PROOF,
    mailboxes: mailboxHashes(config, email),
    network: wideNetworkOf(request.ip),
    grantsPerNetwork: config.FREE_CREDITS_PER_NETWORK,
  })
  return { user: response.user, accountId }
}

/** `POST /api/auth/change-password` */
export const changePasswordRoute = sessionRoute({
  method: 'POST',
  url: '/api/auth/change-password',
  schema: {
    ...signedIn,
    operationId: 'changePassword',
    summary: 'Change the password',
    description:
      'Needs the present password. Ends every other session of the user, and links that were mailed to set a password.',
    body: strictFields({ password: givenPassword, new_password: newPassword }),
    response: { ...bodyErrors, 200: statusSchema },
  },
  // Checks the session before the body.
  beforeBody: async (request, { context: { signIn } }) => void (await sessionOf(signIn, request)),
  handler: async (request, { context, reply }) => {
    const { db, signIn } = context
    const { password: currentPassword, new_password: newPassword } = request.body
    const { user, session } = await sessionOf(signIn, request)
    await limitAddress(context, request, reply)
    const tries = await limitPasswords(context, request, user.email, reply)
    await signIn.changePassword({ userId: user.id, currentPassword, newPassword })
    await forgetAttempts(db, tries)
    await endOtherSessions(db, user.id, session.id)
    await forgetMailedLinks(db, user.id)
    return { request_id: request.id, status: 'password_changed' }
  },
})

/** `POST /api/auth/sign-out`: ends the session and removes its cookie. */
export const signOutRoute = sessionRoute({
  method: 'POST',
  url: '/api/auth/sign-out',
  schema: {
    ...anybody,
    operationId: 'signOut',
    summary: 'Sign out: ends the session and removes its cookie',
    response: { ...bodyErrors, 200: statusSchema },
  },
  handler: async (request, { context: { signIn }, reply }) => {
    const { headers } = await withServiceErrors(() =>
      signIn.api.signOut({ headers: signInHeaders(signIn, request), returnHeaders: true }),
    )
    setCookies(reply, headers)
    return { request_id: request.id, status: 'signed_out' }
  },
})

type Limits = Pick<ApiContext, 'db' | 'config'>

const quarterHour = 900
/** Networks that can use up their attempts for one email address before the attempts are slowed down. */
const networksAQuarterHour = 10
/** Slowed down, all strangers together guess 90 passwords in a quarter of an hour. */
const slowSeconds = 10
/** An owner has a few sessions; the newest show where. */
const sessionsRead = 20

/** A subscriber of IPv6 has up to 256. */
const networksOfSubscriber = 5

/** Counts a request to sign up, sign in or use another open route, for its network address. */
export async function limitAddress({ db, config }: Limits, request: FastifyRequest, reply: FastifyReply) {
  const maxAttempts = config.SIGN_IN_TRIES_PER_ADDRESS
  const network = networkOf(request.ip)
  if (network.endsWith('/64')) {
    const wide = ['sign-in network', wideNetworkOf(request.ip)] as const
    await limit(db, reply, { of: wide, maxAttempts: networksOfSubscriber * maxAttempts, withinSeconds: quarterHour })
  }
  await limit(db, reply, { of: ['sign-in address', network], maxAttempts, withinSeconds: quarterHour })
}

/**
 * Counts a password attempt for an email address, whether it has an account or not. Returns the counter, to be forgotten after
 * a success. Attempts from one network have a counter of their own, and so have those from a browser in which the owner
 * signed in: strangers elsewhere use neither up. When all networks together try too often, those in which the owner has no
 * session must wait for each other.
 */
export async function limitPasswords(
  { db, config, signIn }: Limits & Pick<ApiContext, 'signIn'>,
  request: FastifyRequest,
  email: string,
  reply: FastifyReply,
): Promise<AttemptLimit['of']> {
  const network = wideNetworkOf(request.ip)
  const device = signIn.devices.idOf(deviceOf(request), email)
  const of = device ? (['password device', device] as const) : (['password', `${network} ${email}`] as const)
  const maxAttempts = config.SIGN_IN_TRIES_PER_EMAIL
  await limit(db, reply, { of, maxAttempts, withinSeconds: quarterHour })
  if (device) return of
  const everywhere = { of: ['password everywhere', email], maxAttempts: maxAttempts * networksAQuarterHour } as const
  const isCrowded = (await countAttempt(db, { ...everywhere, withinSeconds: quarterHour })) !== undefined
  if (isCrowded && !(await isSignedInFrom(db, email, network))) {
    await limit(db, reply, { of: ['password slow', email], maxAttempts: 1, withinSeconds: slowSeconds })
  }
  return of
}

const emailChangesADay = 5

/** Counts a request to change the email address of a user, whose password was right. */
export async function limitEmailChanges({ db }: Pick<Limits, 'db'>, userId: string, reply: FastifyReply) {
  const attempts = { of: ['email change', userId], maxAttempts: emailChangesADay, withinSeconds: daySeconds } as const
  await limit(db, reply, attempts, 'The address of an account can be changed five times a day. Try again tomorrow.')
}

async function isSignedInFrom(db: Limits['db'], email: string, network: string): Promise<boolean> {
  const sessions = await db.session.findMany({
    where: { user: { email }, expiresAt: { gt: new Date() } },
    orderBy: { createdAt: 'desc' },
    take: sessionsRead,
    select: { ipAddress: true },
  })
  return sessions.some(({ ipAddress }) => ipAddress !== null && wideNetworkOf(ipAddress) === network)
}

async function limit(db: Limits['db'], reply: FastifyReply, attempts: AttemptLimit, message?: string): Promise<void> {
  const waitSeconds = await countAttempt(db, attempts)
  if (waitSeconds === undefined) return
  reply.header('retry-after', waitSeconds)
  throw new ServiceError('rate_limited', message)
}
