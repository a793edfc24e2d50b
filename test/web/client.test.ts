import { expect, it } from 'vitest'
import { isSignedOut, resultOf } from '../../web/src/api/client.ts'

const refused = (code: string, message: string) => {
  const error = { error: { code, message, request_id: 'req_1' } }
  return resultOf(Promise.resolve({ error, response: new Response(null, { status: 401 }) })).catch(
    (reason: unknown) => reason,
  )
}

it('a session that has ended is told apart from other refusals, which have the message of the service', async () => {
  const ended = await refused('sign_in_required', 'Sign in first.')
  expect(ended).toMatchObject({ message: 'You are signed out. Sign in again.', status: 401 })
  expect(isSignedOut(ended)).toBe(true)
  // Without the cookie.
  expect(isSignedOut(await refused('missing_api_key', 'Send your API key.'))).toBe(true)
  const wrong = await refused('wrong_email_or_password', 'They do not fit.')
  expect(wrong).toMatchObject({ message: 'They do not fit.', status: 401, requestId: 'req_1' })
  expect(isSignedOut(wrong)).toBe(false)
  expect(isSignedOut(new Error('sign_in_required'))).toBe(false)
})
