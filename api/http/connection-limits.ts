import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { getHeapStatistics } from 'node:v8'
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../src/config.ts'
import { createCounts } from '../../src/core/counts.ts'
import { ServiceError } from '../../src/core/errors.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { outageSeconds } from './errors.ts'
import { networkOf, wideNetworkOf } from './rate-limits.ts'

/** Headers are a few kB; a client that needs longer holds a connection and sends nothing. */
const headersMilliseconds = 10_000
/** 256 kB of JSON at 13 kB a second: slower than any link that a server has. Uploads have their own limit. */
const bodyMilliseconds = 20_000
const checkMilliseconds = 2_000

/** Options of the HTTP server. Node's own `requestTimeout` would also end uploads, so bodies are timed below. */
export const serverTimeouts = { headersTimeout: headersMilliseconds, connectionsCheckingInterval: checkMilliseconds }

const bodyTimers = new WeakMap<IncomingMessage, NodeJS.Timeout>()

/** Ends requests whose body does not arrive in time, also while the rest of a refused one is read. */
export function limitBodyTime(server: Server): void {
  server.on('request', (request: IncomingMessage) => {
    const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers
    if (encoding === undefined && Number(length) === 0) return
    const { socket } = request
    const written = socket.bytesWritten
    limitBody(request, () => {
      // The code that Node itself uses. If a response was sent, the connection is only closed.
      const error = Object.assign(new Error('body too slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
      if (socket.bytesWritten > written) socket.destroy()
      else server.emit('clientError', error, socket)
    })
  })
}

/** Calls `end` if the rest of the body does not arrive in time. By default, closes the connection, unless the whole request has arrived. */
export function limitBody(request: IncomingMessage, end: () => void = () => void request.destroy()): void {
  allowLongBody(request)
  const timer = setTimeout(end, bodyMilliseconds).unref()
  bodyTimers.set(request, timer)
  for (const event of ['end', 'close']) request.once(event, () => clearTimeout(timer))
}

/** For an upload, which may take as long as its own limits allow. */
export function allowLongBody(request: IncomingMessage): void {
  clearTimeout(bodyTimers.get(request))
}

type Limits = Pick<Config, 'MAX_CONNECTIONS' | 'MAX_CONNECTIONS_PER_ADDRESS' | 'TRUST_PROXY'>

/** Of the addresses of one network, together: neighbours of one subscriber, or of one data centre. */
const maxAddressesPerNetwork = 4

/**
 * Limits the open connections of the process, of each network address, and of each network of addresses. Behind proxies, whose connections serve many
 * clients, counts the open requests of each client's address instead.
 */
export function limitConnections(app: FastifyInstance, config: Limits): void {
  const { MAX_CONNECTIONS: most, MAX_CONNECTIONS_PER_ADDRESS: mostEach, TRUST_PROXY: proxies } = config
  const open = createCounts()
  const openWide = createCounts()
  app.server.maxConnections = most
  if (proxies === 0) {
    app.server.on('connection', (socket: Socket) => {
      const address = socket.remoteAddress ?? ''
      const [network, wide] = [networkOf(address), wideNetworkOf(address)]
      const isFull = open.of(network) >= mostEach || openWide.of(wide) >= mostEach * maxAddressesPerNetwork
      if (isFull) return void socket.destroy()
      open.add(network)
      openWide.add(wide)
      socket.once('close', () => {
        open.remove(network)
        openWide.remove(wide)
      })
    })
    return
  }
  app.addHook('onRequest', async ({ ip }, { raw }) => {
    const network = networkOf(ip)
    if (open.of(network) >= mostEach) {
      const message = `This address has ${mostEach} open requests. Wait until some of them have ended.`
      throw new ServiceError('rate_limited', message, { retryAfterSeconds: 1 })
    }
    open.add(network)
    raw.once('close', () => open.remove(network))
  })
}

export interface PressureLimits {
  readonly maxEventLoopDelayMs: number
  readonly maxHeapBytes: number
  /** 0 for no limit. */
  readonly maxMemoryBytes: number
}

/** Whether this process accepts new work. Reads, waits, cancellations and accepted work continue in any case. */
export interface Pressure {
  check(): Promise<{ readonly process: boolean; readonly disk: boolean }>
  /** Throws `service_unavailable` while memory or event loop are short. */
  assertAcceptsWork(): void
  /** Throws `service_unavailable` also while the storage has no room for this many bytes. */
  assertAcceptsBytes(bytes: number): Promise<void>
}

/** The longest delay, as the average of two seconds. A process with a longer one has more work than it can do. */
const maxEventLoopDelayMs = 1_000
const sampleMs = 2_000
/** The part of the heap, and of the container's memory, that may be used. The rest must suffice to finish the accepted requests. */
const maxMemoryFraction = 0.85

function defaultPressureLimits(): PressureLimits {
  const containerBytes = process.constrainedMemory()
  // Without a limit, the kernel reports 0 or an enormous number.
  const isLimited = containerBytes > 0 && containerBytes < Number.MAX_SAFE_INTEGER
  return {
    maxEventLoopDelayMs,
    maxHeapBytes: getHeapStatistics().heap_size_limit * maxMemoryFraction,
    maxMemoryBytes: isLimited ? containerBytes * maxMemoryFraction : 0,
  }
}

/** Watches memory, event loop and the storage's disk. */
export async function watchPressure(
  app: FastifyInstance,
  {
    storage,
    pressureLimits: limits = defaultPressureLimits(),
  }: { readonly storage: Pick<Storage, 'hasRoom'>; readonly pressureLimits?: PressureLimits | undefined },
): Promise<Pressure> {
  await app.register(underPressure, {
    sampleInterval: sampleMs,
    maxEventLoopDelay: limits.maxEventLoopDelayMs,
    maxHeapUsedBytes: limits.maxHeapBytes,
    maxRssBytes: limits.maxMemoryBytes,
    // Handlers of new work check the pressure themselves; all other requests continue.
    pressureHandler: () => {},
  })
  const assertAcceptsWork = () => {
    if (app.isUnderPressure()) throw refusal('The service has more work than it can accept now.')
  }
  return {
    check: async () => ({ process: !app.isUnderPressure(), disk: await storage.hasRoom(0).catch(() => false) }),
    assertAcceptsWork,
    assertAcceptsBytes: async (bytes) => {
      assertAcceptsWork()
      if (!(await storage.hasRoom(bytes))) throw refusal('The service has no room for this upload now.')
    },
  }
}

function refusal(reason: string): ServiceError {
  return new ServiceError('service_unavailable', `${reason} Try again after the number of seconds in Retry-After.`, {
    retryAfterSeconds: outageSeconds,
  })
}
