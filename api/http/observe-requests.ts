import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Metrics } from '../../src/telemetry/metrics.ts'
import type { Span, Tracing } from '../../src/telemetry/tracing.ts'

/** Probes call these every few seconds; their traces have no use. */
const untraced: readonly string[] = ['/health', '/ready']

/** Measures every request and opens its span, which covers all work on the response. Must come before all other hooks. */
export function observeRequests(
  app: FastifyInstance,
  { metrics, tracing }: { metrics: Metrics; tracing: Tracing },
): void {
  const spans = new WeakMap<object, Span>()
  const inSpanOf = (request: object, next: () => void) => (spans.get(request)?.run ?? call)(next)

  app.addHook('onRequest', (request, _reply, next) => {
    const route = routeOf(request)
    const { traceparent } = request.headers
    const span = tracing.startSpan({
      name: `${request.method} ${route}`,
      kind: 'server',
      parent: untraced.includes(route) ? null : textOf(traceparent),
      attributes: { 'http.request.method': request.method, 'http.route': route, 'request.id': request.id },
    })
    spans.set(request, span)
    span.run(next)
  })
  // The events of a body run outside the request's context.
  app.addHook('preValidation', (request, _reply, next) => inSpanOf(request, next))
  app.addHook('onResponse', (request, reply, next) => {
    const { statusCode: status } = reply
    const { method } = request
    metrics.httpRequestSeconds.observe({ method, route: routeOf(request), status }, reply.elapsedTime / 1000)
    const span = spans.get(request)
    span?.set({ 'http.response.status_code': status })
    span?.end(status >= 500 ? String(status) : undefined)
    inSpanOf(request, next)
  })
}

/** The pattern of the matched route: paths as labels would create a time series each. */
function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? 'unmatched'
}

function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined
}

function call<T>(work: () => T): T {
  return work()
}

const jobPath = z.object({ job_id: z.string().max(80) })

/** Logs one line per request: its route and job, never its address, headers or body. */
export function logAccess(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        route: routeOf(request),
        jobId: jobPath.safeParse(request.params).data?.job_id,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    )
  })
}
