/** The parts of a `traceparent` (W3C Trace Context, version 00). */
export interface TraceParent {
  readonly traceId: string
  readonly spanId: string
  readonly isSampled: boolean
}

const pattern = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/

/** Undefined for a malformed header; W3C Trace Context then starts a new trace. */
export function parseTraceParent(text: string): TraceParent | undefined {
  const [, traceId, spanId, flags] = pattern.exec(text) ?? []
  if (!traceId || !spanId || !flags) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export function formatTraceParent({ traceId, spanId, isSampled }: TraceParent): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
}

/** The header that carries the trace context to workflows and their activities. */
export const traceHeader = 'traceparent'
