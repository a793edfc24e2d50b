import { afterAll, beforeAll, describe, it } from 'vitest'
import { endpoints, exampleOf } from '../../../src/endpoints/catalog.ts'
import { signedIn } from '../account/sign-in/sign-in.ts'
import { type Answer, type Api, codeOf, mediaUrl, onLoopback, startApi, type TestAccount } from '../api.ts'
import { clients } from '../oauth/client.ts'
import { hostileInUrl, hostileJson, tryEach, withHostile } from './hostile.ts'
import { collectRoutes, type Ids, type Request, type Route, requestsTo } from './routes.ts'

let api: Api
let account: TestAccount
let routes: Route[]
let ids: Ids
let cookie: string

beforeAll(async () => {
  const pages = { ...onLoopback, BILLING: 'embedded' }
  // One job runs and the others wait, so that only one workflow starts.
  const places = { OPEN_WAITS_PER_ACCOUNT: '1', RUNNING_JOBS_PER_ACCOUNT: '1' }
  const collected = await collectRoutes(() => startApi({ ...pages, ...places, OAUTH_CLIENTS: clients }))
  api = collected.built
  routes = collected.routes
  account = await api.newAccount()
  // The account's single wait slot is taken by a wait newer than all others, so that no request waits.
  const later = new Date(Date.now() + 3_600_000)
  await api.db.openWait.create({
    data: { id: 'wait_held', accountId: account.accountId, startedAt: later, endsAt: later },
  })
  const jobs: Record<string, string> = {}
  for (const endpoint of endpoints) jobs[endpoint.id] = await account.create(exampleOf(endpoint))
  ids = {
    jobs,
    keyId: 'key_none',
    runId: 'run_none',
    uploadId: 'upl_a',
    sessionId: 'ses_none',
    connectorId: 'con_none',
    webhookId: 'whe_none',
    batchId: 'bat_none',
    directiveId: 'dir_none',
    shareId: 'shr_none',
    brandId: 'brd_none',
    eventId: 'evt_none',
  }
  cookie = (await signedIn(api)).cookie() ?? ''
})
afterAll(() => api.close())

/** Sends with the key, or with a browser's session if the route accepts nothing more. */
function send({ openers }: Route, method: Request['method'], url: string, payload?: string): Promise<Answer> {
  const byKey = { authorization: `Bearer ${account.token}` }
  const byBrowser = { cookie, origin: api.config.BASE_URL }
  const headers = openers.includes('ApiKey') ? byKey : byBrowser
  const type = { 'content-type': 'application/json' }
  return api.call({ method, url, headers: { ...headers, ...type }, ...(payload === undefined ? {} : { payload }) })
}

/** Error codes of the service and of JSON-RPC that must not appear. */
const brokenCodes: readonly unknown[] = ['server_error', 'service_unavailable', -32603]

/** OAuth's own errors have a text where the envelope has an object. */
function codeIn(answer: Answer): string {
  return typeof answer.body?.error === 'string' ? answer.body.error : codeOf(answer)
}

/** Requires a refusal with the error envelope, or JSON-RPC's, without internals; never a server error. */
function assertCalm(what: string, answer: Answer): void {
  if (answer.status < 400) return
  const code = answer.body?.jsonrpc === undefined ? codeIn(answer) : answer.body.error.code
  if (brokenCodes.includes(code)) throw new Error(`${what}: ${answer.text}`)
  if (/prisma|node_modules|\.ts:\d|ZodError|postgres/i.test(answer.text)) throw new Error(`${what}: ${answer.text}`)
}

describe('hostile values', () => {
  it('in the path and the query of any route are refused', async () => {
    for (const route of routes) {
      const [request] = requestsTo(route, ids)
      if (!request) throw new Error(`no request to ${route.url}`)
      const inPath = /[:*]/.test(route.url) ? hostileInUrl.map((text) => route.url.replace(/:\w+|\*/, () => text)) : []
      const inQuery = route.queryFields.flatMap((field) =>
        hostileInUrl.map((text) => `${request.url}?${field}=${text}`),
      )
      const twice = route.queryFields.map((field) => `${request.url}?${field}=1&${field}=2`)
      const unknown = `${request.url}?unknown=${encodeURIComponent('__proto__[x]=1')}`
      const payload = request.method === 'GET' ? undefined : '{}'
      await tryEach([...inPath, ...inQuery, ...twice, unknown], async (url) =>
        assertCalm(`${route.method} ${url}`, await send(route, request.method, url, payload)),
      )
    }
  })

  it('in any field of any body, and in place of it, are refused', async () => {
    for (const route of routes.filter(({ method }) => method !== 'GET')) {
      const [{ url, method, payload = {} } = { url: route.url, method: route.method }] = requestsTo(route, ids)
      const bodies = route.bodyFields.flatMap((field) => hostileJson.map((json) => withHostile(payload, field, json)))
      await tryEach([...hostileJson, ...bodies], async (body) =>
        assertCalm(`${method} ${url} ${body.slice(0, 200)}`, await send(route, method, url, body)),
      )
    }
  })

  it.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))(
    'in any setting of %s are refused, or are what the schema takes',
    async (_id, endpoint) => {
      const fields = [...Object.keys(endpoint.settings.shape), '_run_on_worker', 'unknown']
      const bodies = fields.flatMap((field) =>
        hostileJson.map((json) => withHostile(exampleOf(endpoint), `settings.${field}`, json)),
      )
      await tryEach(bodies, async (body) => assertCalm(body.slice(0, 300), await account.post('/v1/jobs', body, json)))
    },
  )

  it('in headers are refused', async () => {
    const headers = ['idempotency-key', 'x-api-version', 'authorization', 'cookie', 'origin', 'traceparent', 'range']
    const values = [
      '',
      ' ',
      'a'.repeat(9_000),
      "' OR 1=1; --",
      '__proto__',
      '../..',
      'Bearer',
      '\u00ff',
      '1e308',
      ',,;;==',
    ]
    const body = JSON.stringify({ endpoint: endpoints[2]?.id, media_url: mediaUrl })
    await tryEach(
      headers.flatMap((name) => values.map((value) => [name, value] as const)),
      async ([name, value]) => {
        const own = { authorization: `Bearer ${account.token}`, ...json, [name]: value }
        const created = await api.call({ method: 'POST', url: '/v1/jobs', payload: body, headers: own })
        assertCalm(`${name}: ${value}`, created)
        assertCalm(`${name}: ${value}`, await api.call({ url: '/v1/keys', headers: own }))
      },
    )
  })
})

const json = { 'content-type': 'application/json' }
