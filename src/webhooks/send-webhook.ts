import { ServiceError } from '../core/errors.ts'
import { type RequestHeaders, type SourceAccess, sendRequest } from '../net/send-request.ts'
import { type ConnectionFailure, connectionFailure } from '../net/source-errors.ts'
import { type AllowHosts, checkTarget, isAllowedHost } from '../net/target-policy.ts'

/** For the whole attempt. */
const attemptMilliseconds = 15_000
/** What is read of an answer, and thrown away, so that a server that writes one before it hangs up is not cut off. */
const maxAnswerBytes = 4096

/** Why an attempt failed. */
type DeliveryFailure = ConnectionFailure | 'status' | 'redirect' | 'timeout' | 'secret_lost'

export interface DeliveryAnswer {
  readonly status?: number
  /** Undefined if it was delivered. */
  readonly failure?: DeliveryFailure
  readonly retryAfterMs?: number
}

/** Throws `invalid_request` for a URL to which nothing is sent. A name that resolves to a private address is refused when it is sent to. */
export function parseWebhookUrl(text: string, allowHosts: AllowHosts, field: string): URL {
  try {
    const url = new URL(text)
    checkWebhookTarget(url, allowHosts)
    return url
  } catch (cause) {
    throw new ServiceError(
      'invalid_request',
      `${field}: must be an https URL of a public host, on port 443, without user name and password.`,
      { cause },
    )
  }
}

function checkWebhookTarget(url: URL, allowHosts: AllowHosts): void {
  checkTarget(url, allowHosts)
  const isPlain = url.protocol !== 'https:' || url.port !== ''
  if (isPlain && !isAllowedHost(url, allowHosts)) throw new ServiceError('media_blocked')
}

/** Posts one message. Redirects are not followed, and nothing of the answer leaves this but its status. */
export async function sendWebhook(
  url: URL,
  access: SourceAccess,
  { headers, body }: { readonly headers: RequestHeaders; readonly body: string },
  signal: AbortSignal,
  milliseconds = attemptMilliseconds,
): Promise<DeliveryAnswer> {
  const timeout = AbortSignal.timeout(milliseconds)
  // One limit for everything: no phase ends before it.
  const phase = 2 * milliseconds
  const timeouts = { connectMs: phase, headersMs: phase, idleMs: phase }
  try {
    checkWebhookTarget(url, access.allowHosts)
    const limited = AbortSignal.any([signal, timeout])
    const response = await sendRequest(url, { ...access, timeouts }, headers, limited, { method: 'POST', body })
    try {
      let bytes = 0
      for await (const chunk of response.body) {
        bytes += chunk.length
        if (bytes > maxAnswerBytes) break
      }
    } catch {
      // The status has arrived, and decides.
      signal.throwIfAborted()
    } finally {
      response.close()
    }
    const { status } = response
    if (status >= 200 && status < 300) return { status }
    const retryAfterMs = retryAfterOf(response.headers['retry-after'])
    const failure = status >= 300 && status < 400 ? 'redirect' : 'status'
    return { status, failure, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
  } catch (error) {
    signal.throwIfAborted()
    return { failure: timeout.aborted ? 'timeout' : connectionFailure(error) }
  }
}

/** Seconds or a date (RFC 9110, 10.2.3). */
function retryAfterOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const milliseconds = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return milliseconds > 0 ? milliseconds : undefined
}
