import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { networkOf } from './rate-limits.ts'
import { createReadingPace, type ReadingPace } from './reading-pace.ts'
import { createUnreadBytes, type UnreadText } from './unread-bytes.ts'

/** Browsers and most other clients wait for each response before they send the next request. */
const maxOpenRequests = 8
const checkMs = 2_000
/** A result has 4 MB at most, so that many clients can be slow. While a response is written, it is in memory up to three times. */
const maxUnreadBytes = 64 * 1024 ** 2

/** A connection, with the responses that are not yet sent. */
interface Connection {
  readonly responses: Set<ServerResponse>
  readonly pace: ReadingPace
}

const connections = new WeakMap<Socket, Connection>()

/** For the response to this request: a player may read it. */
export function allowPlayerPauses({ socket }: { readonly socket: Socket }): void {
  connections.get(socket)?.pace.allowPlayerPauses()
}

/**
 * Closes connections with too many open requests, and those whose clients do not read their responses, so that they occupy neither
 * connections nor files nor memory. Must come before the hooks of routes.
 */
export function limitResponses(app: FastifyInstance, maxBytes = maxUnreadBytes): void {
  const sockets = trackConnections(app)
  limitOpenRequests(app)
  limitSlowReaders(app, sockets)
  limitUnreadBytes(app, maxBytes)
}

/** The open connections of the server. */
function trackConnections(app: FastifyInstance): ReadonlySet<Socket> {
  const sockets = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    const connection = { responses: new Set<ServerResponse>(), pace: createReadingPace() }
    connections.set(socket, connection)
    sockets.add(socket)
    socket.once('close', () => {
      sockets.delete(socket)
      connection.responses.forEach(closeWaiting)
    })
  })
  return sockets
}

/** All requests of a connection begin simultaneously, and hold files and memory until the responses before theirs are sent. */
function limitOpenRequests(app: FastifyInstance): void {
  app.server.prependListener('request', ({ socket }, response) => {
    const connection = connections.get(socket)
    if (!connection) return
    const { responses, pace } = connection
    pace.beginRequest()
    responses.add(response)
    response.once('close', () => responses.delete(response))
    if (responses.size > maxOpenRequests) socket.destroy()
  })
  // Requests of the same packet still arrive, and are not begun.
  app.addHook('onRequest', async ({ raw: { socket } }, reply) => {
    if (socket.destroyed) reply.hijack()
  })
}

/** Node closes only the first response of a connection, which alone has its socket. */
function closeWaiting(response: ServerResponse): void {
  if (response.socket) return
  response.destroy()
  response.emit('close')
}

function limitSlowReaders(app: FastifyInstance, sockets: ReadonlySet<Socket>): void {
  const checks = setInterval(() => {
    for (const socket of sockets) {
      const unreadBytes = socket.writableLength
      const reading = { unreadBytes, takenBytes: socket.bytesWritten - unreadBytes }
      if (connections.get(socket)?.pace.isTooSlow(reading, checkMs)) socket.destroy()
    }
  }, checkMs).unref()
  app.addHook('onClose', async () => clearInterval(checks))
}

/** Counts texts and buffers, which are in memory as a whole. Files are read only as far as their clients read. */
function limitUnreadBytes(app: FastifyInstance, maxBytes: number): void {
  const unread = createUnreadBytes<Socket>(maxBytes)
  app.addHook('onSend', async ({ ip, raw: { socket } }, { raw: response }, payload) => {
    if (response.destroyed) {
      // Of a file that was opened after the connection closed, nobody would learn that.
      if (payload instanceof Readable) payload.destroy()
      return payload
    }
    if (!connections.has(socket)) return payload
    const parts: UnreadText<Socket>[] = []
    response.once('close', () => parts.forEach(unread.remove))
    const count = (bytes: number) => {
      if (response.destroyed) return
      const part = { connection: socket, network: networkOf(ip), bytes }
      parts.push(part)
      for (const slowest of unread.add(part)) slowest.destroy()
    }
    if (typeof payload === 'string' || Buffer.isBuffer(payload)) count(Buffer.byteLength(payload))
    return payload instanceof Response && payload.body
      ? new Response(countParts(payload.body, count), payload)
      : payload
  })
}

/** Takes each part of a streamed answer as soon as its sender has it: until the client reads, it is in memory here or there. */
function countParts(body: ReadableStream<Uint8Array>, count: (bytes: number) => void): ReadableStream<Uint8Array> {
  const counter = new TransformStream<Uint8Array, Uint8Array>(
    {
      transform: (part, passed) => {
        count(part.byteLength)
        passed.enqueue(part)
      },
    },
    undefined,
    { highWaterMark: Number.POSITIVE_INFINITY },
  )
  return body.pipeThrough(counter)
}
