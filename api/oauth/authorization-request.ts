import { OAuthError } from '../../src/accounts/oauth-error.ts'
import type { Config } from '../../src/config.ts'
import type { OAuthClient } from '../../src/core/oauth-clients.ts'
import { type KeyScope, keyScopes } from '../../src/core/scopes.ts'
import type { BaseAddresses } from '../../src/core/urls.ts'
import { assertResource, type Parameters, required } from './parameters.ts'

/** An authorization request whose client and redirect address are proven: from here on, the client gets the errors. */
export interface Destination {
  readonly client: OAuthClient
  readonly redirectUri: string
  readonly state: string | undefined
}

/** What a client asks for. */
export interface Requested {
  /** Those that a person can choose one of. */
  readonly scopes: readonly [KeyScope, ...KeyScope[]]
  /** The one that the page proposes. Undefined if the request names none: a misspelt parameter must not propose everything. */
  readonly proposedScope: KeyScope | undefined
  readonly challenge: string
}

/** Throws for an unknown client or redirect address: nobody may be redirected there. */
export async function destinationOf(
  parameters: Parameters,
  findClient: (id: string) => Promise<OAuthClient>,
): Promise<Destination> {
  const client = await findClient(required(parameters, 'client_id'))
  const redirectUri = required(parameters, 'redirect_uri')
  if (!client.redirectUris.includes(redirectUri)) {
    throw new OAuthError(
      'invalid_request',
      'This redirect_uri is not registered for the client. Send exactly one of its addresses, with port, path and query.',
    )
  }
  return { client, redirectUri, state: parameters.get('state') }
}

/** Throws an `OAuthError` for the client. */
export function requestedOf(config: BaseAddresses, parameters: Parameters): Requested {
  if (parameters.has('request')) throw new OAuthError('request_not_supported', 'Send plain parameters.')
  if (parameters.has('request_uri')) throw new OAuthError('request_uri_not_supported', 'Send plain parameters.')
  if (required(parameters, 'response_type') !== 'code') {
    throw new OAuthError('unsupported_response_type', 'response_type must be code.')
  }
  if ((parameters.get('response_mode') ?? 'query') !== 'query') {
    throw new OAuthError('invalid_request', 'response_mode must be query.')
  }
  const challenge = parameters.get('code_challenge') ?? ''
  // A method that is left out means plain (RFC 7636, 4.3).
  if (parameters.get('code_challenge_method') !== 'S256' || !/^[A-Za-z0-9_-]{43}$/.test(challenge)) {
    throw new OAuthError('invalid_request', 'PKCE is required, with code_challenge_method S256.')
  }
  assertResource(config, parameters.get('resource'))
  const named = parameters.get('scope')
  const scopes = scopesOffered(named)
  if (parameters.get('prompt') === 'none') {
    throw new OAuthError('consent_required', 'A person approves each connection.')
  }
  return { scopes, proposedScope: named === undefined ? undefined : scopes[0], challenge }
}

/** A connector has one scope. Offers the requested ones in the order of `keyScopes`; `all` offers every scope. */
function scopesOffered(scope = 'all'): Requested['scopes'] {
  const names = scope.split(' ').filter(Boolean)
  const requested = keyScopes.filter((each) => names.includes(each))
  const [first, ...others] = requested.includes('all') ? keyScopes : requested
  if (!first || names.some((name) => !keyScopes.some((each) => each === name))) {
    throw new OAuthError('invalid_scope', `The scopes are ${keyScopes.join(', ')}.`)
  }
  return [first, ...others]
}

/** The redirect address with the answer, its state and the issuer (RFC 9207). */
export function answerUrl(
  { BASE_URL }: Pick<Config, 'BASE_URL'>,
  { redirectUri, state }: Destination,
  answer: Readonly<Record<string, string>>,
): string {
  const url = new URL(redirectUri)
  const fields = { ...answer, ...(state === undefined ? {} : { state }), iss: BASE_URL }
  for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value)
  return url.href
}
