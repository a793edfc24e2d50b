/** How long GCS may take, and how often a request that failed in passing is sent again. */
export interface GcsLimits {
  /** For a request that carries no bytes of objects, and for the head of a download. */
  readonly timeoutMs: number
  /** For a chunk of an upload, and between two pieces of a download. */
  readonly transferTimeoutMs: number
  readonly retries: number
  /** Delays double up to here. */
  readonly maxDelayMs: number
}

export const defaultLimits: GcsLimits = {
  timeoutMs: 10_000,
  transferTimeoutMs: 30_000,
  retries: 3,
  maxDelayMs: 8_000,
}

/** A request without bytes, with all its retries. */
export function totalMs({ timeoutMs, retries, maxDelayMs }: GcsLimits): number {
  return (retries + 1) * (timeoutMs + maxDelayMs)
}
