import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ServiceError } from '../src/core/errors.ts'
import type { Database } from '../src/store/database.ts'
import { authenticate, type Credential } from '../src/store/keys.ts'
import type { CredentialOf } from './context.ts'

/** Lets only requests with a valid key into the routes of `app`, before their bodies are read. */
export function requireKey(app: FastifyInstance, db: Database): CredentialOf {
  const credentialOf = keepCredentials(app, db, () => true)
  return (request) => {
    const credential = credentialOf(request)
    if (!credential) throw new Error('this route is not behind a key')
    return credential
  }
}

/** Lets requests without a key into the routes of `app` too, but none with a wrong one. */
export function acceptKey(app: FastifyInstance, db: Database): (request: object) => Credential | undefined {
  return keepCredentials(app, db, ({ headers }) => headers.authorization !== undefined)
}

function keepCredentials(app: FastifyInstance, db: Database, needsKey: (request: FastifyRequest) => boolean) {
  const credentials = new WeakMap<object, Credential>()
  app.addHook('onRequest', async (request) => {
    if (!needsKey(request)) return
    const credential = await credentialFor(db, request.headers.authorization)
    credentials.set(request, credential)
    request.log = request.log.child({ accountId: credential.accountId, keyId: credential.keyId })
  })
  return (request: object) => credentials.get(request)
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

/** A key works on every endpoint, or on one group's. */
export function assertScope({ scope }: Credential, endpointId: string): void {
  if (scope === 'all' || (scope.endsWith('/*') && endpointId.startsWith(scope.slice(0, -1)))) return
  throw new ServiceError('connector_scope_denied')
}
