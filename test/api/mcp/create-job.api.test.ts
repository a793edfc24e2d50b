import { afterAll, describe, expect, it } from 'vitest'
import { createKey } from '../../../src/accounts/keys.ts'
import { settleJob } from '../../../src/jobs/settle-job.ts'
import { mediaUrl, useApi } from '../api.ts'
import { completeJob } from '../jobs/complete-job.ts'
import { createAgent } from './agent.ts'
import { answerProbes } from './answer-probes.ts'

const api = await useApi()
let mediaSeconds = 60
afterAll(answerProbes(api, () => mediaSeconds))

const job = { endpoint: 'audio/detect-silence', media_url: mediaUrl, settings: { threshold: -40 } }

async function newAgent() {
  const account = await api.newAccount()
  const agent = createAgent(api, account.token)
  const create = async (given: object = {}) =>
    (await agent.use('svc.create_job', { ...job, ...given })).structuredContent
  return { ...account, agent, create, count: () => api.db.job.count({ where: { accountId: account.accountId } }) }
}

describe('svc.create_job', () => {
  it('creates one job for an agent that repeats its request, however often and simultaneously', async () => {
    const { create, count } = await newAgent()
    const answers = await Promise.all(Array.from({ length: 8 }, () => create()))
    expect(new Set(answers.map(({ job_id }) => job_id)).size).toBe(1)
    expect(answers.filter(({ deduplicated }) => deduplicated)).toHaveLength(7)
    expect(await count()).toBe(1)
    expect(await api.db.ledgerEntry.count({ where: { jobId: answers[0]?.['job_id'], kind: 'hold' } })).toBe(1)
  })

  it.each([
    [{ endpoint: 'audio/find-words', settings: { queries: ['<words>'] } }, '<words>'],
    [{ endpoint: 'video/clip-near', start: '<start>' }, '<start>'],
    [{ endpoint: 'video/clip-window', settings: { captions: { job_id: '<job_id>', as: 'burn' } } }, '<job_id>'],
    [
      { endpoint: 'timeline/suggest-ranges', media_url: undefined, settings: { job_id: '<earlier_job_id>' } },
      '<earlier_job_id>',
    ],
  ])('refuses %j, in which a plan left something open', async (given, left) => {
    const { agent, count } = await newAgent()
    const { isError, content } = await agent.use('svc.create_job', { ...job, settings: {}, ...given })
    const text = `invalid_request: Replace ${left}, which the plan left open, by what the user wants.`
    expect([isError, content]).toEqual([true, [{ type: 'text', text }]])
    expect(await count()).toBe(0)
  })

  it('takes other words between angle brackets, and placeholders in metadata', async () => {
    const { create } = await newAgent()
    const settings = { queries: ['<b>bold</b>', 'say <words>'] }
    const created = await create({ endpoint: 'audio/find-words', settings, metadata: { text: '<words>' } })
    expect(created['job'].status).toBe('queued')
  })

  it.each([
    ['other settings', { settings: { threshold: -41 } }],
    ['another endpoint', { endpoint: 'audio/detect-energy', settings: {} }],
    ['other media', { media_url: `${mediaUrl}?other` }],
    ['another window', { start: 1 }],
    ['other metadata', { metadata: { episode: '12' } }],
  ])('makes another job for %s', async (_what, given) => {
    const { create } = await newAgent()
    const first = await create()
    expect(await create(given)).toMatchObject({
      deduplicated: false,
      job_id: expect.not.stringMatching(first['job_id']),
    })
  })

  it('creates another job for another key, after two minutes, and when the first has ended', async () => {
    const { accountId, create, count } = await newAgent()
    const { job_id: id } = await create()
    const { token } = await createKey(api.db, { accountId, name: 'other' })
    const { structuredContent } = await createAgent(api, token).use('svc.create_job', job)
    expect(structuredContent['deduplicated']).toBe(false)
    await api.db.job.update({ where: { id }, data: { createdAt: new Date(Date.now() - 121_000) } })
    const second = await create()
    expect(second['deduplicated']).toBe(false)
    await api.db.job.update({ where: { id: second['job_id'] }, data: { endedAt: new Date() } })
    expect((await create())['deduplicated']).toBe(false)
    expect(await count()).toBe(4)
  })

  it('uses its idempotency key if there is one, which POST /v1/jobs shares', async () => {
    const { agent, create, post, count } = await newAgent()
    const first = await create({ idempotency_key: 'one' })
    expect(first['deduplicated']).toBe(false)
    expect(await create({ idempotency_key: 'one' })).toMatchObject({ deduplicated: true, job_id: first['job_id'] })
    expect((await create({ idempotency_key: 'two' }))['deduplicated']).toBe(false)
    const other = { ...job, settings: {}, idempotency_key: 'one' }
    expect(await agent.failure('svc.create_job', other)).toBe('idempotency_conflict')
    const rest = await post('/v1/jobs', job, { 'idempotency-key': 'one' })
    expect([rest.body.job_id, rest.headers['idempotent-replayed']]).toEqual([first['job_id'], 'true'])
    expect(await count()).toBe(2)
  })

  it('says that a repeat of a failed job needs another idempotency key', async () => {
    const { agent, create } = await newAgent()
    const { job_id: id } = await create({ idempotency_key: 'one' })
    await settleJob(api.db, id, { code: 'canceled', message: 'The job was canceled.' })
    const { content } = await agent.use('svc.create_job', { ...job, idempotency_key: 'one' })
    expect(content[0]?.text).toContain('An earlier call created this job. To create another job, send another')
  })

  it('warns of unknown settings, like POST /v1/jobs', async () => {
    const { agent } = await newAgent()
    const { structuredContent, content } = await agent.use('svc.create_job', { ...job, settings: { ambience: 5 } })
    const warning = 'Unknown setting "ambience" was ignored.'
    expect(structuredContent['job'].warnings).toEqual([warning])
    expect(content[0]?.text).toContain(`Warning: ${warning}`)
  })

  it('takes a limit of the price, with which it is checked too, and none that it would ignore', async () => {
    const { agent, create } = await newAgent()
    const { job_id } = await create({ max_price_usd: 0.001 })
    expect(await api.db.job.findUniqueOrThrow({ where: { id: job_id } })).toMatchObject({ limitMicroUsd: 1000n })
    const checked = await agent.use('svc.check_job_readiness', { ...job, max_price_usd: 0.001 })
    expect(checked.structuredContent['checks'].at(-1)).toMatchObject({ code: 'price_limit_reached' })
    expect(await agent.failure('svc.create_job', { ...job, media_seconds: 60 })).toBe('invalid_request')
    expect(await agent.failure('svc.create_job', { ...job, settings: { end: 5 } })).toBe('invalid_request')
  })

  it('refuses a job that credits and cap do not cover, and says what to do', async () => {
    const { agent, accountId } = await newAgent()
    await agent.use('svc.set_spend_cap', { monthly_cap_usd: 0.001 })
    expect(await agent.failure('svc.create_job', job)).toBe('spend_cap_reached')
    mediaSeconds = 6000
    const { structuredContent } = await agent.use('svc.check_job_readiness', job)
    mediaSeconds = 60
    expect(structuredContent).toMatchObject({ ready: false, estimate: { estimated_price_usd: 0.2 } })
    expect(structuredContent['checks'].at(-1)).toMatchObject({ name: 'funds', code: 'spend_cap_reached' })
    // Until its length is known, the job holds more than its price.
    await agent.use('svc.set_spend_cap', { monthly_cap_usd: 0.01 })
    expect(await agent.failure('svc.create_job', job)).toBe('spend_cap_reached')
    const short = await agent.use('svc.check_job_readiness', { ...job, idempotency_key: 'a' })
    expect(short.structuredContent).toMatchObject({ ready: false, estimate: { estimated_price_usd: 0.002 } })
    const diagnosed = await agent.use('svc.run_agent_diagnostics')
    const failing = diagnosed.structuredContent['checks'].filter(({ ok }: { ok: boolean }) => !ok)
    // No worker runs here, and no server listens at BASE_URL.
    expect(failing.map(({ name }: { name: string }) => name)).toEqual(['spend_cap', 'workers', 'signed_url'])
    await agent.use('svc.set_spend_cap', { monthly_cap_usd: null })
    await api.db.account.update({ where: { id: accountId }, data: { creditMicroUsd: 0n } })
    expect(await agent.failure('svc.create_job', job)).toBe('billing_required')
  })
})

it('readiness is that of the media itself, and not of a length that the caller gives', async () => {
  const { agent } = await newAgent()
  expect(await agent.failure('svc.check_job_readiness', { ...job, media_seconds: 60 })).toBe('invalid_request')
  const lastOf = async (media_url?: string) => {
    const { structuredContent } = await agent.use('svc.check_job_readiness', { ...job, media_url })
    return structuredContent['checks'].at(-1).message
  }
  expect(await lastOf()).toBe('The price depends on the length of the media. Send media_url.')
  expect(await lastOf(' ')).toBe(
    'media_url is blank. Send a URL, or leave it out and call svc.estimate_cost with media_seconds.',
  )
})

it('texts of estimates and readiness warn of settings that the job would ignore', async () => {
  const { agent } = await newAgent()
  const job = { endpoint: 'audio/detect-silence', settings: { mood: 'calm' }, media_seconds: 60 }
  for (const tool of ['svc.estimate_cost', 'svc.check_job_readiness']) {
    const { media_seconds, ...request } = job
    const length = tool === 'svc.estimate_cost' ? { media_seconds } : { media_url: mediaUrl }
    const { content } = await agent.use(tool, { ...request, ...length })
    expect(content[0]?.text).toContain('Warning: Unknown setting "mood" was ignored. Next:')
  }
})

it('svc.set_spend_cap says that more than the cap is already spent', async () => {
  const { agent, create } = await newAgent()
  const { job_id: jobId } = await create()
  await completeJob(api, jobId, { media_seconds: 600, silences: [], segments: [] }, { billedMilliseconds: 600_000 })
  const textFor = async (cap: number) =>
    String((await agent.use('svc.set_spend_cap', { monthly_cap_usd: cap })).content[0]?.['text'])
  expect(await textFor(5)).not.toContain('already')
  expect(await textFor(0.001)).toContain('USD is already spent this month: charged jobs are refused')
})

it('svc.get_account_limits says in words what the credential itself may spend', async () => {
  const { agent, accountId } = await newAgent()
  const text = async () => JSON.stringify((await agent.use('svc.get_account_limits')).content)
  expect(await text()).not.toContain('This credential')
  await api.db.apiKey.updateMany({ where: { accountId }, data: { monthlyCapMicroUsd: 50_000n } })
  expect(await text()).toContain('This credential may spend 0.05 USD a month; 0 USD is spent and 0 USD held.')
})
