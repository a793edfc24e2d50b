import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Config } from '../../src/config.ts'
import { type ErrorCode, ServiceError } from '../../src/core/errors.ts'
import { describeBytes } from '../../src/core/text.ts'
import { isUnreachable } from '../../src/store/database.ts'
import { sendPage, wantsPage } from './html.ts'
import { jsonBodyLimit } from './json-body.ts'
import type { errorBody } from './schemas.ts'

type BaseUrl = Pick<Config, 'BASE_URL'>
export type ErrorBody = z.output<typeof errorBody>

/** When to try again if nothing says how long an outage lasts. */
export const outageSeconds = 10

export function errorBodyOf(
  { BASE_URL }: BaseUrl,
  { code, message, jobId }: Pick<ServiceError, 'code' | 'message'> & { readonly jobId?: string | undefined },
  requestId: string,
): ErrorBody {
  return {
    code,
    message,
    request_id: requestId,
    docs_url: `${BASE_URL}/docs/errors#${code}`,
    ...(jobId ? { job_id: jobId } : {}),
  }
}

interface ErrorForms {
  /** The page for a browser. */
  readonly pageFor?: ((error: ErrorBody) => string) | undefined
  /** In place of the error envelope; undefined for errors that have the envelope. */
  readonly documentFor?: (error: ErrorBody, request: FastifyRequest) => object | undefined
}

/**
 * Answers every error with the error envelope, or with a page if a browser asks and there is one. The original error goes
 * only to the log.
 */
export function errorHandler(config: BaseUrl, { pageFor, documentFor }: ErrorForms = {}) {
  return (thrown: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    const error = toServiceError(thrown)
    if (isServerFault(error.code)) request.log.error({ code: error.code, err: error.cause ?? error }, 'request failed')
    if (error.httpStatus === 401) reply.header('www-authenticate', challengeOf(error.code))
    const { retryAfterSeconds = error.code === 'service_unavailable' ? outageSeconds : undefined } = error
    if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
    reply.code(error.httpStatus)
    const body = errorBodyOf(config, error, request.id)
    if (pageFor && wantsPage(request)) void sendPage(reply, pageFor(body))
    else void reply.type('application/json; charset=utf-8').send(documentFor?.(body, request) ?? { error: body })
  }
}

/** Whether the error is our fault. `endpoint_unavailable`, the error of previews, is not, although its status is 501. */
export function isServerFault(code: ErrorCode): boolean {
  return code === 'server_error' || code === 'service_unavailable'
}

/** RFC 6750, 3.1: a request without credentials gets no error code in its challenge. */
function challengeOf(code: ErrorCode): string {
  return code === 'missing_api_key' ? 'Bearer' : 'Bearer error="invalid_token"'
}

const codesOfFastify: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_content_type',
  FST_ERR_BAD_URL: 'invalid_request',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
}

/** The public error for any thrown error. */
export function toServiceError(error: Thrown): ServiceError {
  if (error instanceof ServiceError) return error
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return bodyTooLarge(error)
  const code = codesOfFastify[error.code ?? '']
  if (code) return new ServiceError(code, undefined, { cause: error })
  if (error.statusCode === 400) return new ServiceError('invalid_request', undefined, { cause: error })
  return new ServiceError(isUnreachable(error) ? 'service_unavailable' : 'server_error', undefined, { cause: error })
}

function bodyTooLarge(cause: Thrown): ServiceError {
  const message = `The body is larger than this path accepts. Send a smaller one: JSON has at most ${describeBytes(jsonBodyLimit)}.`
  return new ServiceError('payload_too_large', message, { cause })
}

type Thrown = Error & Partial<Pick<FastifyError, 'code' | 'statusCode'>>
