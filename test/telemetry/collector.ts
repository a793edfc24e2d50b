import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'

const value = z.object({ stringValue: z.string() }).or(z.object({ intValue: z.union([z.int(), z.string()]) }))
const attributes = z.array(z.object({ key: z.string(), value: value.or(z.record(z.string(), z.unknown())) }))
const span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  startTimeUnixNano: z.coerce.bigint(),
  endTimeUnixNano: z.coerce.bigint(),
  attributes,
  status: z.object({ code: z.int().optional(), message: z.string().optional() }),
})
const request = z.object({
  resourceSpans: z.array(
    z.object({ resource: z.object({ attributes }), scopeSpans: z.array(z.object({ spans: z.array(span) })) }),
  ),
})

export interface ReceivedSpan extends Omit<z.output<typeof span>, 'attributes'> {
  readonly service: unknown
  readonly attributes: Readonly<Record<string, unknown>>
}

/** Receives traces like an OTLP/HTTP JSON collector. */
export async function startCollector() {
  const spans: ReceivedSpan[] = []
  const bodies: string[] = []
  const server = createServer((incoming, response) => {
    void text(incoming).then((body) => {
      bodies.push(`${incoming.url} ${body}`)
      for (const { resource, scopeSpans } of request.parse(JSON.parse(body)).resourceSpans) {
        const service = named(resource.attributes)['service.name']
        for (const received of scopeSpans.flatMap((scope) => scope.spans)) {
          spans.push({ ...received, service, attributes: named(received.attributes) })
        }
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(z.object({ port: z.number() }).parse(server.address()).port))
  })
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    /** The received bodies, unchanged. */
    bodies,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

function named(list: z.output<typeof attributes>): Record<string, unknown> {
  return Object.fromEntries(list.map(({ key, value: wrapped }) => [key, Object.values(wrapped)[0]]))
}
