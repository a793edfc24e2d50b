import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { z } from 'zod'
import { type Chain, chains, isLiveChain } from '../../../src/chains/chains.ts'
import { endpoints, exampleOf } from '../../../src/endpoints/catalog.ts'
import type { LiveEndpoint } from '../../../src/endpoints/define-endpoint.ts'
import { modelNames } from '../../../src/models/models.ts'

const models = new Set(modelNames)

/** How a route is authorized: `nobody` for public routes, otherwise each accepted credential. */
export type Opener = 'nobody' | 'ApiKey' | 'Session'

const methods = z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
type Method = z.output<typeof methods>

export interface Route {
  readonly method: Method
  readonly url: string
  readonly openers: readonly Opener[]
  /** The fields of its body and its query. */
  readonly bodyFields: readonly string[]
  readonly queryFields: readonly string[]
  /** The example body of its schema. */
  readonly example: object
}

/** Routes outside the OpenAPI document: pages, and routes with a signature. */
const undeclared: Readonly<Record<string, readonly Opener[]>> = {
  '/': [],
  '/docs': [],
  '/openapi.json': [],
  '/llms.txt': [],
  '/ready': [],
  '/mcp': [],
  '/mcp/status': [],
  '/.well-known/mcp.json': [],
  '/.well-known/oauth-protected-resource': [],
  '/.well-known/oauth-protected-resource/mcp': [],
  '/.well-known/oauth-authorization-server': [],
  '/v1/media/:upload_id': [],
  '/storage/*': [],
  '/billing/:token': [],
  '/billing/:token/activate': [],
  '/billing/:token/payment': [],
  '/api/auth/oauth/authorize': [],
  '/api/auth/oauth/sign-in': [],
  '/api/auth/oauth/token': [],
  '/api/auth/oauth/revoke': [],
  '/api/auth/command/authorize': [],
  '/api/auth/command/sign-in': [],
  '/api/auth/command/token': [],
  '/reset-password': [],
  '/verify-email': [],
  '/api/auth/verify-email': [],
  '/confirm-email-change': [],
  '/api/auth/confirm-email-change': [],
  '/mailed-link': [],
  '/s/:token': [],
  '/s/:token.json': [],
  '/s/:token/embed': [],
  '/oembed': [],
  '/u/:token': [],
  '/u/:token.json': [],
  '/u/:token/session': [],
}

const securityWay = z.partialRecord(z.enum(['ApiKey', 'Session']), z.array(z.never()))

const declared = z.object({
  security: z.array(securityWay).optional(),
  body: z.instanceof(z.ZodType).optional(),
  querystring: z.instanceof(z.ZodType).optional(),
})

const created = z.object({ fastify: z.custom<FastifyInstance>() })

/** Collects every route of the apps that `build` creates: fastify announces each app before its routes. */
export async function collectRoutes<T>(build: () => Promise<T>): Promise<{ built: T; routes: Route[] }> {
  const found: RouteOptions[] = []
  const watch = (message: unknown) =>
    void created.parse(message).fastify.addHook('onRoute', (options) => void found.push(options))
  subscribe('fastify.initialization', watch)
  try {
    const built = await build()
    return { built, routes: found.flatMap(present) }
  } finally {
    unsubscribe('fastify.initialization', watch)
  }
}

function present({ method, url, schema = {} }: RouteOptions): Route[] {
  const { security, body, querystring } = declared.parse(schema)
  const openers = security?.map(openerOf) ?? undeclared[url.startsWith('/docs/') ? '/docs' : url]
  if (!openers)
    throw new Error(`${String(method)} ${url} does not say who may call it: declare its security, or list it`)
  const asked = [method].flat().filter((one) => !['HEAD', 'OPTIONS'].includes(one))
  const fields = { bodyFields: fieldsOf(body), queryFields: fieldsOf(querystring) }
  const [example = {}] = z.array(z.looseObject({})).parse(body?.meta()?.['examples'] ?? [])
  return asked.map((one) => ({ method: methods.parse(one), url, openers, example, ...fields }))
}

function fieldsOf(schema: z.ZodType | undefined): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
}

function openerOf(way: z.output<typeof securityWay>): Opener {
  if (way.ApiKey) return 'ApiKey'
  return way.Session ? 'Session' : 'nobody'
}

/** A valid request to a route. */
export interface Request {
  readonly method: Method
  readonly url: string
  readonly payload?: object
  /** The endpoints that a key must cover. */
  readonly touches: readonly string[]
  /** The error for a key that does not cover them. */
  readonly outside: 'connector_scope_denied' | 'not_found'
  /** The error code even with a valid key, or `ok`. */
  readonly good: string
}

/** The ids in the requests. */
export interface Ids {
  readonly jobs: Readonly<Record<string, string>>
  readonly keyId: string
  readonly connectorId: string
  readonly runId: string
  readonly uploadId: string
  readonly sessionId: string
  readonly webhookId: string
  readonly batchId: string
  readonly directiveId: string
  readonly shareId: string
  readonly brandId: string
  readonly eventId: string
}

/** What routes of jobs and runs answer for those that no worker has run. */
const goodOfQueued: readonly (readonly [RegExp, string])[] = [
  [/\/(refresh|export)$/, 'conflict'],
  [/\/(preview|waveform(\/:level\/:tile)?)$/, 'not_found'],
]

/** Valid requests to a route: one for each endpoint, job or chain. */
export function requestsTo(
  { method, url, bodyFields, example }: Route,
  {
    jobs,
    keyId,
    connectorId,
    runId,
    uploadId,
    sessionId,
    webhookId,
    batchId,
    directiveId,
    eventId,
    shareId,
    brandId,
  }: Ids,
): Request[] {
  const request = (fields: Partial<Request> = {}): Request => {
    const payload = method === 'GET' ? {} : { payload: example }
    return { method, url, ...payload, touches: [], outside: 'connector_scope_denied', good: 'ok', ...fields }
  }
  const direct = endpoints.find(({ id }) => url === `/v1/${id}`)
  if (direct) return [request(jobOf(direct, []))]
  // Its example is of this endpoint.
  const ofBatch = { url: url.replace(':batch_id', batchId), touches: ['audio/detect-silence'] }
  if (url === '/v1/batches' && method === 'POST') return [request(ofBatch)]
  if (url.includes(':batch_id'))
    return [request({ ...ofBatch, outside: 'not_found', good: method === 'DELETE' ? 'conflict' : 'ok' })]
  if (url === '/v1/directives') return [request()]
  // Of jobs that have not completed.
  if (url === '/v1/shares' && method === 'POST')
    return endpoints.map(({ id }) =>
      request({ payload: { job_id: jobs[id] }, touches: [id], outside: 'not_found', good: 'conflict' }),
    )
  // It shows a job of this endpoint.
  if (url.includes(':share_id'))
    return [
      request({ url: url.replace(':share_id', shareId), touches: ['audio/detect-silence'], outside: 'not_found' }),
    ]
  if (bodyFields.includes('endpoint')) return endpoints.map((endpoint) => request(jobOf(endpoint, bodyFields)))
  if (url.includes(':workflow_id')) return chains.map((chain) => request(runOf(chain, url)))
  const good = goodOfQueued.find(([end]) => end.test(url))?.[1] ?? 'ok'
  const query = url.endsWith('/export') ? '?as=csv' : ''
  if (url.includes(':job_id')) {
    return endpoints.map(({ id }) =>
      request({
        url: url.replace(':job_id', jobs[id] ?? '').replace(/:(level|tile)/g, '0') + query,
        touches: [id],
        outside: 'not_found',
        good,
      }),
    )
  }
  const touches = chains.find((chain) => isLiveChain(chain, models))?.steps ?? []
  if (url.includes(':run_id'))
    return [request({ url: url.replace(':run_id', runId) + query, touches, outside: 'not_found', good })]
  if (url === '/v1/search') return [request({ url: `${url}?q=words` })]
  // Its body is a form.
  if (url === '/v1/uploads' && method === 'POST') return [request({ good: 'unsupported_content_type' })]
  // The media of the example is not the sample.
  if (url === '/api/dashboard/sample') return [request({ good: 'invalid_request' })]
  // The password of the example is not the owner's.
  if (/\/change-(password|email)$/.test(url)) return [request({ good: 'invalid_request' })]
  if (url.endsWith('/revoke-session')) return [request({ payload: { id: sessionId } })]
  // Events tell of jobs of every endpoint.
  if (url === '/v1/events') return [request({ touches: endpoints.map(({ id }) => id) })]
  const ids = {
    ...{ ':key_id': keyId, ':token_id': connectorId, ':upload_id': uploadId },
    ...{ ':webhook_endpoint_id': webhookId, ':event_id': eventId, ':directive_id': directiveId },
    ':brand_id': brandId,
  }
  return [request({ url: Object.entries(ids).reduce((path, [name, id]) => path.replace(name, id), url) })]
}

/** A job without a wait, or its estimate. */
function jobOf(endpoint: LiveEndpoint, bodyFields: readonly string[]): Partial<Request> {
  const { settings, ...fields } = exampleOf(endpoint)
  const length = bodyFields.includes('media_seconds') ? { media_seconds: 60 } : {}
  const payload = { ...fields, ...length, settings: { ...settings, _run_on_worker: true } }
  return { payload, touches: [endpoint.id] }
}

function runOf(chain: Chain, url: string): Partial<Request> {
  const good = isLiveChain(chain, models) ? 'ok' : 'endpoint_unavailable'
  return {
    url: url.replace(':workflow_id', chain.id),
    payload: { media_seconds: 60, settings: chain.example ?? {} },
    touches: chain.steps,
    good,
  }
}
