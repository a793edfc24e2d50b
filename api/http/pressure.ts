import { getHeapStatistics } from 'node:v8'
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../src/core/errors.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { outageSeconds } from './errors.ts'

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
  { storage }: { readonly storage: Pick<Storage, 'hasRoom'> },
  limits = defaultPressureLimits(),
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
