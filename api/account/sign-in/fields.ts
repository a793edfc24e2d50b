import { z } from 'zod'
import { passwordLength } from '../../../src/accounts/sign-in-options.ts'
import { ServiceError } from '../../../src/core/errors.ts'
import type { ApiContext } from '../../http/context.ts'
import { accountBodyErrors, accountErrors, errorEnvelope, requestId } from '../../http/schemas.ts'

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

/** Errors of every route for signing in. A request from another site's page is 403. */
export const signInErrors = accountErrors
/** Errors of the routes with a body, and of those that also need mail. */
export const signInBodyErrors = accountBodyErrors
export const mailErrors = { ...accountBodyErrors, 501: errorEnvelope }

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
