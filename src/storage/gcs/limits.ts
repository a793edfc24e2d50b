/** How long GCS can take, and how often a failed request is retried. */
export interface GcsLimits {
  /** For a request without object bytes, and for the headers of a download. */
  readonly timeoutMs: number
  /** For a chunk of an upload, and between two reads of a download. */
  readonly transferTimeoutMs: number
  readonly retries: number
  /** Delays double up to this. */
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
