import { describe, expect, it } from 'vitest'
import { type ErrorCode, errorCodes, errorTable, isErrorCode, ServiceError } from '../../src/core/errors.ts'

const byStatus = {
  400: ['invalid_request', 'unsupported_version'],
  401: ['missing_api_key', 'invalid_api_key', 'sign_in_required'],
  402: ['billing_required', 'spend_cap_reached', 'price_limit_reached'],
  403: ['connector_scope_denied', 'account_suspended', 'csrf_failed'],
  404: ['not_found'],
  405: ['method_not_allowed'],
  409: ['idempotency_conflict', 'conflict'],
  413: ['payload_too_large'],
  415: ['unsupported_file_type', 'unsupported_content_type'],
  416: ['range_not_satisfiable'],
  422: [
    'processing_failed',
    'media_unreachable',
    'media_blocked',
    'media_too_large',
    'no_audio_track',
    'no_video_track',
    'canceled',
    'timed_out',
  ],
  429: ['rate_limited'],
  500: ['server_error'],
  501: ['endpoint_unavailable'],
  503: ['service_unavailable'],
} satisfies Record<number, ErrorCode[]>

describe('the error table', () => {
  it('has exactly the published codes, with their status', () => {
    const published = Object.entries(byStatus).flatMap(([status, codes]) => codes.map((code) => [code, Number(status)]))
    const table = errorCodes.map((code) => [code, errorTable[code].httpStatus])
    expect(Object.fromEntries(table)).toEqual(Object.fromEntries(published))
  })

  it('marks only transient errors as retryable', () => {
    expect(errorCodes.filter((code) => errorTable[code].retryable)).toEqual([
      'rate_limited',
      'server_error',
      'service_unavailable',
    ])
  })

  it.each(errorCodes)('%s says what to do in whole sentences, without internals', (code) => {
    const { message } = errorTable[code]
    expect(message).toMatch(/^[A-Z].*\.$/)
    expect(message.length).toBeLessThanOrEqual(160)
    expect(message).not.toMatch(/ffmpeg|ffprobe|https?:\/\/|\/tmp|Error:|undefined/i)
  })

  it.each(['toString', '__proto__', 'constructor', ''])('does not take %j for a code', (text) => {
    expect(isErrorCode(text)).toBe(false)
  })
})

describe('ServiceError', () => {
  it('has the message of the table by default, and a separate cause', () => {
    const cause = new Error('connect ECONNREFUSED 10.0.0.1:5432')
    const error = new ServiceError('server_error', undefined, { cause })
    expect(error).toMatchObject({ code: 'server_error', httpStatus: 500, retryable: true, cause })
    expect(error.message).toBe(errorTable.server_error.message)
    expect(error).toBeInstanceOf(Error)
    expect(new ServiceError('not_found', 'No such job.', { jobId: 'job_1' })).toMatchObject({
      message: 'No such job.',
      jobId: 'job_1',
    })
  })

  it('can override whether its code is retryable', () => {
    expect(new ServiceError('media_unreachable').retryable).toBe(false)
    expect(new ServiceError('media_unreachable', undefined, { retryable: true }).retryable).toBe(true)
    expect(new ServiceError('server_error', undefined, { retryable: false }).retryable).toBe(false)
  })
})
