/** How long GCS may take, and how often a request that failed in passing is sent again. */
export interface GcsLimits {
  /** For one request without a body of bytes, for a chunk of an upload, and between two pieces of a download. */
  readonly timeoutMs: number
  readonly retries: number
  /** Delays double from 200 ms up to here. */
  readonly maxDelayMs: number
}

export const defaultLimits: GcsLimits = { timeoutMs: 30_000, retries: 4, maxDelayMs: 8_000 }

/** A request with all its retries. */
export function totalMs({ timeoutMs, retries, maxDelayMs }: GcsLimits): number {
  return (retries + 1) * (timeoutMs + maxDelayMs)
}
