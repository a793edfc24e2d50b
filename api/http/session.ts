import { parseCookies, setRequestCookie } from 'better-auth/cookies'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { deviceCookie } from '../../src/accounts/known-devices.ts'
import type { SignIn } from '../../src/accounts/sign-in.ts'
import { withServiceErrors } from '../../src/accounts/sign-in-errors.ts'
import { addressHeader, sessionCookie } from '../../src/accounts/sign-in-options.ts'
import type { Config } from '../../src/config.ts'
import { daySeconds } from '../../src/core/durations.ts'
import { ServiceError } from '../../src/core/errors.ts'
import type { ApiContext } from './context.ts'

/** The headers of a request that better-auth reads. A session that the other signing secret signed is signed with the current one. */
export function signInHeaders({ renewSignature }: Pick<SignIn, 'renewSignature'>, request: FastifyRequest): Headers {
  const headers = new Headers({ [addressHeader]: request.ip })
  const { cookie = '', 'user-agent': userAgent } = request.headers
  if (userAgent !== undefined) headers.set('user-agent', userAgent)
  for (const [name, value] of parseCookies(cookie)) {
    if (name.endsWith(sessionCookie)) setRequestCookie(headers, name, renewSignature(value, 'base64'))
  }
  return headers
}

/** The device cookie of a request, without a check. */
export function deviceOf({ headers: { cookie = '' } }: FastifyRequest): string {
  return parseCookies(cookie).get(deviceCookie) ?? ''
}

const deviceSeconds = 365 * daySeconds

/** Marks the browser as a device of this address, so that it can try passwords even while strangers' attempts block other devices. */
export function rememberDevice(
  reply: FastifyReply,
  { config, signIn }: Pick<ApiContext, 'config' | 'signIn'>,
  email: string,
): void {
  const secure = config.BASE_URL.startsWith('https:') ? '; Secure' : ''
  const value = signIn.devices.issue(email)
  const cookie = `${deviceCookie}=${value}; Max-Age=${deviceSeconds}; Path=/api/auth; HttpOnly${secure}; SameSite=Lax`
  reply.header('set-cookie', cookie)
}

export function hasSessionCookie({ headers: { cookie = '' } }: FastifyRequest): boolean {
  return cookie.includes(`${sessionCookie}=`)
}

/** The session of the request's cookie, read from the database each time. Throws `sign_in_required` without one. */
export async function sessionOf(signIn: SignIn, request: FastifyRequest) {
  const found = await withServiceErrors(() =>
    signIn.api.getSession({ headers: signInHeaders(signIn, request), query: { disableRefresh: true } }),
  )
  if (!found) throw new ServiceError('sign_in_required')
  return found
}

/** Copies the cookies that better-auth sets to the response. */
export function setCookies(reply: FastifyReply, headers: Headers): void {
  const cookies = headers.getSetCookie()
  if (cookies.length > 0) reply.header('set-cookie', cookies)
}

const safeMethods = ['GET', 'HEAD', 'OPTIONS']

/**
 * Throws `csrf_failed` for requests that a page of another site made a browser send: browsers send the origin with every
 * request that changes something. Requests without cookies cannot misuse a session, and requests without an origin do not
 * come from browsers.
 */
export function assertOwnOrigin(request: FastifyRequest, { BASE_URL }: Pick<Config, 'BASE_URL'>): void {
  if (safeMethods.includes(request.method)) return
  const { origin, cookie } = request.headers
  const own = new URL(BASE_URL).origin
  if (origin === own) return
  if (origin === undefined && cookie === undefined) return
  throw new ServiceError(
    'csrf_failed',
    `Reload the page and try again. Outside a browser, send the header "Origin: ${own}".`,
  )
}
