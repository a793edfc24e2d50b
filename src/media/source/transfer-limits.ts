import { SlowSourceError, unreachable } from '../../net/source-errors.ts'
import { createWaitClock } from './wait-clock.ts'

/** How long to wait for a source. */
export interface TransferLimits {
  /** In total; an hour by default. */
  readonly totalMs?: number
  /** How long it may be slow at first; a minute by default. */
  readonly slowStartMs?: number
}

/** The bytes that arrived, and the time spent waiting for them. */
export interface Transfer {
  readonly bytes: number
  readonly waitedMs: number
}

export const defaultTotalMs = 3_600_000
const defaultSlowStartMs = 60_000
/** About the rate of speech: a slower source would only occupy a slot. */
const speechBytesPerSecond = 16 * 1024
/** The minimum rate grows by the rate of speech in each such period, so that a source that occupies a slot for longer delivers more. */
const growthMs = 300_000

/** The average rate that a source must have after a time, in bytes per second. */
export function leastRate(waitedMs: number): number {
  return speechBytesPerSecond * (1 + waitedMs / growthMs)
}

/** Throws a SlowSourceError if a source arrives slower than `leastRate`. */
export function assertMinimumRate({ bytes, waitedMs }: Transfer, limits: TransferLimits): void {
  const { slowStartMs = defaultSlowStartMs } = limits
  if (waitedMs > slowStartMs && (bytes * 1000) / waitedMs < leastRate(waitedMs)) throw new SlowSourceError()
}

/** Throws an error that is not retried if a source took too long in total. */
export function assertTotalTime({ waitedMs }: Transfer, { totalMs = defaultTotalMs }: TransferLimits): void {
  if (waitedMs > totalMs) throw unreachable('The media downloads too slowly. Use a faster server', false)
}

/** Measures a transfer against its limits: the time in total, and the rate since the source last got a slot. */
export function meterTransfer(limits: TransferLimits) {
  // Several readers may wait simultaneously: their time counts once.
  const clock = createWaitClock()
  let bytes = 0
  let turn: Transfer = { bytes: 0, waitedMs: 0 }
  return {
    bytes: () => bytes,
    beginTurn: () => {
      turn = { bytes, waitedMs: clock.waitedMs() }
    },
    add: (arrived: number) => {
      bytes += arrived
    },
    /** Counts the time of the step. Throws if the transfer then exceeds a limit. */
    waitFor: async <T>(step: Promise<T>): Promise<T> => {
      try {
        return await clock.waitFor(step)
      } finally {
        const waitedMs = clock.waitedMs()
        assertTotalTime({ bytes, waitedMs }, limits)
        assertMinimumRate({ bytes: bytes - turn.bytes, waitedMs: waitedMs - turn.waitedMs }, limits)
      }
    },
  }
}
