import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKey } from '../../../src/accounts/keys.ts'
import { createBatch } from '../../../src/batches/batches.ts'
import { createBrand } from '../../../src/brands/brands.ts'
import { newId } from '../../../src/core/ids.ts'
import { coversEndpoint, keyScopes } from '../../../src/core/scopes.ts'
import { endpoints, exampleOf } from '../../../src/endpoints/catalog.ts'
import { createShare } from '../../../src/shares/shares.ts'
import { createWebhookEndpoint } from '../../../src/webhooks/endpoints.ts'
import { writeTestEvent } from '../../../src/webhooks/replay.ts'
import { plainBrand } from '../../setup/plain-brand.ts'
import { openPage, signedIn } from '../account/sign-in/sign-in.ts'
import { type Api, codeOf, mediaUrl, onLoopback, startApi, type TestAccount } from '../api.ts'
import { brokenTokens, tokenOf } from '../credentials.ts'
import { clients } from '../oauth/client.ts'
import { collectRoutes, type Ids, type Request, type Route, requestsTo } from './routes.ts'

interface Cell {
  readonly route: Route
  readonly request: Request
}

let api: Api
let account: TestAccount
let routes: Route[]
/** A request to each route, and to each endpoint, job and chain behind it. */
let matrix: Cell[]
/** Requests that need a credential. */
let guarded: Cell[]

const matrixOf = (ids: Ids): Cell[] =>
  routes.flatMap((route) => requestsTo(route, ids).map((request) => ({ route, request })))

/** The ids of an account's data that others must not see. */
async function idsOf({ accountId, create, post, upload }: TestAccount): Promise<Ids> {
  const jobs: Record<string, string> = {}
  for (const endpoint of endpoints) jobs[endpoint.id] = await create(exampleOf(endpoint))
  const run = { mode: 'run_all', media_url: mediaUrl, media_seconds: 60 }
  const { body } = await post('/v1/workflows/remove-dead-space/runs', run)
  const { keyId } = await createKey(api.db, { accountId, name: 'other' })
  const { keyId: connectorId } = await createKey(api.db, { kind: 'con', accountId, name: 'other' })
  const uploadId = (await upload()).split('/').at(-1) ?? ''
  return {
    jobs,
    keyId,
    connectorId,
    runId: body.run.id,
    uploadId,
    sessionId: 'ses_none',
    ...(await newWebhook(accountId)),
    ...(await newBatches(accountId)),
    shareId: await newShare(accountId),
    brandId: (await createBrand(api.db, accountId, plainBrand)).id,
  }
}

/** Of a job of its own: a share is deleted with its job. */
async function newShare(accountId: string): Promise<string> {
  const allowed = { allowDownload: true, allowEmbed: true, includeSource: true, includeTranscript: true }
  const expiresAt = new Date(Date.now() + 60_000)
  const named = { accountId, apiKeyId: null, subjectId: newId('job'), work: 'audio/detect-silence', expiresAt }
  return (await createShare(api.db, { ...named, ...allowed })).share.id
}

async function newBatches(accountId: string) {
  const work = { name: '', chain: 'audio/detect-silence', settings: {}, metadata: undefined, requestId: newId('req') }
  const credential = { accountId, keyId: null, scope: 'all', expiresAt: null }
  const priced = { credential, ...work, limitMicroUsd: 1n, capMicroUsd: 1n }
  const { id: batchId } = await createBatch(api.db, { kind: 'bat', ...priced, mediaUrls: [mediaUrl] })
  const match = { fileNames: '*', metadata: {} }
  const { id: directiveId } = await createBatch(api.db, { kind: 'dir', ...priced, match })
  return { batchId, directiveId }
}

async function newWebhook(accountId: string) {
  const wanted = { accountId, url: 'https://receiver.example/', description: '', eventTypes: [] }
  const { endpoint } = await createWebhookEndpoint(api.db, api.config, wanted)
  return { webhookId: endpoint.id, eventId: await writeTestEvent(api.db, accountId, endpoint.id) }
}

beforeAll(async () => {
  const embeddedBilling = { ...onLoopback, BILLING: 'embedded', OAUTH_CLIENTS: clients }
  const collected = await collectRoutes(() => startApi(embeddedBilling))
  api = collected.built
  routes = collected.routes
  account = await api.newAccount()
  matrix = matrixOf(await idsOf(account))
  guarded = matrix.filter(({ route }) => route.openers.length > 0)
})
afterAll(() => api.close())

type Headers = Readonly<Record<string, string>>
type Expected = (cell: Cell) => string

async function outcome({ request: { method, url, payload } }: Cell, headers: Headers): Promise<string> {
  const answer = await api.call({ method, url, headers, ...(payload ? { payload } : {}) })
  if (typeof answer.body?.error === 'string') return answer.body.error
  return answer.status < 400 ? 'ok' : codeOf(answer)
}

const nameOf = ({ request: { method, url, touches } }: Cell) => [method, url, ...touches].join(' ')

/** Sends every request, and compares all codes together, so that a failure names its requests. */
async function expectCodes(cells: readonly Cell[], headers: Headers, expected: Expected): Promise<void> {
  const codes: Record<string, string> = {}
  for (const cell of cells) codes[nameOf(cell)] = await outcome(cell, headers)
  expect(codes).toEqual(Object.fromEntries(cells.map((cell) => [nameOf(cell), expected(cell)])))
}

const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` })
const takesKeys = ({ route }: Cell) => route.openers.includes('ApiKey')
const takesSessions = ({ route }: Cell) => route.openers.includes('Session')
/** A test that gives access must not delete what the next one needs. */
const isDeletion = ({ request }: Cell) => request.method === 'DELETE'
const isOfAccount = ({ route, request: { method } }: Cell) =>
  /^\/v1\/(account|keys|usage|directives|webhook-endpoints|events)\b/.test(route.url) ||
  (route.url.startsWith('/v1/brands') && method !== 'GET')

const withoutKey: Expected = (cell) => {
  if (cell.route.openers.includes('nobody')) return cell.request.good
  return takesKeys(cell) ? 'missing_api_key' : 'sign_in_required'
}
const withWrongKey: Expected = (cell) => (takesKeys(cell) ? 'invalid_api_key' : 'sign_in_required')

it('knows every route, and every endpoint, job and chain behind them', () => {
  const missing = endpoints.filter(({ id }) => guarded.filter(({ request }) => request.touches.includes(id)).length < 6)
  expect(missing).toEqual([])
  expect(guarded.filter(takesSessions).length).toBeGreaterThanOrEqual(12)
})

describe.each(keyScopes)('a key of the scope %s', (scope) => {
  it('gives access to its group: other endpoints are denied, and their jobs are unknown', async () => {
    const token = await tokenOf(api, account.accountId, scope, 'good')
    const lasting = guarded.filter((cell) => !isDeletion(cell))
    await expectCodes(lasting, bearer(token), inScope)
  })

  it('deletes what it covers', async () => {
    const owner = await api.newAccount()
    const deletions = matrixOf(await idsOf(owner)).filter(isDeletion)
    expect(deletions.length).toBeGreaterThanOrEqual(endpoints.length + 3)
    await expectCodes(deletions, bearer(await tokenOf(api, owner.accountId, scope, 'good')), inScope)
  })

  const inScope: Expected = (cell) => {
    if (!takesKeys(cell)) return 'sign_in_required'
    if (isOfAccount(cell) && scope !== 'all') return 'connector_scope_denied'
    const { touches, good, outside } = cell.request
    return touches.every((id) => coversEndpoint(scope, id)) ? good : outside
  }

  it.each(['revoked', 'expired'] as const)('gives no access once it is %s', async (state) => {
    await expectCodes(guarded, bearer(await tokenOf(api, account.accountId, scope, state)), withWrongKey)
  })

  it('lists the jobs that it covers', async () => {
    const token = await tokenOf(api, account.accountId, scope, 'good')
    for (const { id } of endpoints) {
      const { body } = await api.call({ url: `/v1/jobs?limit=100&endpoint=${id}` }, token)
      expect([id, body.jobs.length > 0]).toEqual([id, coversEndpoint(scope, id)])
    }
    const { body } = await api.call({ url: '/v1/jobs?limit=100' }, token)
    for (const { endpoint } of body.jobs) expect(coversEndpoint(scope, endpoint)).toBe(true)
  })
})

/** What answers of tools name. */
const readsOfConnectors = /^\/v1\/(jobs\/:job_id(\/export)?|workflow-runs\/:run_id(\/export)?|uploads(\/:upload_id)?)$/

it('a connector, even with the scope all, opens nothing but the endpoint of agents and what its answers name', async () => {
  const { token } = await createKey(api.db, { kind: 'con', accountId: account.accountId, name: 'agent' })
  const opens = ({ route: { url }, request: { method } }: Cell) => method === 'GET' && readsOfConnectors.test(url)
  await expectCodes(guarded, bearer(token), (cell) => {
    if (cell.route.url === '/mcp') return 'ok'
    return opens(cell) ? cell.request.good : withWrongKey(cell)
  })
})

describe('no key', () => {
  it('gives access only to public routes', async () => {
    await expectCodes(guarded, {}, withoutKey)
  })

  it.each(Object.entries(brokenTokens(`mt_live_${'a'.repeat(24)}_${'b'.repeat(43)}`)))(
    'and a key that %s opens nothing',
    async (_what, token) => expectCodes(guarded, bearer(token), withWrongKey),
  )

  it('or a dead key does not affect public routes', async () => {
    const everybodys = matrix.filter(({ route }) => route.openers.length === 0)
    const codes = new Map<string, string>()
    for (const cell of everybodys) codes.set(nameOf(cell), await outcome(cell, {}))
    const dead = bearer(await tokenOf(api, account.accountId, 'all', 'revoked'))
    await expectCodes(everybodys, dead, (cell) => codes.get(nameOf(cell)) ?? '')
    for (const code of codes.values()) expect(code).not.toMatch(/api_key|sign_in|scope/)
  })
})

describe('another account', () => {
  it('finds nothing by the ids of this account', async () => {
    const { token } = await api.newAccount()
    const named = guarded.filter((cell) => takesKeys(cell) && /_[a-zA-Z0-9]{24}/.test(cell.request.url))
    expect(named.length).toBeGreaterThan(endpoints.length * 3)
    await expectCodes(named, bearer(token), () => 'not_found')
  })

  it('cannot use the uploads of this account in jobs, estimates and runs', async () => {
    const media_url = await account.upload()
    const { token } = await api.newAccount()
    const bringing = guarded.flatMap(({ route, request }) => {
      const { media_seconds: _, ...payload } = { media_seconds: 0, ...request.payload }
      const mode = route.bodyFields.includes('mode') ? { mode: 'run_all' } : {}
      const brings = request.good === 'ok' && route.bodyFields.includes('media_url')
      return brings ? [{ route, request: { ...request, payload: { ...payload, ...mode, media_url } } }] : []
    })
    const readsNone = endpoints.filter(({ readsMedia }) => !readsMedia).map(({ id }) => String(id))
    expect(bringing.length).toBeGreaterThanOrEqual(2 * endpoints.length)
    await expectCodes(bringing, bearer(token), ({ request: { touches } }) =>
      touches.every((id) => readsNone.includes(id)) ? 'ok' : 'not_found',
    )
  })
})

describe('the session of an owner', () => {
  const cookieOf = (page: { cookie: () => string | undefined }): Headers => ({ cookie: page.cookie() ?? '' })
  const withOrigin = (page: { cookie: () => string | undefined }, origin = 'http://127.0.0.1:3000') => ({
    ...cookieOf(page),
    origin,
  })

  const idsOfOwner = async ({ accountId, get }: Awaited<ReturnType<typeof signedIn>>): Promise<Ids> => {
    const { body } = await get('/api/auth/get-session')
    return { ...(await idsOf(await api.accountOf(accountId))), sessionId: body.session.id }
  }

  it('does what a key of the scope all may, and opens nothing for agents', async () => {
    const owner = await signedIn(api)
    const ids = await idsOfOwner(owner)
    // One that may end.
    const other = openPage(api)
    await other.signIn(owner.email)
    const { body } = await other.get('/api/auth/get-session')
    const own = matrixOf({ ...ids, sessionId: body.session.id }).filter(
      // A stream has no end.
      ({ route }) => route.openers.length > 0 && route.url !== '/v1/stream',
    )
    const lasting = own.filter((cell) => !isDeletion(cell))
    await expectCodes(lasting, withOrigin(owner), (cell) =>
      takesSessions(cell) ? cell.request.good : withoutKey(cell),
    )
    await expectCodes(
      own.filter((cell) => isDeletion(cell) && takesKeys(cell)),
      withOrigin(owner),
      ({ request }) => request.good,
    )
  })

  it('finds nothing of others', async () => {
    const [owner, stranger] = [await signedIn(api), await signedIn(api)]
    const named = matrixOf(await idsOfOwner(owner)).filter(
      (cell) =>
        takesSessions(cell) &&
        (/_[a-zA-Z0-9]{24}/.test(cell.request.url) || cell.route.url.endsWith('/revoke-session')),
    )
    expect(named.length).toBeGreaterThan(endpoints.length * 3)
    await expectCodes(named, withOrigin(stranger), () => 'not_found')
  })

  it('is refused from pages of other sites, and after its end', async () => {
    const owner = await signedIn(api)
    const changing = guarded.filter((cell) => takesSessions(cell) && cell.request.method !== 'GET')
    await expectCodes(changing, withOrigin(owner, 'https://evil.example'), () => 'csrf_failed')
    const headers = withOrigin(owner)
    await owner.post('/api/auth/sign-out')
    await expectCodes(guarded.filter(takesSessions), headers, () => 'sign_in_required')
  })
})
