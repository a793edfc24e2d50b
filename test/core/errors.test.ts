import { STATUS_CODES } from 'node:http'
import { describe, expect, it } from 'vitest'
import { errorCodes, errorTable, isErrorCode, ServiceError } from '../../src/core/errors.ts'

describe('the error table', () => {
  // docs/openapi.json, which is tested, publishes the status of each code.
  it.each(errorCodes)('%s has the status of an error', (code) => {
    expect(STATUS_CODES[errorTable[code].httpStatus]).toBeDefined()
    expect(errorTable[code].httpStatus).toBeGreaterThanOrEqual(400)
  })

  // A client retries by the status alone: slow and too many requests, and failures on our side.
  it.each(errorCodes)('%s is retryable exactly if its status says so', (code) => {
    const { httpStatus, retryable } = errorTable[code]
    expect(retryable).toBe([408, 429, 500, 502, 503, 504].includes(httpStatus))
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
