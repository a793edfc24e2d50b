import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { networkOf } from './rate-limits.ts'

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

/** How long a client may pause. */
const pauseMs = 30_000
/** A player stops reading while it is paused; after a longer pause, it requests the rest of the file. */
const playerPauseMs = 300_000
/** The pause ends when this many bytes were taken, so that a client cannot hold a connection with a few at a time. */
const progressBytes = 256 * 1024
/** Node writes a text as a whole, and counts none of it as taken before the end: meanwhile this is taken for its rate. */
const textBytesPerSecond = 32 * 1024
/** A client may be slow for half an hour. Then it has a minimum rate, on average, which grows by as much every hour: 1 GiB takes nine hours at most. */
const graceMs = 1_800_000
/** Of sound for which 32 kbit/s are enough. */
const minBytesPerSecond = 4 * 1024
const growthMs = 3_600_000

/** What the client of a connection has taken of its bytes so far, and what waits for it. */
interface ReadProgress {
  readonly takenBytes: number
  readonly unreadBytes: number
}

type ReadingPace = ReturnType<typeof createReadingPace>

/** Follows how fast the client of a connection reads. */
export function createReadingPace() {
  let maxPauseMs = pauseMs
  /** Since the last progress, and since nothing was unread. */
  let [pausedMs, pausedAtBytes, slowMs, slowFromBytes] = [0, 0, 0, 0]
  return {
    beginRequest: () => {
      maxPauseMs = pauseMs
    },
    /** For the response to this request: a player may read it. */
    allowPlayerPauses: () => {
      maxPauseMs = playerPauseMs
    },
    /**
     * Whether the client reads too slowly, `passedMs` after the last call. One without unread bytes does not: it waits for the response,
     * as in a long poll, or has read it.
     */
    isTooSlow: ({ takenBytes, unreadBytes }: ReadProgress, passedMs: number): boolean => {
      if (unreadBytes === 0) [slowMs, slowFromBytes] = [0, takenBytes]
      if (unreadBytes === 0 || takenBytes - pausedAtBytes >= progressBytes) [pausedMs, pausedAtBytes] = [0, takenBytes]
      else pausedMs += passedMs
      if (unreadBytes === 0) return false
      slowMs += passedMs
      const textMs = (unreadBytes * 1000) / textBytesPerSecond
      const timedMs = slowMs - graceMs - textMs
      const minRate = minBytesPerSecond * (1 + timedMs / growthMs)
      const isBehind = timedMs > 0 && ((takenBytes - slowFromBytes) * 1000) / timedMs < minRate
      return pausedMs > maxPauseMs + textMs || isBehind
    },
  }
}

interface UnreadText<Connection> {
  readonly connection: Connection
  /** The network of the client. */
  readonly network: string
  readonly bytes: number
}

/** Counts the bytes of texts, and of parts of streamed ones, that clients have not read, within a limit for all networks together. */
function createUnreadBytes<Connection>(maxBytes: number) {
  /** When each was sent, in milliseconds, the oldest first. */
  const waiting = new Map<UnreadText<Connection>, number>()
  let allBytes = 0
  const remove = (text: UnreadText<Connection>) => {
    if (waiting.delete(text)) allBytes -= text.bytes
  }
  return {
    remove,
    /**
     * Returns the connections to close until all bytes are within the limit, each with the oldest text of the network whose bytes
     * have waited most: a text that was just sent has not waited, however large it is.
     */
    add: (sent: UnreadText<Connection>): Connection[] => {
      waiting.set(sent, performance.now())
      allBytes += sent.bytes
      const closed: Connection[] = []
      while (allBytes > maxBytes) {
        const { connection } = oldestOfSlowest(waiting) ?? sent
        for (const each of waiting.keys()) if (each.connection === connection) remove(each)
        closed.push(connection)
      }
      return closed
    },
  }
}

/** The oldest text of the network with the most bytes, each counted as often as the milliseconds it has waited. */
function oldestOfSlowest<Connection>(waiting: ReadonlyMap<UnreadText<Connection>, number>) {
  const now = performance.now()
  const waitOf = new Map<string, number>()
  for (const [{ network, bytes }, sentAtMs] of waiting) {
    waitOf.set(network, (waitOf.get(network) ?? 0) + bytes * (now - sentAtMs))
  }
  const most = Math.max(...waitOf.values())
  return [...waiting.keys()].find(({ network }) => waitOf.get(network) === most)
}
