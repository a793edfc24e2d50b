import type { ServiceError } from '../../core/errors.ts'
import { unreachable } from './source-errors.ts'

/** How long to wait for a source. */
export interface TransferLimits {
  /** In all; an hour by default. */
  readonly totalMs?: number
  /** How long it may be slow at first; a minute by default. */
  readonly slowStartMs?: number
}

const defaultTotalMs = 3_600_000
const defaultSlowStartMs = 60_000
/** About the rate of speech: a slower source would only occupy a slot. */
const minBytesPerSecond = 16 * 1024

/** Throws if a source arrives too slowly. `waitedMs` is the time spent waiting for it. */
export function assertMinimumRate(bytes: number, waitedMs: number, limits: TransferLimits): void {
  const { totalMs = defaultTotalMs, slowStartMs = defaultSlowStartMs } = limits
  const isSlow = waitedMs > slowStartMs && (bytes * 1000) / waitedMs < minBytesPerSecond
  if (isSlow || waitedMs > totalMs) throw tooLong()
}

function tooLong(): ServiceError {
  return unreachable('The media downloads too slowly. Use a faster server', false)
}
