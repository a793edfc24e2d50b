import { readFileSync } from 'node:fs'
import type { RequestListener, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { parseByteRange } from '../../../src/core/served-file.ts'

export interface RangedServer {
  readonly listener: RequestListener
  /** The Range headers of the requests that were answered. */
  readonly ranges: string[]
}

export interface RangedOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** Ends answers after so many bytes, as often. */
  readonly drops?: { readonly afterBytes: number; times: number }
  /** Sends an answer in eight pieces, one after so long. */
  readonly msPerPiece?: number
}

/** Serves a file, or bytes, as an ordinary web server does. */
export function rangedServer(media: string | Buffer, options: RangedOptions = {}): RangedServer {
  const bytes = typeof media === 'string' ? readFileSync(media) : media
  const { headers = { etag: '"1"' }, drops, msPerPiece } = options
  const ranges: string[] = []

  async function drip(response: ServerResponse, body: Buffer, ms: number): Promise<void> {
    const length = Math.ceil(body.length / 8)
    for (let at = 0; at < body.length && !response.destroyed; at += length) {
      await delay(ms)
      response.write(body.subarray(at, at + length))
    }
    response.end()
  }

  function send(response: ServerResponse, body: Buffer): void {
    if (msPerPiece !== undefined) return void drip(response, body, msPerPiece)
    const isDropped = drops !== undefined && drops.times > 0 && body.length > drops.afterBytes
    const part = isDropped ? body.subarray(0, drops.afterBytes) : body
    if (isDropped) drops.times -= 1
    response.write(part, () => (isDropped ? response.destroy() : response.end()))
  }

  return {
    ranges,
    listener: (request, response) => {
      const asked = request.headers.range
      ranges.push(asked ?? '')
      const range = asked === undefined ? 'whole' : parseByteRange(asked, bytes.length)
      if (range === 'unsatisfiable') return void response.writeHead(416).end()
      const { start, end } = range === 'whole' ? { start: 0, end: bytes.length - 1 } : range
      response.writeHead(range === 'whole' ? 200 : 206, {
        ...headers,
        'content-length': end - start + 1,
        ...(range === 'whole' ? {} : { 'content-range': `bytes ${start}-${end}/${bytes.length}` }),
      })
      send(response, bytes.subarray(start, end + 1))
    },
  }
}
