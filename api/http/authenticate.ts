import { parseCookies, setRequestCookie } from 'better-auth/cookies'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  type Authentication,
  accountSubject,
  type Credential,
  isCredentialEnded,
  noteUse,
} from '../../src/accounts/credentials.ts'
import { parseToken } from '../../src/accounts/keys.ts'
import { ensureOwnAccount } from '../../src/accounts/own-account.ts'
import { withServiceErrors } from '../../src/accounts/password.ts'
import { deviceCookie, type SignIn } from '../../src/accounts/sign-in.ts'
import { addressHeader, sessionCookie } from '../../src/accounts/sign-in-options.ts'
import type { Config } from '../../src/config.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { coversEndpoint } from '../../src/core/scopes.ts'
import { daySeconds } from '../../src/core/time-code.ts'
import type { Database } from '../../src/db/database.ts'
import type { ApiContext, App, CredentialOf } from './context.ts'
import {
  assertFits,
  type CheckKey,
  type CountRequest,
  createBodyLimit,
  createKeyCheck,
  createSharedCounter,
} from './rate-limits.ts'
import type { Caller, Scope } from './route.ts'

interface Accepted {
  /** Requests for which it returns false are let through without a credential. */
  readonly isNeeded: (request: FastifyRequest) => boolean
  /** `sessions`: also keys. */
  readonly takes: 'connectors' | 'sessions' | 'only sessions'
}

/**
 * Keeps the credential of each request to the routes of `app`, and limits the requests of each account over all its keys and sessions.
 * Checks both before bodies are read. Refuses a wrong credential also where none is needed: for agents after the body, which anybody
 * may send there, because its id is in the refusal.
 */
function keepCredentials(
  app: FastifyInstance,
  context: AccountContext,
  { isNeeded, takes }: Accepted,
): (request: object) => Credential | undefined {
  const credentials = new WeakMap<object, Credential>()
  const { config, db } = context
  const checkKey = createKeyCheck(db, config)
  const countSession = createSharedCounter(db, config.RATE_LIMIT_PER_ACCOUNT)
  const countBody = createBodyLimit(context)
  const recheck = recheckAfterBody(app)
  const refusals = new WeakMap<object, ServiceError>()
  const keep = async (request: FastifyRequest, reply: FastifyReply) => {
    const isKey = takes === 'connectors' || request.headers.authorization !== undefined || !hasSessionCookie(request)
    const isSession = takes === 'only sessions' || !isKey
    const { credential, use } = isSession
      ? await authenticateOwner(context, countSession, request)
      : await authenticationFor(context, checkKey, request, takes === 'connectors' || opensToConnectors(request))
    credentials.set(request, credential)
    recheck(request, () => assertCredentialValid(db, credential))
    const { accountId, keyId, userId }: Credential = credential
    request.log = request.log.child({ accountId, ...(keyId ? { keyId } : { userId }) })
    assertFits(reply, config.RATE_LIMIT_PER_ACCOUNT, use)
    await countBody(request, reply, accountId)
  }
  app.addHook('onRequest', async (request, reply) => {
    if (!isNeeded(request)) return
    await keep(request, reply).catch((error: unknown) => {
      if (takes !== 'connectors' || !(error instanceof ServiceError) || error.httpStatus !== 401) throw error
      refusals.set(request, error)
    })
  })
  app.addHook('preValidation', async (request) => {
    const refusal = refusals.get(request)
    if (refusal) throw refusal
  })
  return (request: object) => credentials.get(request)
}

function opensToConnectors({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.takesConnectors === true
}

/** Requires a valid key, or the session of the account's owner. */
function requireCredential(
  app: FastifyInstance,
  context: AccountContext,
  takes: Accepted['takes'] = 'sessions',
): CredentialOf {
  const credentialOf = keepCredentials(app, context, { isNeeded: () => true, takes })
  return (request) => {
    const credential = credentialOf(request)
    if (!credential) throw new Error('this route is not behind a key')
    return credential
  }
}

/** For the routes of agents, which take the tokens of connectors, and requests without a credential. */
export function acceptConnector(
  app: FastifyInstance,
  context: AccountContext,
): (request: object) => Credential | undefined {
  const isNeeded = ({ headers }: FastifyRequest) => headers.authorization !== undefined
  return keepCredentials(app, context, { isNeeded, takes: 'connectors' })
}

type KeyContext = Pick<ApiContext, 'config' | 'db' | 'logger' | 'background'>

/** A body that takes longer is slow. */
const slowBodyMilliseconds = 250

/** Checks keys and sessions again after slow bodies, because they may have ended meanwhile. Returns what keeps the check of a request. */
function recheckAfterBody(app: FastifyInstance): (request: object, check: () => Promise<unknown>) => void {
  const admitted = new WeakMap<object, { readonly check: () => Promise<unknown>; readonly milliseconds: number }>()
  app.addHook('preHandler', async (request) => {
    const kept = admitted.get(request)
    if (kept && performance.now() - kept.milliseconds >= slowBodyMilliseconds) await kept.check()
  })
  return (request, check) => admitted.set(request, { check, milliseconds: performance.now() })
}

/** Throws `invalid_api_key` if the key was revoked or has expired, `sign_in_required` if the session has ended. */
export async function assertCredentialValid(
  db: Database,
  credential: Parameters<typeof isCredentialEnded>[1],
): Promise<void> {
  if (!(await isCredentialEnded(db, credential))) return
  throw new ServiceError(credential.keyId === null ? 'sign_in_required' : 'invalid_api_key')
}

/** Who sends the request, by its key, whose use is noted. Throws `missing_api_key` or `invalid_api_key`. */
async function authenticationFor(
  context: KeyContext,
  checkKey: CheckKey,
  request: FastifyRequest,
  takesConnectors = false,
): Promise<Authentication> {
  const [scheme, token, ...more] = request.headers.authorization?.trim().split(/ +/) ?? []
  if (!scheme || (isBearer(scheme) && !token)) {
    throw new ServiceError('missing_api_key')
  }
  if (parseToken(scheme)) throw new ServiceError('invalid_api_key', withoutBearer)
  if (token && !takesConnectors && parseToken(token)?.kind === 'con') {
    throw new ServiceError('invalid_api_key', connectorElsewhere)
  }
  const found = isBearer(scheme) && token && more.length === 0 ? await checkKey(token) : undefined
  if (!found) throw new ServiceError('invalid_api_key')
  context.background.run(
    noteUse(context.db, found.credential, new Date()).catch((error: unknown) =>
      context.logger.debug({ err: error }, 'use of a key not noted'),
    ),
  )
  return found
}

const withoutBearer =
  'The Authorization header has the API key without "Bearer " before it. Send "Authorization: Bearer <API_KEY>".'

const connectorElsewhere =
  'The token of a connector works on /mcp, and reads jobs, runs, exports and uploads. Send an API key here.'

function isBearer(scheme: string): boolean {
  return scheme.toLowerCase() === 'bearer'
}

type AccountContext = KeyContext & Pick<ApiContext, 'signIn'>

/** The owner of an account, by the session of the request. Throws `sign_in_required`, or `csrf_failed` for a request that another site made. */
async function authenticateOwner(context: AccountContext, count: CountRequest, request: FastifyRequest) {
  if (!hasSessionCookie(request)) throw new ServiceError('sign_in_required', ownerOnly)
  assertOwnOrigin(request, context.config)
  const { user, session } = await sessionOf(context.signIn, request)
  const accountId = await ensureOwnAccount(context, user.id)
  const credential: Credential = {
    ...{ accountId, keyId: null, userId: user.id, sessionId: session.id },
    ...{ scope: 'all', expiresAt: session.expiresAt },
  }
  return { credential, use: await count(accountSubject(accountId)) }
}

const ownerOnly = 'Only the owner of the account can do this. Sign in; a key cannot do it.'

/** Throws `connector_scope_denied` unless the scope is `all`: others give no access to the account itself (keys, limits, usage, notices). */
export function assertAccountScope({ scope }: Pick<Credential, 'scope'>): void {
  if (scope === 'all') return
  throw new ServiceError(
    'connector_scope_denied',
    'This credential does not give access to the account. Use one with the scope all.',
  )
}

/** Throws `connector_scope_denied` if the scope does not cover the endpoint. */
export function assertScope({ scope }: Credential, endpointId: string): void {
  if (coversEndpoint(scope, endpointId)) return
  throw new ServiceError(
    'connector_scope_denied',
    `This credential covers ${scope}, and not ${endpointId}. Use one with a wider scope, such as all.`,
  )
}

type Scopes = { readonly [S in Scope]: (app: App, context: ApiContext) => (request: object) => Caller<S> }

/**
 * Adds the hooks of a scope to an app that has only the routes of that scope. Returns a function that finds the caller of a
 * request that passed the hooks.
 */
export const scopes: Scopes = {
  unlimited: () => () => ({}),
  public: () => () => ({}),
  session: (app, context) => {
    app.addHook('onRequest', async (request) => assertOwnOrigin(request, context.config))
    return () => ({})
  },
  optionalKey: (app, context) => {
    const isNeeded = (request: FastifyRequest) =>
      request.headers.authorization !== undefined || hasSessionCookie(request)
    const credentialOf = keepCredentials(app, context, { isNeeded, takes: 'sessions' })
    return (request) => ({ credential: credentialOf(request) })
  },
  key: (app, context) => {
    const credentialOf = requireCredential(app, context)
    return (request) => ({ credential: credentialOf(request) })
  },
  account: (app, context) => {
    const credentialOf = requireCredential(app, context)
    app.addHook('onRequest', async (request) => assertAccountScope(credentialOf(request)))
    return (request) => ({ account: credentialOf(request) })
  },
  owner: (app, context) => {
    const credentialOf = requireCredential(app, context, 'only sessions')
    return (request) => ({ account: credentialOf(request) })
  },
}

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
