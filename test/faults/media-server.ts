import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { Socket } from 'node:net'

export interface MediaServer {
  /** For MEDIA_ALLOW_HOSTS. */
  readonly host: string
  close(): void
}

/** A web server on a free port of this machine. */
export async function serveMedia(listener: RequestListener): Promise<MediaServer> {
  const sockets = new Set<Socket>()
  const server = createServer(listener).on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('not listening on a port')
  return {
    host: `127.0.0.1:${address.port}`,
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** Answers every request with the file. */
export function answerWith(file: string): RequestListener {
  return (_request, response) => void createReadStream(file).pipe(response)
}
