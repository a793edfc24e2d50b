import createClient from 'openapi-fetch'
import type { paths } from './generated/schema.d.ts'
import { sendOnce } from './send-once.ts'

let asking = new AbortController()

/** The service that served the page, with the cookie of its session. */
export const api = createClient<paths>({
  fetch: sendOnce((request) => fetch(request, { signal: AbortSignal.any([request.signal, asking.signal]) })),
})

/** Signs out, then leaves the pages. Meanwhile they ask for nothing: the service would refuse it. */
export async function signOut(leave: () => Promise<void>): Promise<void> {
  asking.abort()
  try {
    await resultOf(createClient<paths>().POST('/api/auth/sign-out'))
    await leave()
  } finally {
    asking = new AbortController()
  }
}

/** What the service answered instead of a result. Its message says what to do next. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: string
  readonly status: number
  readonly requestId: string | undefined

  constructor(message: string, details: { code: string; status: number; requestId?: string | undefined }) {
    super(message)
    this.code = details.code
    this.status = details.status
    this.requestId = details.requestId
  }
}

/** A sign-out takes the cookie too. To a request without one, the service names the other credential: a key. */
const noSession = ['sign_in_required', 'missing_api_key']

/** Whether the service found no session: it has ended, here or in another browser, or there was none. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && noSession.includes(error.code)
}

interface Answer<Data> {
  readonly data?: Data
  readonly error?: unknown
  readonly response: Response
}

/** The result of a request. Throws an `ApiError` for every other answer, and if there is none. */
export async function resultOf<Data>(request: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await request.catch((cause: unknown) => {
    const details = { code: 'unreachable', status: 0 }
    throw Object.assign(
      new ApiError('The service cannot be reached. Check your connection, then try again.', details),
      {
        cause,
      },
    )
  })
  if (data !== undefined) return data
  throw errorOf(error, response.status)
}

/** The document of a request that is not in the API's contract. Throws as `resultOf` does. */
export function jsonOf(request: Promise<Response>): Promise<unknown> {
  const answer = async (): Promise<Answer<object>> => {
    const response = await request
    const body: unknown = await response.json().catch(() => undefined)
    return response.ok && typeof body === 'object' && body !== null
      ? { data: body, response }
      : { error: body, response }
  }
  return resultOf(answer())
}

function errorOf(body: unknown, status: number): ApiError {
  const { code, message, request_id } = envelopeOf(body)
  const isText = typeof code === 'string' && typeof message === 'string'
  if (isText && noSession.includes(code)) return new ApiError('You are signed out. Sign in again.', { code, status })
  if (!isText)
    return new ApiError('The service gave no answer. Try again in a minute.', { code: 'unreachable', status })
  return new ApiError(message, { code, status, requestId: typeof request_id === 'string' ? request_id : undefined })
}

function envelopeOf(body: unknown): { code?: unknown; message?: unknown; request_id?: unknown } {
  const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
  if (isObject(body) && 'error' in body && isObject(body.error)) return body.error
  return {}
}
