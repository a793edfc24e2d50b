import { vi } from 'vitest'

/** Polls `look` until its result is not empty, for up to a minute. */
export const untilFound = <T>(look: () => T | Promise<T>) => vi.waitUntil(look, { timeout: 60_000, interval: 50 })
