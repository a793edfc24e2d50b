import { readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { z } from 'zod'
import { tools } from '../../api/mcp/tool-list.ts'
import type { RequestCase, SignedUrlCase } from './cases.ts'

/** What requests may name: ours, the canary's, and what is neither. */
const names = [
  'film',
  'sound',
  'job',
  'upload',
  'canary',
  'canary file',
  'canary number',
  'canary six',
  'canary user',
].map((name) => `{${name}}`)
const odd = ['', ' ', '\0', '\u202e', '\ud800', '../../../etc/passwd', '%00', "' or 1=1 --", '__proto__']
const text = fc.oneof(
  fc.constantFrom(...names, ...names, ...odd),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('a'.repeat(300), 'a'.repeat(70_000)),
)
const value: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: text },
  fc.constantFrom<unknown>(null, true, false, 0, -1, 0.5, 1e-320, 1e308, 2 ** 53, -(2 ** 63), [], {}, [[]]),
  fc.integer(),
  fc.double(),
  fc.jsonValue({ maxDepth: 3 }),
  fc.constant(Array.from({ length: 5_000 }, () => ({ start: 0, end: 1 }))),
)

interface Operation {
  readonly method: string
  readonly path: string
  readonly hasBody: boolean
}

const document = z.object({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.looseObject({ requestBody: z.looseObject({ content: z.unknown() }).optional() })),
  ),
})

/** Every operation of the OpenAPI document, and whether it takes a body. */
function readOperations(root: string): Operation[] {
  const { paths } = document.parse(JSON.parse(readFileSync(path.join(root, 'docs', 'openapi.json'), 'utf8')))
  return Object.entries(paths).flatMap(([route, methods]) =>
    Object.entries(methods).map(([method, { requestBody }]) => ({
      method,
      path: route,
      hasBody: requestBody !== undefined,
    })),
  )
}

const fields = `
endpoint media_url start end settings media_seconds filename bytes content_type mode name scope expires_at
monthly_cap_usd alert_percents max_price_usd job_id workflow_id queue idempotency_key wait_seconds limit cursor key_id
goal language group id group_by`
  .trim()
  .split(/\s+/)
const endpointNames = ['video/clip-window', 'timeline/merge', 'audio/detect-silence', 'timeline/suggest-ranges']
const bodies: fc.Arbitrary<unknown> = fc.oneof(
  fc.dictionary(fc.constantFrom(...fields), value, { maxKeys: 8 }),
  fc.record(
    {
      endpoint: fc.constantFrom(...endpointNames),
      media_url: fc.constantFrom(...names),
      start: value,
      settings: value,
    },
    { requiredKeys: ['endpoint'] },
  ),
  fc.record({
    endpoint: fc.constant('timeline/merge'),
    settings: fc.record({ job_ids: fc.array(fc.constantFrom('{job}', 'job_none'), { maxLength: 200 }), mode: value }),
  }),
  value,
)
const bodyText = fc.oneof(
  { weight: 8, arbitrary: bodies.map((body) => JSON.stringify(body) ?? 'null') },
  // Damaged JSON.
  fc
    .tuple(bodies, fc.double({ min: 0, max: 1, noNaN: true }))
    .map(([body, cut]) => (JSON.stringify(body) ?? '').slice(0, Math.floor(cut * 200))),
  fc.nat(20_000).map((depth) => `${'['.repeat(depth)}${']'.repeat(depth)}`),
  fc.constant('{"settings":{"threshold":1e999}}'),
)
const headerNames =
  `idempotency-key x-api-version content-type accept range x-request-id traceparent cookie origin x-forwarded-for mcp-
protocol-version mcp-session-id authorization last-event-id`.split(/\s+/)
const headers = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  fc.dictionary(
    fc.constantFrom(...headerNames),
    fc.oneof(
      fc.string({ maxLength: 60 }),
      fc.constantFrom(
        'text/event-stream',
        'application/json; charset=utf-16',
        'bytes=0-',
        'Bearer ',
        'a'.repeat(4_000),
      ),
    ),
    { maxKeys: 3 },
  ),
)

const toolNames = tools.map(({ name }) => `svc.${name}`)
const toolMessage = fc.record(
  {
    jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant<unknown>('2.0') }, value),
    id: fc.oneof({ weight: 5, arbitrary: fc.nat() }, value),
    method: fc.oneof(
      { weight: 8, arbitrary: fc.constant('tools/call') },
      fc.constantFrom('initialize', 'tools/list', 'ping', 'resources/list', 'notifications/cancelled', 'toString'),
    ),
    params: fc.oneof(
      { weight: 6, arbitrary: fc.record({ name: fc.constantFrom(...toolNames), arguments: bodies }) },
      value,
    ),
  },
  { requiredKeys: ['method'] },
)
const toolBody = fc.oneof(
  { weight: 6, arbitrary: toolMessage.map((message) => JSON.stringify(message)) },
  fc.array(toolMessage, { maxLength: 12 }).map((messages) => JSON.stringify(messages)),
)
/** Messages to the agents' tools. */
export const toolCases: fc.Arbitrary<RequestCase> = fc.record({
  kind: fc.constant('request' as const),
  method: fc.constant('POST'),
  path: fc.constant('/mcp'),
  headers: headers.map((given) => ({ accept: 'application/json, text/event-stream', ...given })),
  body: toolBody,
})

export const signedUrlCases: fc.Arbitrary<SignedUrlCase> = fc.record({
  kind: fc.constant('signed url' as const),
  method: fc.constantFrom('GET', 'PUT', 'HEAD'),
  edits: fc.array(
    fc.record({
      op: fc.constantFrom('set', 'append', 'delete', 'path', 'character'),
      name: fc.constantFrom('key', 'expires', 'type', 'max_bytes', 'filename', 'signature', 'other'),
      value: fc.oneof(
        text,
        fc.constantFrom('4102444800', '99999999999999', '-1', 'text/html', '..%2f..%2fetc', '/storage//'),
      ),
    }),
    { minLength: 1, maxLength: 3 },
  ),
})

/** Requests to every operation of the OpenAPI document. */
export function requestCases(root: string): fc.Arbitrary<RequestCase> {
  const query = fc.dictionary(
    fc.constantFrom('wait', 'limit', 'cursor', 'status', 'endpoint', 'from', 'to', 'group_by'),
    text,
    { maxKeys: 2 },
  )
  return fc
    .tuple(fc.constantFrom(...readOperations(root)), text, query, headers, bodyText)
    .map(([operation, id, parameters, given, body]) => ({
      kind: 'request' as const,
      method: operation.method.toUpperCase(),
      path:
        operation.path.replace(/\{\w+\}/g, () => encodeURIComponent(wellFormed(id)).slice(0, 500)) +
        queryText(parameters),
      headers: given,
      ...(operation.hasBody ? { body } : {}),
    }))
}

function queryText(query: Readonly<Record<string, string>>): string {
  const parameters = Object.entries(query).map(([name, given]): [string, string] => [name, wellFormed(given)])
  return parameters.length === 0 ? '' : `?${new URLSearchParams(parameters)}`
}

/** The text with half surrogates replaced, which no URL can contain. */
export function wellFormed(given: string): string {
  return Buffer.from(given).toString()
}
