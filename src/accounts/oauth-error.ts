import { ServiceError } from '../core/errors.ts'

/** The error codes of RFC 6749 (4.1.2.1, 5.2), RFC 8707 and OpenID Connect that clients get. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'access_denied'
  | 'consent_required'
  | 'request_not_supported'
  | 'request_uri_not_supported'

/** A refusal that a client gets in OAuth's own form, and a person as `invalid_request`. */
export class OAuthError extends ServiceError {
  readonly oauthCode: OAuthErrorCode

  constructor(oauthCode: OAuthErrorCode, message: string) {
    super('invalid_request', message)
    this.oauthCode = oauthCode
  }
}
