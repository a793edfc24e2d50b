import type { LookupAddress } from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import { hostOf } from './target-policy.ts'

export type RequestHeaders = Readonly<Record<string, string>>

export interface PinnedRequest {
  readonly method: 'GET' | 'HEAD'
  /** The addresses that were checked: the connection uses no other. */
  readonly addresses: readonly LookupAddress[]
  readonly headers: RequestHeaders
  /** PEM of a certificate authority to trust instead of the system's. */
  readonly ca: string | undefined
  readonly signal: AbortSignal
  /** Called once connected, and once TLS is established for https. */
  readonly onConnect: () => void
}

/** Sends one request to one of the checked addresses; settles with the response's headers. */
export function pinnedRequest(
  url: URL,
  { method, addresses, headers, ca, signal, onConnect }: PinnedRequest,
): Promise<http.IncomingMessage> {
  const isSecure = url.protocol === 'https:'
  return new Promise((resolve, reject) => {
    const request = (isSecure ? https : http).request(url, {
      method,
      hostname: hostOf(url),
      // No pooling: a connection opened before the check could lead elsewhere. No proxy either.
      agent: false,
      lookup: lookupIn(addresses),
      headers: { 'user-agent': 'media-timeline', accept: '*/*', 'accept-encoding': 'identity', ...headers },
      maxHeaderSize: 16 * 1024,
      insecureHTTPParser: false,
      // Overrides NODE_TLS_REJECT_UNAUTHORIZED.
      rejectUnauthorized: true,
      ...(ca ? { ca } : {}),
      signal,
    })
    request.once('socket', (socket) => socket.once(isSecure ? 'secureConnect' : 'connect', onConnect))
    request.once('response', resolve)
    request.on('error', reject)
    request.once('close', () => reject(new Error('the connection closed without an answer')))
    request.end()
  })
}

/** A lookup that returns the checked addresses. */
function lookupIn(addresses: readonly LookupAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    const [first] = addresses
    if (options.all || !first) callback(null, [...addresses])
    else callback(null, first.address, first.family)
  }
}
