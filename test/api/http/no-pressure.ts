/** Of a process that also runs tests, whose work would keep it from accepting any. */
export const noPressure = { maxEventLoopDelayMs: 60_000, maxHeapBytes: 1e12, maxMemoryBytes: 0 }
