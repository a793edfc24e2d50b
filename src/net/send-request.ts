import type { LookupAddress } from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import { unlessAborted } from '../core/abortable.ts'
import { type ResolveHost, resolverFor, resolveTarget } from './resolve-target.ts'
import { connectionError, unreachable } from './source-errors.ts'
import { type AllowHosts, hostOf } from './target-policy.ts'

export type RequestHeaders = Readonly<Record<string, string>>

interface SourceTimeouts {
  /** For DNS, connection and TLS. */
  readonly connectMs: number
  /** From the connection to the end of the response headers. */
  readonly headersMs: number
  /** Between two chunks of the body. */
  readonly idleMs: number
}

const defaultTimeouts: SourceTimeouts = { connectMs: 10_000, headersMs: 30_000, idleMs: 30_000 }

/** How to reach a source. */
export interface SourceAccess {
  readonly allowHosts: AllowHosts
  readonly timeouts?: SourceTimeouts | undefined
  readonly resolveHost?: ResolveHost | undefined
  /** PEM of a certificate authority to trust instead of the system's. */
  readonly ca?: string | undefined
}

export interface SourceResponse {
  readonly url: URL
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  /** Can be read once; throws a retryable `media_unreachable` if it stalls or breaks off. */
  readonly body: AsyncIterable<Buffer>
  /** Ends the connection without reading the body to its end. */
  readonly close: () => void
}

interface RequestOptions {
  readonly method?: 'GET' | 'HEAD' | 'POST'
  readonly body?: string
}

/** Sends one request, on its own connection, to a checked address. Returns redirects like any other response. */
export async function sendRequest(
  url: URL,
  access: SourceAccess,
  headers: RequestHeaders,
  signal: AbortSignal,
  { method = 'GET', body }: RequestOptions = {},
): Promise<SourceResponse> {
  const timeouts = access.timeouts ?? defaultTimeouts
  const deadline = createDeadline(signal)
  deadline.begin(timeouts.connectMs, tooSlow)
  try {
    const { allowHosts, resolveHost = resolverFor(url, allowHosts) } = access
    const resolving = resolveTarget(url, allowHosts, (hostname) => resolveHost(hostname, deadline.signal))
    const addresses = await unlessAborted(resolving, deadline.signal)
    const response = await pinnedRequest(url, {
      ...{ method, body, addresses, headers, ca: access.ca, signal: deadline.signal },
      onConnect: () => deadline.begin(timeouts.headersMs, tooSlow),
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

/** The idle time counts while this waits for the next chunk, not while the reader works on the last one. */
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

interface PinnedRequest {
  readonly method: NonNullable<RequestOptions['method']>
  readonly body: string | undefined
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
function pinnedRequest(
  url: URL,
  { method, body, addresses, headers, ca, signal, onConnect }: PinnedRequest,
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
    request.end(body)
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

/** A time limit with consecutive phases. The signal aborts with the error of the phase that took too long. */
interface Deadline {
  /** Also aborts with the caller's signal. */
  readonly signal: AbortSignal
  /** Ends the current phase and begins one of at most `milliseconds`. */
  readonly begin: (milliseconds: number, late: () => Error) => void
  readonly stop: () => void
}

function createDeadline(signal: AbortSignal): Deadline {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const stop = () => clearTimeout(timer)
  return {
    signal: AbortSignal.any([signal, controller.signal]),
    begin: (milliseconds, late) => {
      stop()
      timer = setTimeout(() => controller.abort(late()), milliseconds)
    },
    stop,
  }
}
