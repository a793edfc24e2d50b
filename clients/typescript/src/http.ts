import { ApiError, ConnectionError, MediaTimelineError } from './errors.ts'

export interface RequestOptions {
  /** Ends the call. */
  readonly signal?: AbortSignal
  /** Seconds for one attempt. 60 when left out. */
  readonly timeoutSeconds?: number
}

/** Of the library's own requests. */
export interface AttemptOptions extends RequestOptions {
  /** Attempts after the first one, if not as many as the client has. */
  readonly retries?: number
}

export interface CreateOptions extends RequestOptions {
  /** Makes repeated calls safe for 24 hours. When left out, the library makes one, for its own retries. */
  readonly idempotencyKey?: string
}

export type Query = Readonly<Record<string, string | number | boolean | Readonly<Record<string, string>> | undefined>>

interface Call extends CreateOptions, AttemptOptions {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly query?: Query
  readonly body?: object
}

/** An answer that has arrived whole. */
interface Answer {
  readonly ok: boolean
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export interface Http {
  /** The JSON of a successful answer. */
  readonly json: <T>(call: Call) => Promise<T>
  /** A successful answer. */
  readonly answer: (call: Call) => Promise<Answer>
  /** One PUT to a signed URL, without the API key. Returns every answer but those that ask to wait. */
  readonly put: (
    url: string,
    init: { body: Blob; headers: Readonly<Record<string, string>> },
    options: RequestOptions,
  ) => Promise<Answer>
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
  ): Promise<Answer> => {
    signal?.throwIfAborted()
    const limit = AbortSignal.timeout(Math.ceil(timeoutSeconds * 1000))
    // To follow a redirect would carry the key to another host. A 308 of an upload says what has arrived.
    const request = { ...init, redirect: 'manual', signal: signal ? AbortSignal.any([signal, limit]) : limit } as const
    const broken =
      (problem: string) =>
      (cause: unknown): never => {
        signal?.throwIfAborted()
        const reason = limit.aborted ? `did not answer within ${timeoutSeconds} seconds` : problem
        throw new ConnectionError(`${new URL(url).origin} ${reason}. Check the address, and that the service runs.`, {
          cause,
        })
      }
    const response = await fetch(url, request).catch(broken('cannot be reached'))
    const text = await response.text().catch(broken('broke its answer off'))
    return { ok: response.ok, status: response.status, headers: response.headers, text }
  }

  const answer: Http['answer'] = async (call) => {
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
    return retrying(async () => assertOk(await send(url, init, call)), { retries: maxRetries, ...call })
  }

  return {
    answer,
    json: async <T>(call: Call) => {
      const { text } = await answer(call)
      try {
        return trusted<T>(JSON.parse(text))
      } catch (cause) {
        throw new MediaTimelineError(`The answer to ${call.method} ${call.path} is no JSON.`, { cause })
      }
    },
    put: async (url, init, options) => {
      const found = await send(url, { method: 'PUT', ...init }, options)
      return passing.has(found.status) ? assertOk(found) : found
    },
  }
}

/** Runs `attempt` again, with longer and longer pauses, while it fails for a reason that passes. */
export async function retrying<T>(
  attempt: () => Promise<T>,
  { signal, retries = 2 }: { readonly signal?: AbortSignal | undefined; readonly retries?: number },
): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (failures >= retries || !isWorthRetrying(error)) throw error
      await pause(secondsBefore(failures, error), signal)
    }
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

function assertOk(answer: Answer): Answer {
  const { ok, status, headers, text } = answer
  if (ok) return answer
  const { code = 'unexpected_answer', message = `The service answered ${status}.` } = errorIn(text)
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN)
  throw new ApiError(message, {
    ...{ status, code, requestId: headers.get('x-request-id') ?? undefined },
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
