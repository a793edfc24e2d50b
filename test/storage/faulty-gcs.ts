import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import { type GcsEmulator, startGcsEmulator } from '../setup/gcs-emulator.ts'

export type Fault =
  /** Answered with this status instead of being forwarded. */
  | { readonly status: number }
  /** Neither answered nor forwarded. */
  | 'stall'
  /** Forwarded, but the response is lost with its connection. */
  | 'lose'
  /** Forwarded with one changed bit in its body. */
  | 'corrupt'
  /** The response stops after this many bytes of its body; the connection closes or stays open. */
  | { readonly breakAfterBytes: number }
  | { readonly stallAfterBytes: number }

export interface Seen {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingMessage['headers']
}

export interface FaultyGcs {
  readonly endpoint: string
  readonly bucket: string
  readonly emulator: GcsEmulator
  /** Every request, in order. */
  readonly seen: Seen[]
  /** Returns the fault of a request, or undefined for none. Each test sets it. */
  faultOf: (request: Seen) => Fault | undefined
  close(): Promise<void>
}

/**
 * The emulator behind a proxy with configurable faults. The proxy itself answers the query of an upload's progress, like
 * GCS: the emulator would treat the query as the end of the upload.
 */
export async function startFaultyGcs(): Promise<FaultyGcs> {
  const emulator = await startGcsEmulator()
  const uploads = new Map<string, { arrivedBytes: number; finished?: Buffer }>()
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = z.object({ port: z.int() }).parse(server.address())
  const endpoint = `http://127.0.0.1:${port}`

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', headers } = request
    const seen = { method, url: new URL(request.url ?? '', endpoint), headers }
    gcs.seen.push(seen)
    const fault = gcs.faultOf(seen)
    const body = await buffer(request)
    if (fault === 'stall') return
    if (typeof fault === 'object' && 'status' in fault) return void response.writeHead(fault.status).end()
    if (fault === 'corrupt') body[0] = (body[0] ?? 0) ^ 1
    const answer = headers['content-range'] === 'bytes */*' ? progressOf(seen.url) : await passOn(seen, body)
    if (fault === 'lose') return void response.destroy()
    response.writeHead(answer.status, answer.headers)
    if (typeof fault !== 'object') return void response.end(answer.body)
    const bytes = 'breakAfterBytes' in fault ? fault.breakAfterBytes : fault.stallAfterBytes
    response.write(answer.body.subarray(0, bytes), () => {
      if ('breakAfterBytes' in fault) response.destroy()
    })
  }

  async function passOn({ method, url, headers }: Seen, body: Buffer) {
    const { host: _host, connection: _connection, 'transfer-encoding': _encoding, ...kept } = headers
    const answer = await fetch(`${emulator.endpoint}${url.pathname}${url.search}`, {
      method,
      headers: Object.entries(kept).map(([name, value]): [string, string] => [name, String(value)]),
      ...(method === 'GET' || method === 'HEAD' ? {} : { body: new Uint8Array(body) }),
      redirect: 'manual',
    })
    const answered = Buffer.from(await answer.arrayBuffer())
    const end = /^bytes \d+-(\d+)\//.exec(headers['content-range'] ?? '')?.[1]
    if (method === 'PUT') {
      uploads.set(url.search, {
        arrivedBytes: Number(end ?? -1) + 1,
        ...(answer.status === 200 ? { finished: answered } : {}),
      })
    }
    const answeredHeaders = Object.fromEntries(answer.headers)
    if (answeredHeaders['location']) {
      answeredHeaders['location'] = answeredHeaders['location'].replace(emulator.endpoint, endpoint)
    }
    return { status: answer.status, headers: answeredHeaders, body: answered }
  }

  function progressOf(url: URL) {
    const { arrivedBytes = 0, finished } = uploads.get(url.search) ?? {}
    if (finished) return { status: 200, headers: {}, body: finished }
    return {
      status: 308,
      headers: arrivedBytes > 0 ? { range: `bytes=0-${arrivedBytes - 1}` } : {},
      body: Buffer.alloc(0),
    }
  }

  const gcs: FaultyGcs = {
    endpoint,
    bucket: emulator.bucket,
    emulator,
    seen: [],
    faultOf: () => undefined,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await emulator.stop()
    },
  }
  return gcs
}
