import type { LookupAddress } from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import { unlessAborted } from '../../core/abortable.ts'
import { createDeadline, type Deadline } from './deadline.ts'
import { type ResolveHost, resolveTarget, resolveWithSystem } from './resolve-target.ts'
import { connectionError, unreachable } from './source-errors.ts'
import { type AllowHosts, hostOf } from './target-policy.ts'

export interface SourceTimeouts {
  /** Name, connection and TLS. */
  readonly connectMs: number
  /** From the connection to the end of the answer's headers. */
  readonly headersMs: number
  /** Between two pieces of the body. */
  readonly idleMs: number
}

const defaultTimeouts: SourceTimeouts = { connectMs: 10_000, headersMs: 30_000, idleMs: 30_000 }

/** How sources are reached. */
export interface SourceAccess {
  readonly allowHosts: AllowHosts
  readonly timeouts?: SourceTimeouts | undefined
  readonly resolveHost?: ResolveHost | undefined
  /** PEM of a certificate authority to trust instead of the known ones. */
  readonly ca?: string | undefined
}

export type RequestHeaders = Readonly<Record<string, string>>

export interface SourceResponse {
  readonly url: URL
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  /** To be read once; throws a retryable `media_unreachable` when it stalls or breaks off. */
  readonly body: AsyncIterable<Buffer>
  /** Ends the connection of a body that is not wanted. */
  readonly close: () => void
}

/** One request on a connection of its own to a checked address. Redirects are answers like others. */
export async function requestSource(
  url: URL,
  access: SourceAccess,
  headers: RequestHeaders,
  signal: AbortSignal,
  method: 'GET' | 'HEAD' = 'GET',
): Promise<SourceResponse> {
  const timeouts = access.timeouts ?? defaultTimeouts
  const deadline = createDeadline(signal)
  deadline.begin(timeouts.connectMs, tooSlow)
  try {
    const resolving = resolveTarget(url, access.allowHosts, access.resolveHost ?? resolveWithSystem)
    const addresses = await unlessAborted(resolving, deadline.signal)
    const response = await send(url, {
      method,
      addresses,
      headers,
      ca: access.ca,
      deadline,
      headersMs: timeouts.headersMs,
    })
    deadline.stop()
    return {
      url,
      status: response.statusCode ?? 0,
      headers: response.headers,
      body: readBody(response, deadline, timeouts.idleMs),
      close: () => response.destroy(),
    }
  } catch (error) {
    deadline.stop()
    deadline.signal.throwIfAborted()
    throw connectionError(error)
  }
}

interface SendOptions {
  readonly method: 'GET' | 'HEAD'
  readonly addresses: readonly LookupAddress[]
  readonly headers: RequestHeaders
  readonly ca: string | undefined
  readonly deadline: Deadline
  readonly headersMs: number
}

function send(
  url: URL,
  { method, addresses, headers, ca, deadline, headersMs }: SendOptions,
): Promise<http.IncomingMessage> {
  const isSecure = url.protocol === 'https:'
  return new Promise((resolve, reject) => {
    const request = (isSecure ? https : http).request(url, {
      method,
      hostname: hostOf(url),
      // No pooling: a connection that was open before the check could lead elsewhere. No proxy either.
      agent: false,
      lookup: pinTo(addresses),
      headers: { 'user-agent': 'media-timeline', accept: '*/*', 'accept-encoding': 'identity', ...headers },
      maxHeaderSize: 16 * 1024,
      insecureHTTPParser: false,
      // Whatever NODE_TLS_REJECT_UNAUTHORIZED says.
      rejectUnauthorized: true,
      ...(ca ? { ca } : {}),
      signal: deadline.signal,
    })
    request.once('socket', (socket) => {
      socket.once(isSecure ? 'secureConnect' : 'connect', () => deadline.begin(headersMs, tooSlow))
    })
    request.once('response', resolve)
    request.on('error', reject)
    request.once('close', () => reject(new Error('the connection closed without an answer')))
    request.end()
  })
}

/** A lookup that answers with the addresses that were checked. */
function pinTo(addresses: readonly LookupAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    const [first] = addresses
    if (options.all || !first) callback(null, [...addresses])
    else callback(null, first.address, first.family)
  }
}

/** The idle time counts while the next piece is awaited, not while the reader is busy with the last one. */
async function* readBody(response: http.IncomingMessage, deadline: Deadline, idleMs: number): AsyncGenerator<Buffer> {
  try {
    deadline.begin(idleMs, tooSlow)
    for await (const chunk of response) {
      deadline.stop()
      yield Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk)
      deadline.begin(idleMs, tooSlow)
    }
  } catch (error) {
    deadline.signal.throwIfAborted()
    throw connectionError(error)
  } finally {
    deadline.stop()
  }
}

function tooSlow(): Error {
  return unreachable('The server of the media URL answers too slowly. Try again', true)
}
