export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

export interface NewSpan {
  /** One of few values: a route, an activity, a program. */
  readonly name: string
  readonly kind?: 'internal' | 'server' | 'client'
  /** `traceparent` of the parent. Left out: the active span, or a new trace without one. Null: no tracing inside. */
  readonly parent?: string | null | undefined
  /** Never a URL, a path, an argument or a secret. */
  readonly attributes?: Attributes
}

/** A span that is reported after its end. Its id is given, because its children have already named it as their parent. */
export interface RecordedSpan extends NewSpan {
  readonly spanId: string
  readonly startMilliseconds: number
  readonly endMilliseconds: number
  readonly errorType?: string | undefined
}

export interface Span {
  set(attributes: Attributes): void
  /** Runs the work with this span as the active one. */
  run<T>(work: () => T): T
  /** `errorType` marks the span as failed, with an error code. */
  end(errorType?: string): void
}

/** The connection to the tracing backend; does nothing if tracing is off. */
export interface Tracing {
  startSpan(span: NewSpan): Span
  /** Runs the work in a span, which ends with it. */
  inSpan<T>(span: NewSpan, work: (span: Pick<Span, 'set'>) => Promise<T>): Promise<T>
  recordSpan(span: RecordedSpan): void
  /** `traceparent` of the active span, for the process that continues the work. */
  traceParent(): string | undefined
  /** The fields of a log line for the active span. */
  logFields(): LogFields
  /** Sends the remaining spans, within seconds. */
  close(): Promise<void>
}

export interface LogFields {
  readonly trace_id?: string
  readonly span_id?: string
}

const noSpan: Span = { set: () => {}, run: (work) => work(), end: () => {} }
const noFields: LogFields = {}

export const noTracing: Tracing = {
  startSpan: () => noSpan,
  inSpan: (_span, work) => work(noSpan),
  recordSpan: () => {},
  traceParent: () => undefined,
  logFields: () => noFields,
  close: async () => {},
}

export interface TracingOptions {
  /** The base address of an OTLP/HTTP collector. */
  readonly endpoint: string
  /** The process: `api` or `worker`. */
  readonly service: string
  /** Called when spans could not be delivered and are lost. */
  readonly onError: (error: Error) => void
}

/** Loads OpenTelemetry only if spans have an `endpoint` to go to, because loading takes a tenth of a second. */
export async function openTracing({
  endpoint,
  ...options
}: Omit<TracingOptions, 'endpoint'> & { readonly endpoint: string | undefined }): Promise<Tracing> {
  if (!endpoint) return noTracing
  const { openOtlpTracing } = await import('./otlp-tracing.ts')
  return openOtlpTracing({ endpoint, ...options })
}
