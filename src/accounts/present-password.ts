import { ServiceError } from '../core/errors.ts'
import type { Database } from '../store/database.ts'
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

export interface PasswordChange {
  readonly userId: string
  readonly currentPassword: string
  readonly newPassword: string
}

/** Replaces the password that was given. Throws `wrong_email_or_password` if it is not the present one, at the end too. */
export async function changePassword(
  { db, passwords }: Pick<SignInParts, 'db' | 'passwords'>,
  { userId, currentPassword, newPassword }: PasswordChange,
): Promise<void> {
  const method = await methodOf(db, { id: userId })
  const hash = method?.password ?? null
  if (hash === null || !(await passwords.verify({ hash, password: currentPassword }))) throw passwordIsWrong()
  const data = { password: await passwords.hash(newPassword) }
  const { count } = await db.signInMethod.updateMany({ where: { userId, password: hash }, data })
  if (count === 0) throw passwordIsWrong()
}
