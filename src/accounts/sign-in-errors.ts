import { isAPIError } from 'better-auth/api'
import { z } from 'zod'
import { ServiceError } from '../core/errors.ts'
import { isRowMissing } from '../store/database.ts'

const linkIsOver = () => new ServiceError('invalid_request', 'This link is no longer valid. Request a new mail.')

export const passwordIsWrong = () =>
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
