import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { commandClient, hasOAuthClients, type OAuthClient } from '../../src/accounts/oauth-clients.ts'
import {
  accessSeconds,
  exchangeRefreshToken,
  type IssuedTokens,
  OAuthError,
  redeemCode,
  revokeToken,
} from '../../src/accounts/oauth-tokens.ts'
import type { ServiceError } from '../../src/core/errors.ts'
import { failurePage } from '../account/sign-in/pages.ts'
import { assertOwnOrigin } from '../http/authenticate.ts'
import type { ApiContext, App } from '../http/context.ts'
import { errorHandler, isServerFault, toServiceError } from '../http/errors.ts'
import { anyErrors, errorEnvelope, publicRoute } from '../http/route.ts'
import { authorizationPages } from './authorize.ts'
import {
  approvedClient,
  assertConfigured,
  assertResource,
  clientDocumentReader,
  createClientLookup,
  formOf,
  type Parameters,
  readParameters,
  required,
} from './clients.ts'

const schema = { hide: true }

/** The authorization code flow: pages for the person, and endpoints for the client. */
export async function oauthRoutes(app: App, context: ApiContext): Promise<void> {
  const { config } = context
  // Before anything else, so that a service without clients answers in the envelope of all errors.
  app.addHook('onRequest', async () => assertConfigured(config))
  readParameters(app)
  const { readClientDocument = clientDocumentReader({ allowHosts: config.MEDIA_ALLOW_HOSTS }) } = context
  const areErrorsOAuth = hasOAuthClients(config)
  const findClient = createClientLookup(config, readClientDocument)
  await app.register(async (pages) => pageRoutes(pages, context, { folder: oauthFolder, findClient, areErrorsOAuth }))
  await app.register(async (endpoints) => clientRoutes(endpoints, context))
}

/** The same flow for the command `media-timeline`, on every service. It gives an API key. */
export async function commandLoginRoutes(app: App, context: ApiContext): Promise<void> {
  readParameters(app)
  const known = (id: string) => (id === commandClient.id ? commandClient : undefined)
  const findClient = async (id: string) => {
    const client = known(id)
    if (!client) throw new OAuthError('invalid_client', 'Only the command media-timeline signs in here.')
    return client
  }
  await app.register(async (pages) =>
    pageRoutes(pages, context, { folder: commandFolder, findClient, areErrorsOAuth: true }),
  )
  await app.register(async (endpoints) => {
    endpoints.setErrorHandler(answerTokenError)
    endpoints.post(`${commandFolder}/token`, { schema }, async (request, reply) => {
      reply.header('pragma', 'no-cache')
      return answerTokenRequest(context, known, request)
    })
  })
}

const oauthFolder = '/api/auth/oauth'
const commandFolder = '/api/auth/command'

interface Pages {
  readonly folder: string
  readonly findClient: (id: string) => Promise<OAuthClient>
  readonly areErrorsOAuth: boolean
}

function pageRoutes(app: App, context: ApiContext, { folder, findClient, areErrorsOAuth }: Pages): void {
  const { config } = context
  const { open, signIn, decide } = authorizationPages(context, folder, findClient)
  if (areErrorsOAuth) app.setErrorHandler(errorHandler(config, { pageFor: failurePage }))
  app.addHook('onRequest', async (request) => assertOwnOrigin(request, config))
  app.get(`${folder}/authorize`, { schema }, open)
  app.post(`${folder}/authorize`, { schema }, decide)
  app.post(`${folder}/sign-in`, { schema }, signIn)
}

/** Called by programs, also by pages of other sites: they read no cookie. */
function clientRoutes(app: App, context: ApiContext): void {
  if (hasOAuthClients(context.config)) app.setErrorHandler(answerTokenError)
  const known = (id: string) => approvedClient(context.config, id)
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'access-control-allow-origin': '*', 'access-control-expose-headers': 'x-request-id, retry-after' })
  })
  app.post('/api/auth/oauth/token', { schema }, async (request, reply) => {
    reply.header('pragma', 'no-cache')
    return answerTokenRequest(context, known, request)
  })
  app.post('/api/auth/oauth/revoke', { schema }, async (request, reply) => {
    await endConnection(context, known, request)
    return reply.code(200).send()
  })
  for (const path of ['token', 'revoke']) {
    app.options(`/api/auth/oauth/${path}`, { schema }, async (_request, reply) => {
      const allowed = {
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'content-type, mcp-protocol-version',
      }
      return reply
        .headers({ ...allowed, 'access-control-max-age': '600' })
        .code(204)
        .send()
    })
  }
}

/** `GET /api/auth/oauth/clients` */
export const oauthClientsRoute = publicRoute({
  method: 'GET',
  url: '/api/auth/oauth/clients',
  schema: {
    operationId: 'listOAuthClients',
    tags: ['connectors'],
    summary: 'List the OAuth clients that the operator approved',
    description: 'If the operator approved no client, the response is 404 not_found.',
    response: {
      ...anyErrors,
      404: errorEnvelope,
      200: z.object({
        request_id: z.string(),
        clients: z.array(
          z.object({ client_id: z.string(), client_name: z.string(), redirect_uris: z.array(z.string()) }),
        ),
      }),
    },
  },
  handler: async (request, { context: { config } }) => {
    assertConfigured(config)
    const clients = config.OAUTH_CLIENTS.map(({ id, name, redirectUris }) => ({
      ...{ client_id: id, client_name: name, redirect_uris: [...redirectUris] },
    }))
    return { request_id: request.id, clients }
  },
})

/** Finds the client of an id; undefined for one that is not approved here. */
type KnownClient = (id: string) => OAuthClient | undefined

/** The client of a request to the token or revocation endpoint. Clients are public: they name themselves, and prove the code by PKCE. */
function clientOf(known: KnownClient, { headers }: FastifyRequest, parameters: Parameters): OAuthClient {
  if (headers.authorization !== undefined || parameters.has('client_secret') || parameters.has('client_assertion')) {
    throw new OAuthError('invalid_client', 'Clients of this service have no secret. Send client_id in the form alone.')
  }
  const client = known(required(parameters, 'client_id'))
  if (!client) throw new OAuthError('invalid_client', 'This client is not approved on this service.')
  return client
}

/** `POST /api/auth/oauth/token`: RFC 6749, 4.1.3 and 6; RFC 7636, 4.5; RFC 8707, 2.2. */
async function answerTokenRequest(
  { config, db }: ApiContext,
  known: KnownClient,
  request: FastifyRequest,
): Promise<object> {
  const parameters = formOf(request.body)
  const { id: clientId } = clientOf(known, request, parameters)
  const grantType = required(parameters, 'grant_type')
  assertResource(config, parameters.get('resource'))
  if (grantType === 'authorization_code') {
    const code = required(parameters, 'code')
    const redirectUri = required(parameters, 'redirect_uri')
    const verifier = required(parameters, 'code_verifier')
    return present(await redeemCode(db, { clientId, code, redirectUri, verifier }))
  }
  if (grantType === 'refresh_token') {
    const refreshToken = required(parameters, 'refresh_token')
    return present(await exchangeRefreshToken(db, { clientId, refreshToken, scope: parameters.get('scope') }))
  }
  throw new OAuthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token.')
}

function present({ accessToken, refreshToken, scope }: IssuedTokens) {
  const renewal = refreshToken === undefined ? {} : { expires_in: accessSeconds, refresh_token: refreshToken }
  return { access_token: accessToken, token_type: 'Bearer', ...renewal, scope }
}

/** `POST /api/auth/oauth/revoke`: RFC 7009. Either token ends the connection; an unknown one is no error. */
async function endConnection({ db }: ApiContext, known: KnownClient, request: FastifyRequest): Promise<void> {
  const parameters = formOf(request.body)
  const { id: clientId } = clientOf(known, request, parameters)
  await revokeToken(db, clientId, required(parameters, 'token'))
}

/** Answers errors in OAuth's form (RFC 6749, 5.2), which clients parse. */
function answerTokenError(thrown: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const error = toServiceError(thrown)
  const name = oauthNameOf(error)
  if (isServerFault(error.code)) request.log.error({ code: error.code, err: error.cause ?? error }, 'request failed')
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', error.retryAfterSeconds)
  const usedHeader = name === 'invalid_client' && request.headers.authorization !== undefined
  if (usedHeader) reply.header('www-authenticate', 'Basic realm="oauth"')
  void reply
    .code(statusOf(name, error))
    .header('pragma', 'no-cache')
    .send({ error: name, error_description: error.message, request_id: request.id })
}

function oauthNameOf(error: ServiceError): string {
  if (error instanceof OAuthError) return error.oauthCode
  if (error.code === 'server_error') return 'server_error'
  if (error.code === 'service_unavailable' || error.code === 'rate_limited') return 'temporarily_unavailable'
  // The account was suspended or deleted since the approval, or has too many connectors.
  if (['account_suspended', 'invalid_api_key', 'conflict'].includes(error.code)) return 'invalid_grant'
  return 'invalid_request'
}

function statusOf(name: string, { httpStatus }: ServiceError): number {
  if (name === 'invalid_client') return 401
  return httpStatus === 429 || httpStatus >= 500 ? httpStatus : 400
}
