import { defaultPayloadConverter, type Headers } from '@temporalio/common'
import { traceHeader } from '../core/trace-parent.ts'

/** Headers that carry a trace to a workflow. */
export function withTraceParent(headers: Headers, traceParent: string | undefined): Headers {
  return traceParent ? { ...headers, [traceHeader]: defaultPayloadConverter.toPayload(traceParent) } : headers
}

/** Null where the headers carry none. */
export function traceParentOf(headers: Headers): string | null {
  const payload = headers[traceHeader]
  return payload ? defaultPayloadConverter.fromPayload<string>(payload) : null
}
