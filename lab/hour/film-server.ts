import { once } from 'node:events'
import { createReadStream, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { parseByteRange } from '../../src/core/served-file.ts'

export interface FilmServer {
  /** `host:port`. */
  readonly host: string
  /** Each name looks like a separate file, with its own ETag. */
  url(name: string): string
  /** Bytes sent since the last call. */
  takeSentBytes(): number
  close(): Promise<void>
}

/** Serves one file with ranges, at most `bytesPerSecond` over each connection. */
export async function serveFilm(file: string, bytesPerSecond: number): Promise<FilmServer> {
  const { size } = statSync(file)
  let sent = 0

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const range = parseByteRange(request.headers.range ?? '', size)
    const isPart = typeof range !== 'string'
    const { start, end } = isPart ? range : { start: 0, end: size - 1 }
    response.writeHead(isPart ? 206 : 200, {
      etag: JSON.stringify(request.url),
      'content-length': end - start + 1,
      ...(isPart ? { 'content-range': `bytes ${start}-${end}/${size}` } : {}),
    })
    if (request.method === 'HEAD') return void response.end()
    await pipeline(createReadStream(file, { start, end, highWaterMark: 2 ** 18 }), throttle, response)
  }

  async function* throttle(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const began = performance.now()
    let bytes = 0
    for await (const chunk of chunks) {
      bytes += chunk.length
      sent += chunk.length
      yield chunk
      const early = (bytes / bytesPerSecond) * 1000 - (performance.now() - began)
      if (early > 1) await delay(early)
    }
  }

  const server = createServer((request, response) => {
    // Clients close the connection when they have enough.
    answer(request, response).catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('not listening on a port')
  const host = `127.0.0.1:${address.port}`
  return {
    host,
    url: (name) => `http://${host}/${name}`,
    takeSentBytes: () => {
      const bytes = sent
      sent = 0
      return bytes
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
