import { z } from 'zod'
import { isErrorCode } from '../../src/core/errors.ts'

/** What a case saw: problems are findings, counts are for the report. */
export interface CaseLog {
  problem(text: string): void
  count(what: string): void
}

export interface Exchange {
  readonly status: number
  readonly text: string
}

interface Sent {
  readonly method: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer | undefined
}

const errorEnvelope = z.object({ error: z.object({ code: z.string(), request_id: z.string() }) })
const answerSeconds = 60

/**
 * Sends one request and checks its answer: an error is one of the table, a 5xx only says that the service is busy or the endpoint a
 * preview. Undefined if the connection ended without an answer, which is allowed: a server may refuse a body that it does not read.
 */
export async function exchange({ method, url, headers = {}, body }: Sent, log: CaseLog): Promise<Exchange | undefined> {
  const route = `${method} ${new URL(url).pathname.slice(0, 60)}`
  const options = {
    method,
    headers,
    redirect: 'manual' as const,
    signal: AbortSignal.timeout(answerSeconds * 1000),
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
  }
  const outcome = await request(url, options)
  if ('failure' in outcome) {
    log.count(outcome.failure)
    if (outcome.failure === 'TimeoutError') log.problem(`${route} did not answer in ${answerSeconds} s`)
    return undefined
  }
  const { status, text, retryAfter } = outcome
  log.count(`HTTP ${status}`)
  if (status >= 500 && status !== 501 && !(status === 503 && retryAfter !== null)) {
    log.problem(`${route} answered ${status}: ${text.slice(0, 300)}`)
  }
  if (status >= 400 && method !== 'HEAD' && !isEnvelope(text)) {
    log.problem(`${route} answered ${status} without an error of the table: ${text.slice(0, 300)}`)
  }
  return { status, text }
}

async function request(url: string, options: RequestInit) {
  try {
    const response = await fetch(url, options)
    return { status: response.status, text: await response.text(), retryAfter: response.headers.get('retry-after') }
  } catch (error) {
    return { failure: error instanceof Error ? error.name : 'unknown' }
  }
}

function isEnvelope(text: string): boolean {
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body === 'object' && body !== null && 'jsonrpc' in body) return true
    const { success, data } = errorEnvelope.safeParse(body)
    return success && isErrorCode(data.error.code)
  } catch {
    return false
  }
}
