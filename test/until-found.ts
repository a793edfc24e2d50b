import { vi } from 'vitest'

/** What `look` first finds that is not empty, asked again and again; a slow machine gets its minute. */
export const untilFound = <T>(look: () => T | Promise<T>) => vi.waitUntil(look, { timeout: 60_000, interval: 50 })
