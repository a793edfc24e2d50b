import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { parseByteRange } from '../../core/served-file.ts'

export interface ServedBytes {
  readonly bytes: number
  read(start: number): AsyncIterable<Buffer>
  /** Receives errors of `read`: over HTTP, a reader sees only that the connection ends. */
  onError(error: unknown): void
}

/** Serves bytes to the tools on this machine, at URLs that cannot be guessed. */
export interface SourceServer {
  serve(served: ServedBytes): { readonly loopbackUrl: string; readonly end: () => void }
  close(): Promise<void>
}

export async function openSourceServer(): Promise<SourceServer> {
  const all = new Map<string, ServedBytes>()
  const server = createServer((request, response) => {
    const served = all.get(request.url ?? '')
    if (served && request.method === 'GET') void answer(served, request, response)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('not listening on a port')
  const baseUrl = `http://127.0.0.1:${address.port}`
  return {
    serve: (served) => {
      const path = `/${randomBytes(24).toString('base64url')}`
      all.set(path, served)
      return { loopbackUrl: `${baseUrl}${path}`, end: () => all.delete(path) }
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function answer(served: ServedBytes, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const range = parseByteRange(request.headers.range ?? '', served.bytes)
  if (range === 'unsatisfiable') return void response.writeHead(416).end()
  const { start, end } = range === 'whole' ? { start: 0, end: served.bytes - 1 } : range
  response.writeHead(range === 'whole' ? 200 : 206, {
    'accept-ranges': 'bytes',
    'content-length': end - start + 1,
    ...(range === 'whole' ? {} : { 'content-range': `bytes ${start}-${end}/${served.bytes}` }),
  })
  let isWanted = true
  response.once('close', () => {
    isWanted = false
  })
  try {
    await pipeline(upTo(end + 1 - start, served.read(start)), response)
  } catch (error) {
    response.destroy()
    // Tools may close a connection at any time; that is not an error.
    if (isWanted) served.onError(error)
  }
}

async function* upTo(length: number, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let left = length
  for await (const chunk of chunks) {
    yield chunk.subarray(0, left)
    left -= chunk.length
    if (left <= 0) return
  }
}
