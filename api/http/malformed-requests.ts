import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../src/config.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { newId } from '../../src/core/ids.ts'
import { errorBodyOf, errorHandler } from './errors.ts'
import { apiVersion } from './version.ts'

type BaseUrl = Pick<Config, 'BASE_URL'>

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
    const error = new ServiceError('invalid_request', messageFor(cause.code), { cause })
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
  if (parserCode === 'ERR_HTTP_REQUEST_TIMEOUT') return 'The request did not arrive in time. Send it again.'
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
