import { afterAll, describe, expect, it } from 'vitest'
import type { Tool } from '../../../api/mcp/define-tool.ts'
import { tools } from '../../../api/mcp/tool-list.ts'
import { createKey } from '../../../src/accounts/keys.ts'
import { chains, isLiveChain } from '../../../src/chains/chains.ts'
import { coversEndpoint, keyScopes } from '../../../src/core/scopes.ts'
import { endpoints, exampleOf, liveEndpoint } from '../../../src/endpoints/catalog.ts'
import { modelNames } from '../../../src/models/models.ts'
import { codeOf, useApi } from '../api.ts'
import { brokenTokens, tokenOf } from '../credentials.ts'
import { createAgent } from './agent.ts'
import { answerProbes } from './answer-probes.ts'
import { exampleCall } from './arguments.ts'

const models = new Set(modelNames)

/** A valid call of a tool. */
interface Cell {
  readonly tool: Tool
  readonly given: Readonly<Record<string, unknown>>
  /** The endpoints that a key must cover. */
  readonly touches: readonly string[]
  /** The error for a key that does not cover them. */
  readonly outside: 'connector_scope_denied' | 'not_found'
  /** The error code even with a valid key, or `ok`. */
  readonly good: string
}

const api = await useApi()
const account = await api.newAccount()
const jobs: Record<string, string> = {}
for (const endpoint of endpoints) jobs[endpoint.id] = await account.create(exampleOf(endpoint))
afterAll(answerProbes(api))

/** Every tool with each endpoint, job and chain. */
function cells(): Cell[] {
  return tools.flatMap((tool): Cell[] => {
    const { given, code: good = 'ok' } = exampleCall(tool, { jobId: '', keyId: account.keyId })
    const cell: Cell = { tool, given, touches: [], outside: 'connector_scope_denied', good }
    const takes = (field: string) => tool.auth === 'key' && field in tool.input.shape
    if (takes('job_id')) {
      return endpoints.map(({ id }) => ({
        ...{ ...cell, given: { ...given, job_id: jobs[id] } },
        ...{ touches: [id], outside: 'not_found' },
      }))
    }
    if (takes('endpoint') && takes('settings')) {
      return endpoints.map((endpoint) => {
        const length = takes('media_seconds') ? { media_seconds: 60 } : {}
        return { ...cell, given: { ...exampleOf(endpoint), ...length }, touches: [endpoint.id], good: 'ok' }
      })
    }
    if (takes('workflow_id')) {
      return chains.map((chain) => {
        const call = {
          given: { workflow_id: chain.id, media_seconds: 60, settings: chain.example ?? {} },
          touches: chain.steps,
        }
        return { ...cell, ...call, good: isLiveChain(chain, models) ? 'ok' : 'endpoint_unavailable' }
      })
    }
    return [cell]
  })
}

/** The error code of a call, or of the first check in its answer. */
async function outcome(token: string | undefined, cell: Cell): Promise<string> {
  const { tool, given } = cell
  const ids = await newIds(cell)
  const answer = await createAgent(api, token).callTool(`svc.${tool.name}`, { ...given, ...ids })
  if (answer.status >= 400) return `${answer.status} ${codeOf(answer)}`
  const { _meta: meta, structuredContent } = answer.body.result
  return meta?.error?.code ?? structuredContent?.checks?.[0].code ?? 'ok'
}

/** What a call ends is new for each call. */
async function newIds({ tool: { name }, touches: [endpoint = ''] }: Cell): Promise<Record<string, string>> {
  if (name === 'revoke_api_key') return { key_id: (await newKey()).keyId }
  if (name === 'cancel_job') return { job_id: await account.create(exampleOf(liveEndpoint(endpoint))) }
  return {}
}

const newKey = () => createKey(api.db, { accountId: account.accountId, name: 'other' })

/** Makes every call, and compares all codes together, so that a failure names its tools. */
async function expectCodes(token: string | undefined, expected: (cell: Cell) => string, among = cells()) {
  const nameOf = ({ tool, touches }: Cell) => [tool.name, ...touches].join(' ')
  const codes: Record<string, string> = {}
  for (const cell of among) codes[nameOf(cell)] = await outcome(token, cell)
  expect(codes).toEqual(Object.fromEntries(among.map((cell) => [nameOf(cell), expected(cell)])))
}

describe.each(keyScopes)('a key of the scope %s', (scope) => {
  it('works for its group: other endpoints are denied, and their jobs are unknown', async () => {
    await expectCodes(await tokenOf(api, account.accountId, scope, 'good'), ({ tool, touches, good, outside }) => {
      if (tool.auth === 'account' && scope !== 'all') return 'connector_scope_denied'
      return touches.every((id) => coversEndpoint(scope, id)) ? good : outside
    })
  })

  it('lists the jobs that it covers', async () => {
    const token = await tokenOf(api, account.accountId, scope, 'good')
    const { structuredContent } = await createAgent(api, token).use('svc.list_jobs', { limit: 100 })
    const listed = new Set<string>(structuredContent['jobs'].map(({ endpoint }: { endpoint: string }) => endpoint))
    expect(listed).toEqual(new Set(endpoints.map(({ id }) => id).filter((id) => coversEndpoint(scope, id))))
  })

  it.each(['revoked', 'expired'] as const)('gives no access once it is %s, not even to public tools', async (state) => {
    const token = await tokenOf(api, account.accountId, scope, state)
    await expectCodes(token, () => '401 invalid_api_key')
    const { headers } = await createAgent(api, token).callTool('svc.list_jobs')
    expect(headers['www-authenticate']).toMatch(/^Bearer error="invalid_token", resource_metadata="/)
  })
})

describe('no key', () => {
  it('gives access to the tools that need none', async () => {
    await expectCodes(undefined, ({ tool, good }) => (tool.auth === 'none' ? good : '401 missing_api_key'))
  })

  it.each(Object.entries(brokenTokens(`mt_live_${'a'.repeat(24)}_${'b'.repeat(43)}`)))(
    'and a key that %s opens nothing',
    async (_what, token) => expectCodes(token, () => '401 invalid_api_key'),
  )
})

it('another account finds nothing by the ids of this account', async () => {
  const { token } = await api.newAccount()
  const named = cells().filter(({ given }) => 'job_id' in given || 'key_id' in given)
  expect(named.length).toBeGreaterThan(endpoints.length * 3)
  await expectCodes(token, () => 'not_found', named)
})

describe('a key made through svc.create_api_key', () => {
  const make = async (token: string, given: object = {}) =>
    (await createAgent(api, token).use('svc.create_api_key', { name: 'made', ...given })).structuredContent

  it('is revoked with the key that created it, and so are the keys that it created', async () => {
    const { key, secret } = await make(account.token)
    const child = await make(secret)
    const grandchild = await make(child['secret'], { scope: 'video/*' })
    const other = await make(account.token)
    const byRest = await api.call({ method: 'POST', url: '/v1/keys', payload: { name: 'by REST' } }, secret)
    await createAgent(api, account.token).use('svc.revoke_api_key', { key_id: key.id })
    for (const dead of [secret, child['secret'], grandchild['secret'], byRest.body.secret]) {
      expect(codeOf(await api.call({ url: '/v1/jobs' }, dead))).toBe('invalid_api_key')
    }
    for (const good of [account.token, other['secret']])
      expect((await api.call({ url: '/v1/jobs' }, good)).status).toBe(200)
  })

  it('expires no later than its maker', async () => {
    const expires_at = new Date(Date.now() + 60_000).toISOString()
    const { secret } = await make(account.token, { expires_at })
    expect((await make(secret))['key'].expires_at).toBe(expires_at)
    const later = new Date(Date.now() + 120_000).toISOString()
    expect(await createAgent(api, secret).failure('svc.create_api_key', { name: 'later', expires_at: later })).toBe(
      'invalid_request',
    )
  })

  it('never outlives a maker that is revoked meanwhile', async () => {
    for (let round = 0; round < 5; round++) {
      const { key, secret } = await make(account.token)
      const [made] = await Promise.all([
        createAgent(api, secret).callTool('svc.create_api_key', { name: 'raced' }),
        account.post(`/v1/keys/${key.id}/revoke`),
      ])
      const raced = made.body.result?.structuredContent?.secret
      if (raced) expect(codeOf(await api.call({ url: '/v1/jobs' }, raced))).toBe('invalid_api_key')
    }
  })
})
