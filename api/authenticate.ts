import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../src/core/errors.ts'
import type { Database } from '../src/store/database.ts'
import { authenticate, type Credential } from '../src/store/keys.ts'
import type { CredentialOf } from './context.ts'

/** Lets only requests with a valid key into the routes of `app`, before their bodies are read. */
export function requireKey(app: FastifyInstance, db: Database): CredentialOf {
  const credentials = new WeakMap<object, Credential>()
  app.addHook('onRequest', async (request) => {
    const credential = await credentialFor(db, request.headers.authorization)
    credentials.set(request, credential)
    request.log = request.log.child({ accountId: credential.accountId, keyId: credential.keyId })
  })
  return (request) => {
    const credential = credentials.get(request)
    if (!credential) throw new Error('this route is not behind a key')
    return credential
  }
}

async function credentialFor(db: Database, authorization: string | undefined): Promise<Credential> {
  const [scheme, token, ...more] = authorization?.trim().split(/ +/) ?? []
  if (!scheme || (isBearer(scheme) && !token)) throw new ServiceError('missing_api_key')
  const credential = isBearer(scheme) && token && more.length === 0 ? await authenticate(db, token) : undefined
  if (!credential) throw new ServiceError('invalid_api_key')
  return credential
}

function isBearer(scheme: string): boolean {
  return scheme.toLowerCase() === 'bearer'
}

/** Lets only requests that cover the whole account into the routes of `app`. */
export function requireAccount(app: FastifyInstance, db: Database): CredentialOf {
  const credentialOf = requireKey(app, db)
  app.addHook('onRequest', async (request) => requireAccountScope(credentialOf(request)))
  return credentialOf
}

/** The account itself (keys, limits, usage, notices) is open to the scope `all` only. */
function requireAccountScope({ scope }: Pick<Credential, 'scope'>): void {
  if (scope === 'all') return
  throw new ServiceError(
    'connector_scope_denied',
    'This credential does not cover the account. Use one with the scope all.',
  )
}

/** A key works on every endpoint, or on one group's. */
export function assertScope({ scope }: Credential, endpointId: string): void {
  if (scope === 'all' || (scope.endsWith('/*') && endpointId.startsWith(scope.slice(0, -1)))) return
  throw new ServiceError('connector_scope_denied')
}
