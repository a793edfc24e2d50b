import type { FastifyReply, FastifyRequest } from 'fastify'
import { type AttemptLimit, countAttempt } from '../../src/accounts/attempts.ts'
import { ServiceError } from '../../src/core/errors.ts'
import type { ApiContext } from '../http/context.ts'
import { networkOf } from '../http/rate-limits.ts'

type Limits = Pick<ApiContext, 'db' | 'config'>

const quarterHour = 900
const mailsAnHour = 20
/** Per requesting address, so that flooding a mailbox cannot lock its owner out of a reset. */
const mailsAnHourAsked = 5

/** Counts a request to sign up, sign in or use another open route, for its network address. */
export async function limitAddress({ db, config }: Limits, request: FastifyRequest, reply: FastifyReply) {
  const of = ['sign-in address', networkOf(request.ip)] as const
  await limit(db, reply, { of, maxAttempts: config.SIGN_IN_TRIES_PER_ADDRESS, withinSeconds: quarterHour })
}

/** The counter of password attempts for an email address, whether it has an account or not. */
export const passwordTries = (email: string) => ['password', email] as const

export async function limitPasswords({ db, config }: Limits, email: string, reply: FastifyReply) {
  const maxAttempts = config.SIGN_IN_TRIES_PER_EMAIL
  await limit(db, reply, { of: passwordTries(email), maxAttempts, withinSeconds: quarterHour })
}

/** Counts requests that can send a mail to an address, whether it has an account or not. */
export async function limitMails({ db }: Limits, request: FastifyRequest, email: string, reply: FastifyReply) {
  const asked = ['mail asked', `${networkOf(request.ip)} ${email}`] as const
  await limit(db, reply, { of: asked, maxAttempts: mailsAnHourAsked, withinSeconds: 3600 })
  await limit(db, reply, { of: ['mail', email], maxAttempts: mailsAnHour, withinSeconds: 3600 })
}

async function limit(db: Limits['db'], reply: FastifyReply, attempts: AttemptLimit): Promise<void> {
  const waitSeconds = await countAttempt(db, attempts)
  if (waitSeconds === undefined) return
  reply.header('retry-after', waitSeconds)
  throw new ServiceError('rate_limited')
}
