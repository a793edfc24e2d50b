import { dayMs } from '../core/time-code.ts'

const minute = 60
const hour = 60 * minute

/** Seconds before each attempt of a delivery, as Standard Webhooks recommends: the last one ends four days after the first. */
const retrySeconds = [0, 5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]

/** Seconds until a webhook endpoint that fails is tried again, by the number of failures in a row. */
const probeSeconds = [5, 5 * minute, 30 * minute]

/** An endpoint without a success for this long is disabled; a notice tells of it after a day. */
export const disableAfterMs = 5 * dayMs
export const noticeAfterMs = dayMs

interface Failed {
  readonly at: Date
  /** What the answer asked for, in its header retry-after. */
  readonly retryAfterMs?: number | undefined
}

/** When a delivery is attempted again that has had this many attempts; undefined after the last. */
export function nextAttempt(attempts: number, { at, retryAfterMs }: Failed): Date | undefined {
  const seconds = retrySeconds[attempts]
  return seconds === undefined ? undefined : later(at, seconds, retryAfterMs)
}

/** When an endpoint is tried again that has failed this many times in a row. */
export function nextProbe(failures: number, { at, retryAfterMs }: Failed): Date {
  return later(at, probeSeconds[Math.min(failures, probeSeconds.length) - 1] ?? 0, retryAfterMs)
}

/** Up to 10 % sooner or later, so that what failed together does not return together. */
function later(at: Date, seconds: number, retryAfterMs = 0): Date {
  const jittered = seconds * 1000 * (0.9 + Math.random() * 0.2)
  return new Date(at.getTime() + Math.max(jittered, Math.min(retryAfterMs, dayMs)))
}
