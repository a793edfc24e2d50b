import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { networkOf } from './rate-limits.ts'

/** How long a client may pause. */
const pauseMs = 30_000
/** A player stops reading while it is paused; after a longer pause, it requests the rest of the file. */
const playerPauseMs = 300_000
/** The pause ends when this many bytes were taken, so that a client cannot hold a connection with a few at a time. */
const progressBytes = 256 * 1024
/** The rate at which an upload may begin, too. */
const minBytesPerSecond = 32 * 1024
const checkMs = 2_000
/** A result has 4 MB at most, so that many clients can be slow. While a response is written, it is in memory up to three times. */
const maxUnreadBytes = 64 * 1024 ** 2

/** How the client of a connection reads. */
interface Reading {
  /** How long it may pause. */
  pauseMs: number
  /** The bytes that it had taken when the pause began. */
  takenBytes: number
  pausedMs: number
}

/** Of the open connections. */
const readings = new WeakMap<Socket, Reading>()

/** For the response to this request: a player may read it. */
export function allowPlayerPauses({ socket }: { readonly socket: Socket }): void {
  const reading = readings.get(socket)
  if (reading) reading.pauseMs = playerPauseMs
}

/** Closes connections whose clients do not read their responses, so that they occupy neither connections nor memory. */
export function limitUnreadResponses(app: FastifyInstance, maxBytes = maxUnreadBytes): void {
  limitPauses(app)
  limitUnreadBytes(app, maxBytes)
}

function limitPauses(app: FastifyInstance): void {
  const sockets = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    readings.set(socket, { pauseMs, takenBytes: 0, pausedMs: 0 })
    socket.once('close', () => {
      sockets.delete(socket)
      readings.delete(socket)
    })
  })
  // Before the route, which may allow more.
  app.server.prependListener('request', ({ socket }) => {
    const reading = readings.get(socket)
    if (reading) reading.pauseMs = pauseMs
  })
  const checks = setInterval(() => {
    for (const socket of sockets) if (pausesTooLong(socket)) socket.destroy()
  }, checkMs).unref()
  app.addHook('onClose', async () => clearInterval(checks))
}

/** A connection without unread bytes has no pause: its client waits for the response, as in a long poll, or has read it. */
function pausesTooLong(socket: Socket): boolean {
  const reading = readings.get(socket)
  if (!reading) return false
  const unreadBytes = socket.writableLength
  const takenBytes = socket.bytesWritten - unreadBytes
  if (unreadBytes === 0 || takenBytes - reading.takenBytes >= progressBytes) {
    Object.assign(reading, { takenBytes, pausedMs: 0 })
    return false
  }
  reading.pausedMs += checkMs
  // Node writes a text as a whole, and counts none of it as taken before the end.
  return reading.pausedMs > reading.pauseMs + (unreadBytes / minBytesPerSecond) * 1000
}

interface UnreadResponse {
  readonly socket: Socket
  /** The network of the client. */
  readonly network: string
  readonly bytes: number
  readonly sentAt: number
}

/**
 * While the unread bytes of all networks exceed the limit, closes the oldest response of the network whose unread bytes have
 * waited most: a response that was just sent has not waited, however large it is. Counts texts and buffers, which are in memory as a whole. Streams are read only as far as their clients read.
 */
function limitUnreadBytes(app: FastifyInstance, maxBytes: number): void {
  const unread = new Map<object, UnreadResponse>()
  let allBytes = 0
  const remove = (response: object) => {
    allBytes -= unread.get(response)?.bytes ?? 0
    unread.delete(response)
  }
  const close = (closed: Socket) => {
    for (const [response, { socket }] of unread) if (socket === closed) remove(response)
    closed.destroy()
  }
  // Responses behind the first of a connection never close by themselves.
  app.server.on('connection', (socket: Socket) => socket.once('close', () => close(socket)))
  app.addHook('onSend', async ({ ip, raw: { socket } }, { raw: response }, payload) => {
    if (!readings.has(socket) || (typeof payload !== 'string' && !Buffer.isBuffer(payload))) return
    remove(response)
    const bytes = Buffer.byteLength(payload)
    unread.set(response, { socket, network: networkOf(ip), bytes, sentAt: performance.now() })
    allBytes += bytes
    response.once('close', () => remove(response))
    while (allBytes > maxBytes) close(oldestOfSlowest([...unread.values()], socket))
  })
}

/** The connection with the oldest response of the network with the most bytes, each counted as often as the milliseconds it has waited. */
function oldestOfSlowest(unread: readonly UnreadResponse[], otherwise: Socket): Socket {
  const now = performance.now()
  const waitOf = new Map<string, number>()
  for (const { network, bytes, sentAt } of unread) {
    waitOf.set(network, (waitOf.get(network) ?? 0) + bytes * (now - sentAt))
  }
  const most = Math.max(...waitOf.values())
  return unread.find(({ network }) => waitOf.get(network) === most)?.socket ?? otherwise
}
