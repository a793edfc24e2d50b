import { mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import path from 'node:path'
import { freePort } from '../../scripts/stack/ports.ts'

/** How the server of a public URL answers. */
export const manners = [
  'ranges',
  'no ranges',
  'shorter than declared',
  'another range',
  'another version each time',
  'redirect to the canary',
  'redirect to itself',
  'server error',
  'claims gzip',
  'one byte a range',
  'drips',
] as const
type Manner = (typeof manners)[number]

interface Offered {
  readonly url: string
  /** How often the URL was asked for. */
  requests(): number
  forget(): void
}

export interface MediaHost {
  readonly host: string
  readonly port: number
  /** Serves the bytes until `forget`; returns their URL. */
  offer(name: string, bytes: Buffer, manner: Manner): Offered
  close(): void
}

/** A server of media on a loopback port that the service is allowed to read. */
export async function startMediaHost(port: number, canary: Canary): Promise<MediaHost> {
  const offered = new Map<string, { readonly bytes: Buffer; readonly manner: Manner; requests: number }>()
  let requests = 0
  let offers = 0
  const server = createServer((request, response) => {
    requests += 1
    const offer = offered.get(request.url ?? '')
    if (offer) offer.requests += 1
    if (offer) answers[offer.manner](request, response, { ...offer, canary, turn: requests })
    else response.writeHead(404).end()
  })
  server.listen(port, '127.0.0.1')
  return {
    host: '127.0.0.1',
    port,
    offer: (name, bytes, manner) => {
      offers += 1
      const route = `/${offers}/${name}`
      const offer = { bytes, manner, requests: 0 }
      offered.set(route, offer)
      return {
        url: `http://127.0.0.1:${port}${route}`,
        requests: () => offer.requests,
        forget: () => void offered.delete(route),
      }
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

type Answer = (request: IncomingMessage, response: ServerResponse, offer: Offer) => void

interface Offer {
  readonly bytes: Buffer
  readonly manner: Manner
  readonly canary: Canary
  /** The number of the request to this server. */
  readonly turn: number
}

const plain = { 'content-type': 'video/mp4' }
const ranged = { ...plain, 'accept-ranges': 'bytes', etag: '"same"' }

const answers: Readonly<Record<Manner, Answer>> = {
  ranges: (request, response, { bytes }) => sendRange(request, response, bytes, ranged),
  'no ranges': (_request, response, { bytes }) => void response.writeHead(200, plain).end(bytes),
  'shorter than declared': (_request, response, { bytes }) => {
    response.writeHead(200, { 'content-length': bytes.length + 1000 })
    response.write(bytes, () => response.destroy())
  },
  'another range': (request, response, { bytes }) => sendRange(request, response, bytes, ranged, 7),
  'another version each time': (request, response, { bytes, turn }) =>
    sendRange(request, response, bytes, { ...ranged, etag: `"${turn}"` }),
  'redirect to the canary': (_request, response, { canary }) =>
    void response.writeHead(302, { location: canary.url }).end(),
  'redirect to itself': ({ url }, response) => void response.writeHead(302, { location: url }).end(),
  'server error': (_request, response) => void response.writeHead(500).end('no'),
  'claims gzip': (_request, response, { bytes }) =>
    void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bytes),
  'one byte a range': (request, response, { bytes }) => {
    const start = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0)
    response.writeHead(206, { ...ranged, 'content-range': `bytes ${start}-${start}/${bytes.length}` })
    response.end(bytes.subarray(start, start + 1))
  },
  drips: (_request, response, { bytes }) => {
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': dripBytes })
    response.write(bytes.subarray(0, 4096))
    const timer = setInterval(() => response.write(Buffer.alloc(dripBytesASecond)), 1000)
    response.on('close', () => clearInterval(timer))
  },
}

/** Above the least rate that a source may have at first, so that only a limit of slots or a growing rate ends it. */
const dripBytesASecond = 20_000
const dripBytes = 500_000_000

function sendRange(
  request: IncomingMessage,
  response: ServerResponse,
  bytes: Buffer,
  headers: Readonly<Record<string, string>>,
  shift = 0,
): void {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
  const start = Number(first ?? 0)
  const end = Math.min(last ? Number(last) + 1 : bytes.length, bytes.length)
  const part = bytes.subarray(start, end)
  if (first === undefined) {
    response.writeHead(200, { ...headers, 'content-length': bytes.length })
  } else if (start >= end) {
    response.writeHead(416, { 'content-range': `bytes */${bytes.length}` })
  } else {
    const range = `bytes ${start + shift}-${end + shift - 1}/${bytes.length}`
    response.writeHead(206, { ...headers, 'content-range': range, 'content-length': part.length })
  }
  response.end(part)
}

export interface Canary {
  /** A loopback address that the service may not ask. */
  readonly url: string
  readonly port: number
  /** A file outside of the service's folders, which nothing may open. */
  readonly file: string
  /** What asked for the address or read the file, since the last call. */
  takeHits(): string[]
  close(): void
}

/** Neither the service nor its tools have a reason to touch what this starts: a hit is a finding. */
export async function startCanary(folder: string): Promise<Canary> {
  const port = await freePort()
  const hits: string[] = []
  const server = createServer((request, response) => {
    hits.push(`${request.method} ${request.url} asked the canary`)
    response.end()
  })
  server.listen(port, '127.0.0.1')
  mkdirSync(folder, { recursive: true })
  const file = path.join(folder, 'canary.txt')
  writeFileSync(file, 'The canary: nothing may read this.\n')
  setTrap(file)
  const seesReads = readFileSync(file).length > 0 && wasRead(file)
  setTrap(file)
  return {
    url: `http://127.0.0.1:${port}/canary.mp4`,
    port,
    file,
    takeHits: () => {
      const taken = hits.splice(0)
      if (!seesReads || !wasRead(file)) return taken
      setTrap(file)
      return [...taken, 'the canary file was read']
    },
    close: () => void server.close(),
  }
}

/** File systems note a read of a file whose last noted read is older than its last change (`relatime`). */
function setTrap(file: string): void {
  utimesSync(file, new Date(0), new Date())
}

function wasRead(file: string): boolean {
  return statSync(file).atimeMs > 0
}
