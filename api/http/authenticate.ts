import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../src/config.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { type Authentication, type Credential, isKeyEnded, noteUse } from '../../src/store/credentials.ts'
import type { Database } from '../../src/store/database.ts'
import { parseToken } from '../../src/store/keys.ts'
import type { ApiContext, CredentialOf } from './context.ts'
import { assertFits, createBodyLimit } from './rate-limits.ts'
import { type CheckKey, createKeyCheck } from './request-counter.ts'
import { hasSessionCookie } from './session.ts'

/**
 * Requires a valid key for the routes of `app`, and limits the requests of each account over all its keys. Checks both before
 * bodies are read.
 */
export function requireKey(app: FastifyInstance, context: KeyContext): CredentialOf {
  const credentialOf = keepCredentials(app, context, { isNeeded: () => true })
  return (request) => {
    const credential = credentialOf(request)
    if (!credential) throw new Error('this route is not behind a key')
    return credential
  }
}

/** Accepts requests with and without a key for the routes of `app`, but refuses a wrong key. */
export function acceptKey(app: FastifyInstance, context: KeyContext): (request: object) => Credential | undefined {
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

export type KeyContext = Pick<ApiContext, 'config' | 'db' | 'logger' | 'background'>

/** A body that takes longer is slow. */
const slowBodyMilliseconds = 250

/** Checks keys and sessions again after slow bodies, because they may have ended meanwhile. Returns what keeps the check of a request. */
export function recheckAfterBody(app: FastifyInstance): (request: object, check: () => Promise<unknown>) => void {
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
export async function authenticationFor(
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
