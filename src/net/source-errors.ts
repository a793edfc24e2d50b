import { ServiceError } from '../core/errors.ts'

/** Failures that a retry cannot fix: no valid certificate, no HTTP. */
const lastingCode = /^(?:HPE_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_|ERR_SSL_|EPROTO$)/

/** The name of a host has no address. */
const noAddressCodes: readonly string[] = ['ENOTFOUND', 'ENODATA', 'EBADNAME']

/** The error for a source that cannot be read. Appends ", or upload the file." to the advice. */
export function unreachable(advice: string, retryable: boolean, cause?: unknown): ServiceError {
  return new ServiceError('media_unreachable', `${advice}, or upload the file.`, { retryable, cause })
}

/** The source is slower than the minimum rate. The job fails, unless the bytes that arrived are stored for a later turn. */
export class SlowSourceError extends ServiceError {
  constructor() {
    super('media_unreachable', 'The media downloads too slowly. Use a faster server, or upload the file.', {
      retryable: false,
    })
  }
}

/** Why a request got no answer. */
export type ConnectionFailure = 'blocked' | 'unknown_host' | 'tls' | 'unreachable'

/** Of an error of `sendRequest`, or of one that it received. */
export function connectionFailure(error: unknown): ConnectionFailure {
  if (error instanceof ServiceError) return error.code === 'media_blocked' ? 'blocked' : connectionFailure(error.cause)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (noAddressCodes.includes(code)) return 'unknown_host'
  return lastingCode.test(code) ? 'tls' : 'unreachable'
}

/** The error that the caller gets for a failed connection or a broken body. Errors of the table pass unchanged. */
export function connectionError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  const failure = connectionFailure(error)
  if (failure === 'unknown_host') {
    return unreachable('The host of the media URL does not exist. Check the URL', false, error)
  }
  if (failure === 'tls') {
    return unreachable(
      'The host of the media URL has no valid certificate or does not speak HTTP. Use another URL',
      false,
      error,
    )
  }
  return unreachable('The connection to the media URL failed. Try again', true, error)
}

/** The error that the caller gets for an HTTP status without media. */
export function statusError(status: number): ServiceError {
  const answered = `The media URL answered ${status}.`
  if (status >= 500 || [408, 425, 429].includes(status)) return unreachable(`${answered} Try again later`, true)
  if (status === 401 || status === 403) {
    return unreachable(
      `${answered} Use a URL that opens without sign-in, such as a signed URL that has not expired`,
      false,
    )
  }
  return unreachable(`${answered} Use a URL that leads directly to the file`, false)
}
