import { ApiError, ConnectionError, MediaTimelineError } from './errors.ts'

export interface RequestOptions {
  /** Ends the call. */
  readonly signal?: AbortSignal
  /** Seconds for one attempt, until its answer begins. 60 when left out. */
  readonly timeoutSeconds?: number
}

export interface CreateOptions extends RequestOptions {
  /** Makes repeated calls safe for 24 hours. When left out, the library makes one, for its own retries. */
  readonly idempotencyKey?: string
}

export type Query = Readonly<Record<string, string | number | boolean | Readonly<Record<string, string>> | undefined>>

interface Call extends CreateOptions {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly query?: Query
  readonly body?: object
}

export interface Http {
  /** The JSON of a successful answer. */
  readonly json: <T>(call: Call) => Promise<T>
  /** A successful answer, its body unread. */
  readonly response: (call: Call) => Promise<Response>
  /** One PUT to a signed URL, without the API key. Returns every answer but those that ask to wait. */
  readonly put: (
    url: string,
    init: { body: Blob; headers: Readonly<Record<string, string>> },
    options: RequestOptions,
  ) => Promise<Response>
  /** Runs `attempt` again, with longer and longer pauses, while it fails for a reason that passes. */
  readonly retrying: <T>(
    attempt: () => Promise<T>,
    options: { readonly signal?: AbortSignal | undefined; readonly retries?: number },
  ) => Promise<T>
}

export interface HttpSettings {
  readonly apiKey: string
  readonly baseUrl: string
  readonly maxRetries: number
  readonly fetch: typeof fetch
}

export function createHttp({ apiKey, baseUrl, maxRetries, fetch }: HttpSettings): Http {
  const send = async (
    url: string,
    init: RequestInit,
    { signal, timeoutSeconds = 60 }: RequestOptions,
  ): Promise<Response> => {
    signal?.throwIfAborted()
    const limit = AbortSignal.timeout(Math.ceil(timeoutSeconds * 1000))
    // To follow a redirect would carry the key to another host. A 308 of an upload says what has arrived.
    const request = { ...init, redirect: 'manual', signal: signal ? AbortSignal.any([signal, limit]) : limit } as const
    return await fetch(url, request).catch((cause: unknown) => {
      signal?.throwIfAborted()
      const reason = limit.aborted ? `did not answer within ${timeoutSeconds} seconds` : 'cannot be reached'
      throw new ConnectionError(`${new URL(url).origin} ${reason}. Check the address, and that the service runs.`, {
        cause,
      })
    })
  }

  const retrying: Http['retrying'] = async (attempt, { signal, retries = maxRetries }) => {
    for (let failures = 0; ; failures += 1) {
      try {
        return await attempt()
      } catch (error) {
        if (failures >= retries || !isWorthRetrying(error)) throw error
        await pause(secondsBefore(failures, error), signal)
      }
    }
  }

  const response: Http['response'] = async (call) => {
    const { method, path, query = {}, body, idempotencyKey = newIdempotencyKey(method) } = call
    // An id such as "../keys/key_1" would reach another resource.
    if (!/^[\w/-]+$/.test(path))
      throw new MediaTimelineError(`${path} contains what is no id. Give ids as the service returned them.`)
    const headers = {
      authorization: `Bearer ${apiKey}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    }
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const url = `${baseUrl}${path}${queryText(query)}`
    return retrying(async () => assertOk(await send(url, init, call)), call)
  }

  return {
    response,
    json: async <T>(call: Call) => {
      const answer = await response(call)
      return trusted<T>(
        await answer.json().catch((cause: unknown) => {
          throw new ConnectionError(`The answer to ${call.method} ${call.path} was cut off.`, { cause })
        }),
      )
    },
    put: async (url, init, options) => {
      const answer = await send(url, { method: 'PUT', ...init }, options)
      return passing.has(answer.status) ? assertOk(answer) : answer
    },
    retrying,
  }
}

/** Takes a value for what the contract of the service says that it is, because the library has no validator. */
export function trusted<T>(value: unknown): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return value as T
}

/** The service did not do what was asked, and may do it soon. */
const passing = new Set([408, 429, 500, 502, 503, 504])

export function isWorthRetrying(error: unknown): boolean {
  return error instanceof ConnectionError || (error instanceof ApiError && passing.has(error.status))
}

const longestPauseSeconds = 60

/** Half a second, doubled with each failure, up to a quarter of it less by chance, or what the service asks for. */
function secondsBefore(failures: number, error: unknown): number {
  const usual = Math.min(0.5 * 2 ** failures, 8) * (1 - Math.random() / 4)
  const asked = error instanceof ApiError ? error.retryAfterSeconds : undefined
  if (asked === undefined) return usual
  if (asked > longestPauseSeconds) throw error
  return Math.max(asked, usual)
}

export function pause(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(trusted<Error>(signal?.reason))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, seconds * 1000)
    if (signal?.aborted) stop()
    signal?.addEventListener('abort', stop, { once: true })
  })
}

/** What creates something may run twice when its answer is lost, unless the attempts share a key. */
function newIdempotencyKey(method: Call['method']): string | undefined {
  return method === 'POST' ? crypto.randomUUID() : undefined
}

async function assertOk(response: Response): Promise<Response> {
  if (response.ok) return response
  const text = await response.text().catch(() => '')
  const { code = 'unexpected_answer', message = `The service answered ${response.status}.` } = errorIn(text)
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  throw new ApiError(message, {
    ...{ status: response.status, code, requestId: response.headers.get('x-request-id') ?? undefined },
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
  })
}

function errorIn(text: string): { code?: string; message?: string } {
  try {
    const { error } = trusted<{ error?: { code?: unknown; message?: unknown } }>(JSON.parse(text))
    return {
      ...(typeof error?.code === 'string' && { code: error.code }),
      ...(typeof error?.message === 'string' && { message: error.message }),
    }
  } catch {
    return {}
  }
}

/** `{ metadata: { episode: '12' } }` is `?metadata[episode]=12`. */
function queryText(query: Query): string {
  const pairs = Object.entries(query).flatMap(([name, value]): [string, string][] => {
    if (value === undefined) return []
    if (typeof value !== 'object') return [[name, String(value)]]
    return Object.entries(value).map(([key, text]) => [`${name}[${key}]`, text])
  })
  return pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : ''
}
