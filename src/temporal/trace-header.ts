import { defaultPayloadConverter, type Headers } from '@temporalio/common'
import { traceHeader } from '../core/trace-parent.ts'

/** Headers with the trace context for a workflow. */
export function withTraceParent(headers: Headers, traceParent: string | undefined): Headers {
  return traceParent ? { ...headers, [traceHeader]: defaultPayloadConverter.toPayload(traceParent) } : headers
}

/** Null if the headers have no trace context. */
export function traceParentOf(headers: Headers): string | null {
  const payload = headers[traceHeader]
  return payload ? defaultPayloadConverter.fromPayload<string>(payload) : null
}
