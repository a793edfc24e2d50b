import type { FastifyReply, FastifyRequest } from 'fastify'
import { addressHeader, type SignIn, sessionCookie } from '../../src/accounts/sign-in.ts'
import { withServiceErrors } from '../../src/accounts/sign-in-errors.ts'
import type { Config } from '../../src/config.ts'
import { ServiceError } from '../../src/core/errors.ts'

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

const safeMethods = ['GET', 'HEAD', 'OPTIONS']

/**
 * Refuses with `csrf_failed` what a page of another site made a browser send: browsers name the origin with every request
 * that changes something. Without cookies there is nothing to misuse, and a caller without an origin is no browser.
 */
export function assertOwnOrigin(request: FastifyRequest, { BASE_URL }: Pick<Config, 'BASE_URL'>): void {
  if (safeMethods.includes(request.method)) return
  const { origin, cookie } = request.headers
  if (origin === new URL(BASE_URL).origin) return
  if (origin === undefined && cookie === undefined) return
  throw new ServiceError('csrf_failed')
}
