/** Of a process that also runs tests, whose work would keep it from accepting any. Without a limit of delays: a loop that did not turn has an infinite one. */
export const noPressure = { maxEventLoopDelayMs: 0, maxHeapBytes: 1e12, maxMemoryBytes: 0 }
