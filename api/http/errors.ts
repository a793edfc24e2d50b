import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Config } from '../../src/config.ts'
import { type ErrorCode, ServiceError } from '../../src/core/errors.ts'
import { newId } from '../../src/core/ids.ts'
import { nearestName } from '../../src/core/input-problems.ts'
import { describeBytes } from '../../src/core/text.ts'
import { isUnreachable } from '../../src/db/database.ts'
import type { ApiDependencies } from './context.ts'
import { cardPage, sendPage, wantsPage } from './html.ts'
import { jsonBodyLimit } from './json-body.ts'
import type { errorBody } from './route.ts'

type BaseUrl = Pick<Config, 'BASE_URL'>
export type ErrorBody = z.output<typeof errorBody>

/** When to try again if nothing says how long an outage lasts. */
export const outageSeconds = 10

export function errorBodyOf(
  { BASE_URL }: BaseUrl,
  { code, message, jobId }: Pick<ServiceError, 'code' | 'message'> & { readonly jobId?: string | undefined },
  requestId: string,
): ErrorBody {
  return {
    code,
    message,
    request_id: requestId,
    docs_url: `${BASE_URL}/docs/errors#${code}`,
    ...(jobId ? { job_id: jobId } : {}),
  }
}

interface ErrorForms {
  /** The page for a browser. */
  readonly pageFor?: ((error: ErrorBody) => string) | undefined
  /** In place of the error envelope; undefined for errors that have the envelope. */
  readonly documentFor?: (error: ErrorBody, request: FastifyRequest) => object | undefined
}

/**
 * Answers every error with the error envelope, or with a page if a browser asks and there is one. The original error goes
 * only to the log.
 */
export function errorHandler(config: BaseUrl, { pageFor, documentFor }: ErrorForms = {}) {
  return (thrown: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    const error = toServiceError(thrown)
    if (isServerFault(error.code)) request.log.error({ code: error.code, err: error.cause ?? error }, 'request failed')
    if (error.httpStatus === 401) reply.header('www-authenticate', challengeOf(error.code))
    const { retryAfterSeconds = error.code === 'service_unavailable' ? outageSeconds : undefined } = error
    if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
    reply.code(error.httpStatus)
    const body = errorBodyOf(config, error, request.id)
    if (pageFor && wantsPage(request)) void sendPage(reply, pageFor(body))
    else void reply.type('application/json; charset=utf-8').send(documentFor?.(body, request) ?? { error: body })
  }
}

/** Whether the error is our fault. `endpoint_unavailable`, the error of previews, is not, although its status is 501. */
export function isServerFault(code: ErrorCode): boolean {
  return code === 'server_error' || code === 'service_unavailable'
}

/** RFC 6750, 3.1: a request without credentials gets no error code in its challenge. */
function challengeOf(code: ErrorCode): string {
  return code === 'missing_api_key' ? 'Bearer' : 'Bearer error="invalid_token"'
}

const codesOfFastify: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_content_type',
  FST_ERR_BAD_URL: 'invalid_request',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
}

/** The public error for any thrown error. */
export function toServiceError(error: Thrown): ServiceError {
  if (error instanceof ServiceError) return error
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return bodyTooLarge(error)
  const code = codesOfFastify[error.code ?? '']
  if (code) return new ServiceError(code, undefined, { cause: error })
  if (error.statusCode === 400) return new ServiceError('invalid_request', undefined, { cause: error })
  return new ServiceError(isUnreachable(error) ? 'service_unavailable' : 'server_error', undefined, { cause: error })
}

function bodyTooLarge(cause: Thrown): ServiceError {
  const message = `The body is larger than this path accepts. Send a smaller one: JSON has at most ${describeBytes(jsonBodyLimit)}.`
  return new ServiceError('payload_too_large', message, { cause })
}

type Thrown = Error & Partial<Pick<FastifyError, 'code' | 'statusCode'>>

/** How long a client may take to read why its connection ends. */
const lingerMilliseconds = 2_000

/** Requests that Node's parser refuses (bad syntax, headers too large, too slow) reach no route: writes the error to the socket. */
export function handleBrokenConnections(config: BaseUrl, logger: FastifyBaseLogger) {
  return (cause: Error & { code?: string }, socket: Socket): void => {
    if (cause.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const requestId = newId('req')
    const error =
      cause.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? new ServiceError('request_timeout', undefined, { cause })
        : new ServiceError('invalid_request', messageFor(cause.code), { cause })
    logger.info({ requestId, parserCode: cause.code, status: error.httpStatus }, 'request not readable')
    const body = JSON.stringify({ error: errorBodyOf(config, error, requestId) })
    const head = [
      `HTTP/1.1 ${error.httpStatus} ${STATUS_CODES[error.httpStatus]}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${requestId}`,
      `x-api-version: ${apiVersion}`,
      'connection: close',
    ]
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
    // A client that reads nothing would keep its half of the connection open.
    const destroy = setTimeout(() => socket.destroy(), lingerMilliseconds).unref()
    socket.once('close', () => clearTimeout(destroy))
  }
}

function messageFor(parserCode: string | undefined): string {
  if (parserCode === 'HPE_HEADER_OVERFLOW') return 'The request headers are too large. Send fewer or shorter ones.'
  return 'This is not a readable HTTP request. Send one in the syntax of HTTP/1.1.'
}

/** Node reads the first of two equal headers and a proxy may read the last, so both are refused (RFC 9112, 3.2). */
const headersSentOnce = ['host', 'authorization', 'content-type', 'origin']

/** Refuses requests that repeat one of these headers. */
export function refuseRepeatedHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw: { rawHeaders } }) => {
    const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase())
    const repeated = headersSentOnce.find((name) => names.indexOf(name) !== names.lastIndexOf(name))
    if (repeated)
      throw new ServiceError('invalid_request', `The request has the header ${repeated} twice. Send it once.`)
  })
}

/** Requests that the router refuses (a badly encoded path) pass no hook, so this sets their headers. */
export function handleUnroutableRequests(config: BaseUrl) {
  const handle = errorHandler(config)
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    reply.headers({ 'x-request-id': request.id, 'x-api-version': apiVersion, 'cache-control': 'no-store' })
    handle(error, request, reply)
  }
}

/**
 * Answers requests without a route: 405 (OPTIONS: 204) with Allow for a known path, otherwise 404, with the requests that were probably
 * meant, or a page for a browser. Does not read the body.
 */
export function handleUnmatchedRoutes(app: FastifyInstance, { pages }: Pick<ApiDependencies, 'pages'>): void {
  const routes = new Map<string, { readonly url: string; readonly pattern: RegExp; readonly methods: Set<string> }>()
  const known = () => [...routes.values()].filter(({ url }) => url.startsWith('/v1/'))

  app.addHook('onRoute', ({ url, method }) => {
    const route = routes.get(url) ?? { url, pattern: patternOf(url), methods: new Set(['OPTIONS']) }
    for (const one of [method].flat()) route.methods.add(one)
    routes.set(url, route)
  })

  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return
    const [path = ''] = request.url.split('?', 1)
    const route = [...routes.values()].find(({ pattern }) => pattern.test(path))
    if (!route) {
      if (wantsPage(request) && !forPrograms.test(path)) return sendPage(reply.code(404), noPage(pages !== undefined))
      const nearest = nearestRequest(request.method, path, known())
      throw new ServiceError('not_found', nearest && `Nothing exists at this path. Did you mean ${nearest}?`)
    }
    const allowed = [...route.methods].sort()
    reply.header('allow', allowed.join(', '))
    if (request.method !== 'OPTIONS') {
      const methods = allowed.filter((method) => method !== 'OPTIONS').join(', ')
      const below = requestsBelow(path, known()).map((each) => ` See also ${each}.`)
      throw new ServiceError(
        'method_not_allowed',
        `This path does not support ${request.method}. It supports ${methods}.${below.join('')}`,
      )
    }
    return reply.code(204).send()
  })
}

/** Paths whose errors are JSON, also for browsers. */
const forPrograms = /^\/(v1|mcp|oauth|api)(\/|$)/

function noPage(hasDashboard: boolean): string {
  const dashboard = hasDashboard ? '<p><a href="/dashboard">To the dashboard</a></p>\n' : ''
  return cardPage(
    'Page not found',
    `<h1>Page not found</h1>
<p>There is no page at this address.</p>
${dashboard}<p><a href="/docs/">API reference</a></p>`,
  )
}

function patternOf(url: string): RegExp {
  return new RegExp(
    `^${url
      .replaceAll('.', '\\.')
      .replaceAll(/:[^/]+/g, '[^/]+')
      .replaceAll('*', '.*')}$`,
  )
}

/** A path of the API, with the methods that it supports. */
interface KnownPath {
  /** With names of parameters: `/v1/jobs/:job_id`. */
  readonly url: string
  readonly methods: ReadonlySet<string>
}

/** Longer paths are no misspelt ones. */
const maxSegments = 8

/**
 * The request that was probably meant by a path that does not exist: one name of it is misspelt, as in `/v1/runs/run_…`, or the last
 * one is missing, as in `/v1/workflows/remove-dead-space`.
 */
export function nearestRequest(method: string, path: string, known: readonly KnownPath[]): string | undefined {
  const given = path.split('/')
  if (given.length > maxSegments) return undefined
  const near = known.find(({ url }) => isNear(given, url.split('/'))) ?? known.find(({ url }) => isBelow(path, url))
  return near && describeRequest(near, method)
}

/** The requests one name below a path, such as `POST /v1/keys/{key_id}/revoke` below a key. */
export function requestsBelow(path: string, known: readonly KnownPath[]): string[] {
  return known.filter(({ url }) => isBelow(path, url)).map((each) => describeRequest(each))
}

/** Whether the URL adds one name to a path that ends in an id. */
function isBelow(path: string, url: string): boolean {
  const names = url.split('/')
  const last = names.pop() ?? ''
  const given = path.split('/')
  const isOfId = names.at(-1)?.startsWith(':') === true && !last.startsWith(':')
  return isOfId && given.length === names.length && names.every((name, at) => fits(name, given[at]))
}

function isNear(given: readonly string[], names: readonly string[]): boolean {
  if (given.length !== names.length) return false
  const [wrong, second] = names.flatMap((name, at) => (fits(name, given[at]) ? [] : [{ name, given: given[at] ?? '' }]))
  if (wrong === undefined || second !== undefined) return false
  const isOtherVersion = wrong.name === 'v1' && /^v\d{1,3}$/.test(wrong.given)
  return isOtherVersion || nearestName(wrong.given, [wrong.name]) !== undefined
}

function fits(name: string, given: string | undefined): boolean {
  return name.startsWith(':') ? given !== '' : name === given
}

/** With the method that was sent, where the path has it. */
function describeRequest({ url, methods }: KnownPath, sent = 'GET'): string {
  const method = [sent, 'GET', ...methods].find((each) => methods.has(each) && each !== 'OPTIONS' && each !== 'HEAD')
  return `${method ?? 'GET'} ${url.replaceAll(/:(\w+)/g, '{$1}')}`
}

export const apiVersion = '2026-06-09-beta'

/** Sets the request id and the version on every response, and refuses other versions. */
export function stampResponses(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-request-id': request.id, 'x-api-version': apiVersion, 'cache-control': 'no-store' })
    const wanted = request.headers['x-api-version']
    if (wanted !== undefined && wanted !== apiVersion) throw new ServiceError('unsupported_version')
  })
}
