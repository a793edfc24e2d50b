import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'

/** Browsers and most other clients wait for each response before they send the next request. */
const maxOpenRequests = 8

/**
 * Closes connections with more open requests than that: all of them begin simultaneously, and hold files and memory until the
 * responses before theirs are sent. Must come before the hooks of routes.
 */
export function limitPipelining(app: FastifyInstance): void {
  const open = new WeakMap<Socket, Set<ServerResponse>>()
  app.server.on('connection', (socket: Socket) => {
    const responses = new Set<ServerResponse>()
    open.set(socket, responses)
    socket.once('close', () => responses.forEach(closeWaiting))
  })
  app.server.prependListener('request', ({ socket }, response) => {
    const responses = open.get(socket)
    if (!responses) return
    responses.add(response)
    response.once('close', () => responses.delete(response))
    if (responses.size > maxOpenRequests) socket.destroy()
  })
  // Requests of the same packet still arrive, and are not begun.
  app.addHook('onRequest', async ({ raw: { socket } }, reply) => {
    if (socket.destroyed) reply.hijack()
  })
  // Of a file that was opened after the connection closed, nobody would learn that.
  app.addHook('onSend', async (_request, { raw }, payload) => {
    if (raw.destroyed && payload instanceof Readable) payload.destroy()
  })
}

/** Node closes only the first response of a connection, which alone has its socket. */
function closeWaiting(response: ServerResponse): void {
  if (response.socket) return
  response.destroy()
  response.emit('close')
}
