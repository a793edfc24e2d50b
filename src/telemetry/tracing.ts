export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

export interface NewSpan {
  /** Of few values: a route, a step, a program. */
  readonly name: string
  readonly kind?: 'internal' | 'server' | 'client'
  /** `traceparent` of the span above. Left out: the active one, else a trace begins. Null: what runs inside is in no trace. */
  readonly parent?: string | null | undefined
  /** Never a URL, a path, an argument or a secret. */
  readonly attributes?: Attributes
}

/** A span that was over before anybody could be told: its id is known, and others name it as theirs above. */
export interface RecordedSpan extends NewSpan {
  readonly spanId: string
  readonly startMilliseconds: number
  readonly endMilliseconds: number
  readonly errorType?: string | undefined
}

export interface Span {
  set(attributes: Attributes): void
  /** Runs what belongs to it, as the active span of everything that this starts. */
  run<T>(work: () => T): T
  /** `errorType` says that it failed, and how in one word. */
  end(errorType?: string): void
}

/** The way to the tracing backend, or nothing at all where tracing is off. */
export interface Tracing {
  startSpan(span: NewSpan): Span
  /** Runs the work in a span that ends with it. */
  inSpan<T>(span: NewSpan, work: (span: Pick<Span, 'set'>) => Promise<T>): Promise<T>
  recordSpan(span: RecordedSpan): void
  /** `traceparent` of the active span, for whoever goes on with the work elsewhere. */
  traceParent(): string | undefined
  /** What a log line says about the active span. */
  logFields(): LogFields
  /** Sends what is left, within seconds. */
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
  /** Base address of an OTLP/HTTP collector. */
  readonly endpoint: string
  /** The process: `api` or `worker`. */
  readonly service: string
  /** Called when spans could not be delivered; they are lost. */
  readonly onError: (error: Error) => void
}

/** Loads OpenTelemetry only where there is an endpoint, since that costs a process a tenth of a second at its start. */
export async function openTracing({
  endpoint,
  ...options
}: Omit<TracingOptions, 'endpoint'> & { readonly endpoint: string | undefined }): Promise<Tracing> {
  if (!endpoint) return noTracing
  const { openOtlpTracing } = await import('./otlp-tracing.ts')
  return openOtlpTracing({ endpoint, ...options })
}
