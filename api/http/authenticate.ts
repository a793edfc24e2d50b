import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ensureOwnAccount } from '../../src/accounts/own-account.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { coversEndpoint } from '../../src/core/scopes.ts'
import { authenticate, type Credential, isToken, noteUse } from '../../src/store/keys.ts'
import type { AccountCredential, AccountOf, ApiContext, CredentialOf } from './context.ts'
import { assertOwnOrigin, hasSessionCookie, sessionOf } from './session.ts'

/** Requires a valid key for the routes of `app`. Checks it before bodies are read. */
export function requireKey(app: FastifyInstance, context: KeyContext): CredentialOf {
  const credentialOf = keepCredentials(app, context, () => true)
  return (request) => {
    const credential = credentialOf(request)
    if (!credential) throw new Error('this route is not behind a key')
    return credential
  }
}

/** Accepts requests with and without a key for the routes of `app`, but refuses a wrong key. */
export function acceptKey(app: FastifyInstance, context: KeyContext): (request: object) => Credential | undefined {
  return keepCredentials(app, context, ({ headers }) => headers.authorization !== undefined)
}

function keepCredentials(
  app: FastifyInstance,
  context: KeyContext,
  needsKey: (request: FastifyRequest) => boolean,
): (request: object) => Credential | undefined {
  const credentials = new WeakMap<object, Credential>()
  app.addHook('onRequest', async (request) => {
    if (!needsKey(request)) return
    const credential = await credentialFor(context, request.headers.authorization)
    credentials.set(request, credential)
    request.log = request.log.child({ accountId: credential.accountId, keyId: credential.keyId })
  })
  return (request: object) => credentials.get(request)
}

type KeyContext = Pick<ApiContext, 'db' | 'logger' | 'background'>

async function credentialFor(context: KeyContext, authorization: string | undefined): Promise<Credential> {
  const [scheme, token, ...more] = authorization?.trim().split(/ +/) ?? []
  if (!scheme || (isBearer(scheme) && !token)) throw new ServiceError('missing_api_key')
  if (isToken(scheme)) throw new ServiceError('invalid_api_key', withoutBearer)
  const credential = isBearer(scheme) && token && more.length === 0 ? await authenticate(context.db, token) : undefined
  if (!credential) throw new ServiceError('invalid_api_key')
  context.background.run(
    noteUse(context.db, credential, new Date()).catch((error: unknown) =>
      context.logger.debug({ err: error }, 'use of a key not noted'),
    ),
  )
  return credential
}

const withoutBearer =
  'The Authorization header has the API key without "Bearer " before it. Send "Authorization: Bearer <API_KEY>".'

function isBearer(scheme: string): boolean {
  return scheme.toLowerCase() === 'bearer'
}

/** Requires a key with the scope `all`, or the session of the account's owner, for the routes of `app`. */
export function requireAccount(app: FastifyInstance, context: AccountContext): AccountOf {
  const credentials = new WeakMap<object, AccountCredential>()
  app.addHook('onRequest', async (request) => {
    const credential = await accountFor(context, request)
    credentials.set(request, credential)
    request.log = request.log.child({ ...credential })
  })
  return (request) => {
    const credential = credentials.get(request)
    if (!credential) throw new Error('this route is not behind an account')
    return credential
  }
}

type AccountContext = KeyContext & Pick<ApiContext, 'config' | 'signIn'>

async function accountFor(context: AccountContext, request: FastifyRequest): Promise<AccountCredential> {
  const { authorization } = request.headers
  if (authorization === undefined && hasSessionCookie(request)) {
    assertOwnOrigin(request, context.config)
    const { user } = await sessionOf(context.signIn, request)
    return { accountId: await ensureOwnAccount(context, user.id), userId: user.id }
  }
  const credential = await credentialFor(context, authorization)
  requireAccountScope(credential)
  return { accountId: credential.accountId, keyId: credential.keyId }
}

/** Only the scope `all` gives access to the account itself (keys, limits, usage, notices). */
export function requireAccountScope({ scope }: Pick<Credential, 'scope'>): void {
  if (scope === 'all') return
  throw new ServiceError(
    'connector_scope_denied',
    'This credential does not give access to the account. Use one with the scope all.',
  )
}

/** Throws `connector_scope_denied` if the scope does not cover the endpoint. */
export function assertScope({ scope }: Credential, endpointId: string): void {
  if (coversEndpoint(scope, endpointId)) return
  throw new ServiceError('connector_scope_denied')
}
