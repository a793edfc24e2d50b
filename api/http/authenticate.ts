import { parseCookies, setRequestCookie } from 'better-auth/cookies'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  type Authentication,
  accountSubject,
  type Credential,
  isKeyEnded,
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
import type { AccountCredential, AccountOf, ApiContext, App, CredentialOf } from './context.ts'
import { assertFits, type CheckKey, createBodyLimit, createKeyCheck, createSharedCounter } from './rate-limits.ts'
import type { Caller, Scope } from './route.ts'

/**
 * Requires a valid key for the routes of `app`, and limits the requests of each account over all its keys. Checks both before
 * bodies are read.
 */
function requireKey(app: FastifyInstance, context: KeyContext): CredentialOf {
  const credentialOf = keepCredentials(app, context, { isNeeded: () => true })
  return (request) => {
    const credential = credentialOf(request)
    if (!credential) throw new Error('this route is not behind a key')
    return credential
  }
}

/** Accepts requests with and without a key for the routes of `app`, but refuses a wrong key. */
function acceptKey(app: FastifyInstance, context: KeyContext): (request: object) => Credential | undefined {
  return keepCredentials(app, context, { isNeeded: hasAuthorization })
}

/** The same for the routes of agents, which also take the tokens of connectors. */
export function acceptConnector(
  app: FastifyInstance,
  context: KeyContext,
): (request: object) => Credential | undefined {
  return keepCredentials(app, context, { isNeeded: hasAuthorization, takesConnectors: true })
}

const hasAuthorization = ({ headers }: FastifyRequest) => headers.authorization !== undefined

interface KeyRules {
  readonly isNeeded: (request: FastifyRequest) => boolean
  readonly takesConnectors?: boolean
}

function keepCredentials(
  app: FastifyInstance,
  context: KeyContext,
  { isNeeded, takesConnectors = false }: KeyRules,
): (request: object) => Credential | undefined {
  const credentials = new WeakMap<object, Credential>()
  const checkKey = createKeyCheck(context.db, context.config)
  const countBody = createBodyLimit(context)
  const recheck = recheckAfterBody(app)
  app.addHook('onRequest', async (request, reply) => {
    if (!isNeeded(request)) return
    const { credential, use } = await authenticationFor(context, checkKey, request, takesConnectors)
    credentials.set(request, credential)
    recheck(request, () => assertKeyValid(context.db, credential))
    request.log = request.log.child({ accountId: credential.accountId, keyId: credential.keyId })
    assertFits(reply, context.config.RATE_LIMIT_PER_ACCOUNT, use)
    await countBody(request, reply, credential.accountId)
  })
  return (request: object) => credentials.get(request)
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

/** Throws `invalid_api_key` if the key was revoked or has expired. */
export async function assertKeyValid(db: Database, key: Parameters<typeof isKeyEnded>[1]): Promise<void> {
  if (await isKeyEnded(db, key)) throw new ServiceError('invalid_api_key')
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
    throw new ServiceError('missing_api_key', hasSessionCookie(request) ? sessionInsteadOf(context.config) : undefined)
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

function sessionInsteadOf({ BASE_URL }: Pick<Config, 'BASE_URL'>): string {
  return `This path takes an API key, not a session. Create a key at ${BASE_URL}/dashboard/keys, and send it as "Authorization: Bearer <API_KEY>".`
}

const withoutBearer =
  'The Authorization header has the API key without "Bearer " before it. Send "Authorization: Bearer <API_KEY>".'

const connectorElsewhere = 'The token of a connector works on /mcp only. Send an API key here.'

function isBearer(scheme: string): boolean {
  return scheme.toLowerCase() === 'bearer'
}

type AccountContext = KeyContext & Pick<ApiContext, 'signIn'>

/** Requires a key with the scope `all`, or the session of the account's owner, for the routes of `app`, and limits like `requireKey`. */
function requireAccount(app: FastifyInstance, context: AccountContext): AccountOf {
  const { keep, accountOf } = createAccountKeeper()
  const recheck = recheckAfterBody(app)
  const admitOwner = sessionCaller(context, keep, recheck)
  const checkKey = createKeyCheck(context.db, context.config)
  app.addHook('onRequest', async (request, reply) => {
    const isSession = request.headers.authorization === undefined && hasSessionCookie(request)
    if (isSession) return admitOwner(request, reply)
    const { credential, use } = await authenticationFor(context, checkKey, request)
    assertAccountScope(credential)
    recheck(request, () => assertKeyValid(context.db, credential))
    keep(request, { accountId: credential.accountId, keyId: credential.keyId })
    assertFits(reply, context.config.RATE_LIMIT_PER_ACCOUNT, use)
  })
  return accountOf
}

/** Requires the session of the account's owner for the routes of `app`, and limits like `requireKey`. */
function requireOwner(app: FastifyInstance, context: AccountContext): AccountOf {
  const { keep, accountOf } = createAccountKeeper()
  const admitOwner = sessionCaller(context, keep, recheckAfterBody(app))
  app.addHook('onRequest', async (request, reply) => {
    if (!hasSessionCookie(request)) throw new ServiceError('sign_in_required', ownerOnly)
    return admitOwner(request, reply)
  })
  return accountOf
}

const ownerOnly = 'Only the owner of the account can do this. Sign in; a key cannot do it.'

type KeepAccount = (request: FastifyRequest, credential: AccountCredential) => void

/** Keeps the account of each request for its handler, and adds it to the request's log. */
function createAccountKeeper(): { readonly keep: KeepAccount; readonly accountOf: AccountOf } {
  const credentials = new WeakMap<object, AccountCredential>()
  return {
    keep: (request, credential) => {
      credentials.set(request, credential)
      const { sessionId: _, ...logged } = credential
      request.log = request.log.child(logged)
    },
    accountOf: (request) => {
      const credential = credentials.get(request)
      if (!credential) throw new Error('this route is not behind an account')
      return credential
    },
  }
}

/** Admits a request by its session: keeps the account of its owner, and counts the request for the account's limit. */
function sessionCaller(context: AccountContext, keep: KeepAccount, recheck: ReturnType<typeof recheckAfterBody>) {
  const { config, db, signIn } = context
  const limit = config.RATE_LIMIT_PER_ACCOUNT
  const count = createSharedCounter(db, limit)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    assertOwnOrigin(request, config)
    const { user, session } = await sessionOf(signIn, request)
    const accountId = await ensureOwnAccount(context, user.id)
    keep(request, { accountId, userId: user.id, sessionId: session.id })
    recheck(request, () => sessionOf(signIn, request))
    assertFits(reply, limit, await count(accountSubject(accountId)))
  }
}

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
    const credentialOf = acceptKey(app, context)
    return (request) => ({ credential: credentialOf(request) })
  },
  key: (app, context) => {
    const credentialOf = requireKey(app, context)
    return (request) => ({ credential: credentialOf(request) })
  },
  account: (app, context) => {
    const accountOf = requireAccount(app, context)
    return (request) => ({ account: accountOf(request) })
  },
  owner: (app, context) => {
    const accountOf = requireOwner(app, context)
    return (request) => ({ account: accountOf(request) })
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
