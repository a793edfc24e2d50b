import { readFileSync } from 'node:fs'
import http, { type RequestListener } from 'node:http'
import https from 'node:https'
import net, { type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A certificate for media.test and 127.0.0.1 that signs itself; it secures nothing but these tests. */
export const certificate = readFileSync(new URL('certificates/media-test-certificate.pem', import.meta.url), 'utf8')
const key = readFileSync(new URL('certificates/media-test-key.pem', import.meta.url), 'utf8')

export async function serveHttp(listener: RequestListener): Promise<number> {
  return listen(http.createServer(listener))
}

export async function serveHttps(listener: RequestListener): Promise<number> {
  return listen(https.createServer({ cert: certificate, key }, listener))
}

/** For what no HTTP library would send. The answer starts when the request's headers are in. */
export async function serveRaw(answer: (socket: Socket) => void): Promise<number> {
  return listen(
    net.createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => answer(socket))
    }),
  )
}

/** Listens on a free port until the running test is over. */
async function listen(server: net.Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('not listening on a port')
  return address.port
}

export const mediaBytes = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251))

export const serveMedia: RequestListener = (_request, response) => void response.end(mediaBytes)

export function redirectTo(location: string, status = 302): RequestListener {
  return (_request, response) => void response.writeHead(status, { location }).end()
}
