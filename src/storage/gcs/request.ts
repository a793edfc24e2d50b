import { setTimeout as sleep } from 'node:timers/promises'
import { GcsError } from './failures.ts'
import type { GcsLimits } from './limits.ts'

/** Sends one request once. Throws a retryable GcsError for no response, 408, 429 and 5xx. */
export async function send(url: string, init: RequestInit & { readonly signal: AbortSignal }): Promise<Response> {
  // GCS answers a chunk of an upload with 308, which is not a redirect here.
  const response = await fetch(url, { redirect: 'manual', ...init }).catch((error: unknown) => {
    throw new GcsError(`no answer: ${reasonOf(error)}`, { isPassing: true })
  })
  if (response.status === 408 || response.status === 429 || response.status >= 500) {
    await response.body?.cancel()
    throw new GcsError(`answered ${response.status}`, { status: response.status, isPassing: true })
  }
  return response
}

/** Aborts after `milliseconds`, or with the caller's signal. */
export function timeLimit(milliseconds: number, signal: AbortSignal | undefined): AbortSignal {
  const limit = AbortSignal.timeout(milliseconds)
  return signal ? AbortSignal.any([limit, signal]) : limit
}

/** Retries after retryable failures, with growing delays. */
export async function retrying<T>(
  { retries, maxDelayMs }: GcsLimits,
  signal: AbortSignal | undefined,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await attempt()
    } catch (error) {
      if (signal?.aborted || failures >= retries || !(error instanceof GcsError && error.isPassing)) throw error
      const delayMs = Math.min(200 * 2 ** failures, maxDelayMs)
      // Jitter spreads requests that failed together.
      await sleep(delayMs * (0.5 + Math.random() / 2), undefined, signal ? { signal } : {})
    }
  }
}

/** fetch throws "fetch failed" with the reason as its cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.message || cause.name : String(cause)
}
