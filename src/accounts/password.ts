import { createHash, createHmac } from 'node:crypto'
import { isAPIError } from 'better-auth/api'
import { z } from 'zod'
import { ServiceError } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import { type Database, isRowMissing, type Transaction } from '../db/database.ts'
import type { Mail } from '../mail/mailer.ts'
import { resetMail } from './email-change.ts'
import { notEnded, revokeAllKeys } from './keys.ts'
import { resetQuota, takeFromQuota } from './quotas.ts'
import type { SignInParts } from './sign-in-options.ts'

const validSeconds = 3600
/** A link that ends sooner is not mailed again: its reader needs some minutes. */
const mailedAgainSeconds = 900

interface ResetDependencies {
  readonly db: Database
  readonly baseUrl: string
  readonly secrets: readonly [string, ...string[]]
}

/**
 * The mail with the link to a new password; undefined if nobody has the address. While a link is valid, returns that one again,
 * so that a stranger's requests neither end the owner's link nor add others. better-auth reads the row, and ends it when the
 * link is used.
 */
export async function resetMailFor(deps: ResetDependencies, email: string): Promise<Mail | undefined> {
  const { db, baseUrl, secrets } = deps
  const listed = {
    where: notEnded(),
    orderBy: { createdAt: 'asc' },
    select: { name: true, lastFour: true, oauthGrant: { select: { name: true } } },
  } as const
  const user = await db.user.findUnique({
    where: { email },
    select: { id: true, account: { select: { keys: listed } } },
  })
  if (!user) return undefined
  const { token, expiresAt } = (await openReset(deps, user.id)) ?? (await createReset(db, secrets[0], user.id))
  return { to: email, ...resetMail(baseUrl, { token, expiresAt, keys: user.account?.keys ?? [] }) }
}

async function openReset({ db, secrets }: ResetDependencies, userId: string) {
  const open = await db.verification.findMany({
    where: { value: userId, expiresAt: { gt: new Date(Date.now() + mailedAgainSeconds * 1000) } },
  })
  for (const { id, identifier, expiresAt } of open) {
    const token = secrets.map((secret) => tokenOf(secret, id)).find((each) => identifierOf(each) === identifier)
    if (token) return { token, expiresAt }
  }
  return undefined
}

async function createReset(db: Database, secret: string, userId: string) {
  const id = newId('ver')
  const token = tokenOf(secret, id)
  const expiresAt = new Date(Date.now() + validSeconds * 1000)
  await db.verification.create({ data: { id, identifier: identifierOf(token), value: userId, expiresAt } })
  return { token, expiresAt }
}

/** The row and the secret are enough to compute the token again. The row itself has only a hash of the token. */
function tokenOf(secret: string, id: string): string {
  return createHmac('sha256', secret).update(`reset-password/1\n${id}`).digest('base64url')
}

/** As better-auth stores the token of its own reset, with `storeIdentifier: 'hashed'`. */
function identifierOf(token: string): string {
  return createHash('sha256').update(`reset-password:${token}`).digest('base64url')
}

/** The user whose password the token resets; null if it is not valid. */
export async function userOfReset(db: Database, token: string) {
  const row = await db.verification.findFirst({
    where: { identifier: identifierOf(token), expiresAt: { gt: new Date() } },
  })
  return row && db.user.findUnique({ where: { id: row.value }, select: { id: true, email: true } })
}

/** Revokes the keys of the account that the user owns. */
export async function revokeKeysOf(db: Database, userId: string): Promise<void> {
  const account = await db.account.findUnique({ where: { ownerId: userId }, select: { id: true } })
  if (account) await revokeAllKeys(db, account.id)
}

/** The row with the hash of the user's password. */
const methodOf = (db: Database, user: { readonly id: string } | { readonly email: string }) =>
  db.signInMethod.findFirst({
    where: { providerId: 'credential', user },
    select: { password: true },
  })

/**
 * Signs in, and ends the new session if the password changed between the proof and the session: a reset ends only the sessions
 * that it finds. Throws `wrong_email_or_password` then.
 */
export async function signInWhilePasswordStays<Answer extends { readonly response: { readonly token: string } }>(
  db: Database,
  email: string,
  signIn: () => Promise<Answer>,
): Promise<Answer> {
  const before = await methodOf(db, { email })
  const answer = await signIn()
  const after = await methodOf(db, { email })
  if (after?.password === before?.password) return answer
  await db.session.deleteMany({ where: { token: answer.response.token } })
  throw new ServiceError('wrong_email_or_password')
}

/** That somebody gave the password of a user, which has this hash. */
export interface PasswordProof {
  readonly userId: string
  readonly hash: string
}

type Parts = Pick<SignInParts, 'db' | 'passwords'>

/** Throws `wrong_email_or_password` if the password is not the user's. */
export async function provePassword(
  { db, passwords }: Parts,
  userId: string,
  password: string,
): Promise<PasswordProof> {
  const method = await methodOf(db, { id: userId })
  const hash = method?.password ?? null
  if (hash === null || !(await passwords.verify({ hash, password }))) throw passwordIsWrong()
  return { userId, hash }
}

/** Throws `wrong_email_or_password` if the password changed since it was given. It then stays until the transaction ends. */
export async function holdPassword(tx: Transaction, { userId, hash }: PasswordProof): Promise<void> {
  const held = await tx.$executeRaw`
    SELECT FROM sign_in_methods WHERE user_id = ${userId} AND password = ${hash} FOR UPDATE`
  if (held === 0) throw passwordIsWrong()
}

export interface PasswordChange {
  readonly userId: string
  readonly currentPassword: string
  readonly newPassword: string
}

/** Replaces the password that was given. Throws `wrong_email_or_password` if it is not the present one, at the end too. */
export async function changePassword(
  parts: Parts,
  { userId, currentPassword, newPassword }: PasswordChange,
): Promise<void> {
  const { hash } = await provePassword(parts, userId, currentPassword)
  const data = { password: await parts.passwords.hash(newPassword) }
  const { count } = await parts.db.signInMethod.updateMany({ where: { userId, password: hash }, data })
  if (count === 0) throw passwordIsWrong()
}

const linkIsOver = () => new ServiceError('invalid_request', 'This link is no longer valid. Request a new mail.')

const passwordIsWrong = () =>
  new ServiceError('wrong_email_or_password', 'The password is wrong. Send your present one.')

const accountWasDeleted = 'This account was deleted. Sign up to open another.'

/** better-auth's error codes that a caller can cause. */
const errors: Readonly<Record<string, () => ServiceError>> = {
  INVALID_EMAIL_OR_PASSWORD: () => new ServiceError('wrong_email_or_password'),
  INVALID_PASSWORD: passwordIsWrong,
  // Another code would tell a stranger, who signed up with the address, that it had no account.
  EMAIL_NOT_VERIFIED: () => new ServiceError('wrong_email_or_password'),
  INVALID_TOKEN: linkIsOver,
  TOKEN_EXPIRED: linkIsOver,
  USER_NOT_FOUND: linkIsOver,
}

const apiError = z.object({ body: z.object({ code: z.string() }) })

/** The code of a better-auth error. */
export function signInCode(error: unknown): string | undefined {
  return isAPIError(error) ? apiError.safeParse(error).data?.body.code : undefined
}

/** Calls better-auth. Turns errors that a caller can cause into a ServiceError, and rethrows others as their cause. */
export async function withServiceErrors<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call()
  } catch (error) {
    const known = errors[signInCode(error) ?? '']
    if (known) throw known()
    const cause = isAPIError(error) && error.cause ? error.cause : error
    // The user was deleted between two of its statements.
    if (isRowMissing(cause)) throw new ServiceError('sign_in_required', accountWasDeleted, { cause })
    throw cause
  }
}

export interface AttemptLimit {
  /** What is counted, such as `['sign-in', email]`. */
  readonly of: readonly [what: string, who: string]
  readonly maxAttempts: number
  readonly withinSeconds: number
}

/** Counts an attempt, over all API processes. Returns the seconds to wait if it exceeds the limit. */
export async function countAttempt(db: Database, { of, maxAttempts, withinSeconds }: AttemptLimit) {
  const quota = { subject: subjectOf(of), limit: maxAttempts, windowSeconds: withinSeconds }
  const { fits, resetSeconds } = await takeFromQuota(db, quota)
  return fits ? undefined : resetSeconds
}

/** Resets the count after a success: the earlier attempts were not guesses. */
export async function forgetAttempts(db: Database, of: AttemptLimit['of']): Promise<void> {
  await resetQuota(db, subjectOf(of))
}

/** A hash, so that the counts do not reveal addresses. */
function subjectOf([what, who]: AttemptLimit['of']): string {
  return `${what} ${createHash('sha256').update(who).digest('base64url')}`
}
