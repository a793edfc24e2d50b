import type { FastifyReply, FastifyRequest } from 'fastify'
import { addressHeader, type SignIn, sessionCookie } from '../src/accounts/sign-in.ts'
import { withServiceErrors } from '../src/accounts/sign-in-errors.ts'
import { ServiceError } from '../src/core/errors.ts'

/** What better-auth reads of a request. */
export function signInHeaders(request: FastifyRequest): Headers {
  const headers = new Headers({ [addressHeader]: request.ip })
  for (const name of ['cookie', 'user-agent'] as const) {
    const value = request.headers[name]
    if (value !== undefined) headers.set(name, value)
  }
  return headers
}

export function hasSessionCookie({ headers: { cookie = '' } }: FastifyRequest): boolean {
  return cookie.includes(`${sessionCookie}=`)
}

/** The session of the request's cookie, read from the database each time. `sign_in_required` without one. */
export async function sessionOf(signIn: SignIn, request: FastifyRequest) {
  const found = await withServiceErrors(() =>
    signIn.api.getSession({ headers: signInHeaders(request), query: { disableRefresh: true } }),
  )
  if (!found) throw new ServiceError('sign_in_required')
  return found
}

/** Passes the cookies on that better-auth sets. */
export function setCookies(reply: FastifyReply, headers: Headers): void {
  const cookies = headers.getSetCookie()
  if (cookies.length > 0) reply.header('set-cookie', cookies)
}
