import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { OAuthClient } from '../../src/accounts/oauth-clients.ts'
import {
  accessSeconds,
  exchangeRefreshToken,
  type IssuedTokens,
  OAuthError,
  redeemCode,
  revokeToken,
} from '../../src/accounts/oauth-tokens.ts'
import type { ServiceError } from '../../src/core/errors.ts'
import type { ApiContext } from '../http/context.ts'
import { isServerFault, toServiceError } from '../http/errors.ts'
import { assertResource, formOf, type Parameters, required } from './clients.ts'

/** Finds the client of an id; undefined for one that is not approved here. */
export type KnownClient = (id: string) => OAuthClient | undefined

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
export async function answerTokenRequest(
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
export async function endConnection({ db }: ApiContext, known: KnownClient, request: FastifyRequest): Promise<void> {
  const parameters = formOf(request.body)
  const { id: clientId } = clientOf(known, request, parameters)
  await revokeToken(db, clientId, required(parameters, 'token'))
}

/** Answers errors in OAuth's form (RFC 6749, 5.2), which clients parse. */
export function answerTokenError(thrown: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
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
