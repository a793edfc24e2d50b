import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Context,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  RandomIdGenerator,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-node'
import { errorTypeOf } from './metrics.ts'
import { formatTraceParent, parseTraceParent } from './trace-parent.ts'
import type { NewSpan, Span, Tracing, TracingOptions } from './tracing.ts'

/** The limit of one delivery with its retries, and so of closing. */
const deliveryMilliseconds = 3_000
const batchMilliseconds = 1_000

const kinds = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, client: SpanKind.CLIENT }

/** Sends spans as OTLP/HTTP JSON, in batches. Does not use OpenTelemetry's globals: the active span is stored here. */
export function openOtlpTracing({ endpoint, service, onError }: TracingOptions): Tracing {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: deliveryMilliseconds })
  const ids = createIds()
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': `media-timeline-${service}` }),
    idGenerator: ids,
    spanProcessors: [new BatchSpanProcessor(reporting(exporter, onError), { scheduledDelayMillis: batchMilliseconds })],
  })
  const tracer = provider.getTracer('media-timeline')
  const active = new AsyncLocalStorage<OtelSpan | undefined>()

  const above = (parent: string | undefined): Context => {
    if (parent === undefined) {
      const span = active.getStore()
      return span ? trace.setSpan(ROOT_CONTEXT, span) : ROOT_CONTEXT
    }
    const parsed = parseTraceParent(parent)
    if (!parsed) return ROOT_CONTEXT
    const { isSampled, ...remote } = parsed
    const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE
    return trace.setSpanContext(ROOT_CONTEXT, { ...remote, traceFlags, isRemote: true })
  }
  const start = ({ name, kind = 'internal', parent, attributes = {} }: NewSpan, startTime?: number) =>
    tracer.startSpan(
      name,
      { kind: kinds[kind], attributes, ...(startTime ? { startTime } : {}) },
      above(parent ?? undefined),
    )
  const startSpan = (input: NewSpan): Span => {
    if (input.parent === null) return { set: () => {}, run: (work) => active.run(undefined, work), end: () => {} }
    const span = start(input)
    return {
      set: (attributes) => void span.setAttributes(attributes),
      run: (work) => active.run(span, work),
      end: (errorType) => endSpan(span, errorType),
    }
  }

  return {
    startSpan,
    inSpan: async (input, work) => {
      const span = startSpan(input)
      try {
        const result = await span.run(() => work(span))
        span.end()
        return result
      } catch (error) {
        span.end(errorTypeOf(error))
        throw error
      }
    },
    recordSpan: ({ spanId, startMilliseconds, endMilliseconds, errorType, ...input }) =>
      endSpan(
        ids.using(spanId, () => start(input, startMilliseconds)),
        errorType,
        endMilliseconds,
      ),
    traceParent: () => {
      const context = active.getStore()?.spanContext()
      return context && formatTraceParent({ ...context, isSampled: (context.traceFlags & TraceFlags.SAMPLED) !== 0 })
    },
    logFields: () => {
      const context = active.getStore()?.spanContext()
      return context ? { trace_id: context.traceId, span_id: context.spanId } : {}
    },
    close: () => provider.shutdown().catch(onError),
  }
}

function endSpan(span: OtelSpan, errorType: string | undefined, endTime?: number): void {
  if (errorType)
    span.setAttribute('error.type', errorType).setStatus({ code: SpanStatusCode.ERROR, message: errorType })
  span.end(endTime)
}

/** Random ids, except for the span that is begun inside `using`. */
function createIds() {
  const random = new RandomIdGenerator()
  let given: string | undefined
  return {
    generateTraceId: () => random.generateTraceId(),
    generateSpanId: () => given ?? random.generateSpanId(),
    using: <T>(spanId: string, begin: () => T): T => {
      given = spanId
      try {
        return begin()
      } finally {
        given = undefined
      }
    },
  }
}

/** Reports failed deliveries, which the processor hides. */
function reporting(exporter: SpanExporter, onError: (error: Error) => void): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error) onError(result.error)
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}
