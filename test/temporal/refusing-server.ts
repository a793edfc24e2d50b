import http2 from 'node:http2'
import type { AddressInfo } from 'node:net'

export interface RefusingServer {
  readonly address: string
  close(): void
}

/** A gRPC proxy to the Temporal at `upstream` that refuses some methods, like Temporal Cloud. */
export async function startRefusingServer(
  upstream: string,
  refused: readonly string[],
  grpcStatus: number,
): Promise<RefusingServer> {
  const session = http2.connect(`http://${upstream}`)
  const server = http2.createServer()
  const clients = new Set<http2.ServerHttp2Session>()
  server.on('session', (client) => clients.add(client))
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {})
    if (refused.includes(String(headers[':path']).split('/').at(-1) ?? '')) {
      stream.respond({ 'content-type': 'application/grpc', 'grpc-status': grpcStatus }, { endStream: true })
      return
    }
    const request = session.request(headers)
    request.on('error', () => stream.close())
    let trailers: http2.IncomingHttpHeaders = {}
    request.on('trailers', (received) => {
      trailers = received
    })
    request.on('response', (received) => {
      // A response with only a status has no trailers.
      const isOnlyStatus = received['grpc-status'] !== undefined
      stream.respond(received, isOnlyStatus ? { endStream: true } : { waitForTrailers: true })
      if (!isOnlyStatus) request.pipe(stream)
    })
    stream.on('wantTrailers', () => stream.sendTrailers(trailers))
    stream.pipe(request)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${portOf(server.address())}`,
    close: () => {
      for (const client of clients) client.destroy()
      session.destroy()
      server.close()
    },
  }
}

function portOf(address: AddressInfo | string | null): number {
  if (typeof address !== 'object' || !address) throw new Error('the server does not listen')
  return address.port
}
