import { expect, it } from 'vitest'
import { ServiceError } from '../../src/core/errors.ts'
import { onGcs } from '../../src/storage/gcs/open-bucket.ts'
import { ObjectNotFoundError } from '../../src/storage/storage.ts'

const failing = (error: Error, signal?: AbortSignal) =>
  onGcs(() => Promise.reject(error), signal).catch((failure: unknown) => failure)

it('an error of the client library keeps its status and message, and nothing of its request', async () => {
  const library = Object.assign(new Error('Forbidden'), {
    code: 403,
    response: { request: { headers: { authorization: 'Bearer secret-token' } } },
  })
  const error = await failing(library)
  expect(error).toMatchObject({ code: 'server_error', retryable: true, cause: { message: 'Forbidden', status: 403 } })
  const cause = error instanceof Error ? error.cause : undefined
  expect(JSON.stringify(cause, Object.getOwnPropertyNames(cause))).not.toContain('secret')
  expect(Object.keys(cause ?? {})).not.toContain('response')
})

it.each([new ObjectNotFoundError('none'), new ServiceError('unsupported_file_type')])('%s passes', async (error) => {
  expect(await failing(error)).toBe(error)
})

it('an abort is rethrown as its reason, whatever failed because of it', async () => {
  const reason = new Error('stopped')
  expect(await failing(new TypeError('fetch failed'), AbortSignal.abort(reason))).toBe(reason)
})
