import { ServiceError } from '../core/errors.ts'
import type { Database, Transaction } from '../store/database.ts'
import { passwordIsWrong } from './sign-in-errors.ts'
import type { SignInParts } from './sign-in-options.ts'

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
