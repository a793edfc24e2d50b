import type { FastifyReply, FastifyRequest } from 'fastify'
import { type AttemptLimit, countAttempt } from '../../src/accounts/attempts.ts'
import { daySeconds } from '../../src/core/durations.ts'
import { ServiceError } from '../../src/core/errors.ts'
import type { ApiContext } from '../http/context.ts'
import { networkOf, wideNetworkOf } from '../http/rate-limits.ts'
import { deviceOf } from '../http/session.ts'

type Limits = Pick<ApiContext, 'db' | 'config'>

const quarterHour = 900
/** Networks that can use up their attempts for one email address before the attempts are slowed down. */
const networksAQuarterHour = 10
/** Slowed down, all strangers together guess 90 passwords in a quarter of an hour. */
const slowSeconds = 10
/** An owner has a few sessions; the newest show where. */
const sessionsRead = 20

/** Counts a request to sign up, sign in or use another open route, for its network address. */
export async function limitAddress({ db, config }: Limits, request: FastifyRequest, reply: FastifyReply) {
  const of = ['sign-in address', networkOf(request.ip)] as const
  await limit(db, reply, { of, maxAttempts: config.SIGN_IN_TRIES_PER_ADDRESS, withinSeconds: quarterHour })
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
