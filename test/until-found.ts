import { vi } from 'vitest'

/** Polls `look` until its result is not empty, for up to three minutes: a passing test on a busy machine waits no longer than it has to. */
export const untilFound = <T>(look: () => T | Promise<T>) => vi.waitUntil(look, { timeout: 180_000, interval: 50 })
