import { describe, expect, it } from 'vitest'
import { openFreeAccount } from '../../../lab/lab-stack.ts'
import { createKey } from '../../../src/accounts/keys.ts'
import { activateBilling, firstCapMicroUsd } from '../../../src/billing/activate-billing.ts'
import { leaveCredits } from '../../billing/accounts.ts'
import { codeOf, mediaUrl, type TestAccount, useApi } from '../api.ts'

const api = await useApi({
  ...{ RUNNING_JOBS_PER_ACCOUNT: '7', RATE_LIMIT_PER_ACCOUNT: '90000' },
  ...{ STORED_BYTES_PER_ACCOUNT: '2000000000000', STORED_BYTES_BEFORE_PAYMENT: '30000000000' },
})

const path = '/v1/account/limits'
/** 0.6 USD: an hour of output. */
const hourOfClip = { endpoint: 'video/clip-window', media_url: mediaUrl, start: 0, end: 3600 }

const put = ({ token }: TestAccount, payload: object | string) =>
  api.call({ method: 'PUT', url: path, payload, headers: { 'content-type': 'application/json' } }, token)

async function setCap(account: TestAccount, usd: number | null): Promise<void> {
  expect((await put(account, { monthly_cap_usd: usd })).status).toBe(200)
}

describe('GET /v1/account/limits', () => {
  it('200 with cap, money of the month, credits, billing, concurrency, storage and rates', async () => {
    const account = await api.newAccount()
    await account.create(hourOfClip)
    const { status, body } = await account.get(path)
    expect(status).toBe(200)
    expect(body.limits).toEqual({
      month: new Date().toISOString().slice(0, 7),
      monthly_cap_usd: null,
      alert_percents: [80, 100],
      spent_usd: 0,
      held_usd: 0.6,
      credits_left_usd: 4.4,
      billing: 'inactive',
      takes_payments: false,
      concurrency: { running_jobs: 7 },
      storage: { stored_bytes: 0, max_bytes: 2e12 },
      rates: { requests_per_minute: 90_000 },
      key: { monthly_cap_usd: null, may_raise_limits: true, spent_usd: 0, held_usd: 0.6 },
    })
  })

  it('200 with fewer running jobs for an account that its owner opened, until its billing is active', async () => {
    const accountId = await openFreeAccount(api.db)
    const { token } = await createKey(api.db, { accountId, name: 'owner' })
    const concurrency = async () => (await api.call({ url: path }, token)).body.limits.concurrency
    expect(await concurrency()).toEqual({ running_jobs: 2 })
    await activateBilling(api.db, accountId)
    expect(await concurrency()).toEqual({ running_jobs: 7 })
  })

  it('200 with the bytes of its uploads and their limit, which is lower until its billing is active', async () => {
    const account = await api.newAccount()
    const storage = async () => (await account.get(path)).body.limits.storage
    await account.upload()
    await api.db.upload.updateMany({ where: { accountId: account.accountId }, data: { bytes: 123_456 } })
    expect(await storage()).toEqual({ stored_bytes: 123_456, max_bytes: 2e12 })
    const accountId = await openFreeAccount(api.db)
    const { token } = await createKey(api.db, { accountId, name: 'owner' })
    const limits = async () => (await api.call({ url: path }, token)).body.limits
    expect((await limits()).storage).toEqual({ stored_bytes: 0, max_bytes: 3e10 })
    await activateBilling(api.db, accountId)
    expect((await limits()).storage.max_bytes).toBe(2e12)
  })

  it('403 connector_scope_denied for a key of a narrower scope, which cannot raise its own cap either', async () => {
    const account = await api.newAccount()
    await api.db.apiKey.update({ where: { id: account.keyId }, data: { scope: 'video/*' } })
    for (const answer of [
      await account.get(path),
      await put(account, { monthly_cap_usd: null }),
      await account.post('/v1/account/billing-link'),
    ]) {
      expect([answer.status, codeOf(answer)]).toEqual([403, 'connector_scope_denied'])
    }
  })
})

describe('PUT /v1/account/limits', () => {
  it('200 with the new limits; percentages that are left out stay', async () => {
    const account = await api.newAccount()
    const first = await put(account, { monthly_cap_usd: 19.990001, alert_percents: [100, 50, 50] })
    expect(first.body.limits).toMatchObject({ monthly_cap_usd: 19.990001, alert_percents: [50, 100] })
    const second = await put(account, { monthly_cap_usd: null })
    expect(second.body.limits).toMatchObject({ monthly_cap_usd: null, alert_percents: [50, 100] })
    const third = await put(account, { monthly_cap_usd: 0, alert_percents: [] })
    expect(third.body.limits).toMatchObject({ monthly_cap_usd: 0, alert_percents: [] })
  })

  it.each([
    {},
    { monthly_cap_usd: -1 },
    { monthly_cap_usd: 0.0000001 },
    { monthly_cap_usd: 1.2345678 },
    { monthly_cap_usd: 1_000_000_001 },
    { monthly_cap_usd: '5' },
    { monthly_cap_usd: 5, alert_percents: [0] },
    { monthly_cap_usd: 5, alert_percents: [101] },
    { monthly_cap_usd: 5, alert_percents: [1.5] },
  ])('400 invalid_request for %j, and nothing changes', async (body) => {
    const account = await api.newAccount()
    const answer = await put(account, body)
    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request'])
    expect((await account.get(path)).body.limits.monthly_cap_usd).toBeNull()
  })

  it('403 for a key without may_raise_limits that removes an alert, of which the owner would not hear', async () => {
    const { accountId } = await api.newAccount()
    const { token } = await createKey(api.db, { accountId, name: 'without the right' })
    const alert = (alert_percents: number[]) =>
      api.call({ method: 'PUT', url: path, payload: { monthly_cap_usd: null, alert_percents } }, token)
    for (const percents of [[], [80], [50, 100]]) {
      const answer = await alert(percents)
      expect([answer.status, codeOf(answer)]).toEqual([403, 'connector_scope_denied'])
    }
    expect((await alert([100, 80, 50])).body.limits.alert_percents).toEqual([50, 80, 100])
  })

  it('notifies the owner of a raised or removed cap, not of a lowered one', async () => {
    const account = await api.newAccount()
    for (const usd of [10, 5, 5, 20, null, 30]) await setCap(account, usd)
    const { body } = await account.get('/v1/account/notices')
    expect(body.notices.map(({ kind, data }: { kind: string; data: object }) => [kind, data])).toEqual([
      ['cap_raised', { previous_cap_usd: 20, cap_usd: null }],
      ['cap_raised', { previous_cap_usd: 5, cap_usd: 20 }],
    ])
  })
})

describe('the gates of a new job', () => {
  it('402 spend_cap_reached above the cap, with or without credits; 202 up to the cap', async () => {
    const account = await api.newAccount()
    await setCap(account, 1.2)
    await account.create(hourOfClip)
    await account.create(hourOfClip)
    const refused = await account.post('/v1/jobs', hourOfClip)
    expect([refused.status, codeOf(refused)]).toEqual([402, 'spend_cap_reached'])
    expect(refused.body.error.message).toBe(
      'This job holds 0.6 USD, and 0 USD of the monthly cap is left. Raise the cap, or wait for the next month.',
    )
    await setCap(account, 1.8)
    await account.create(hourOfClip)
  })

  it('a lower cap keeps existing holds, and refuses new ones', async () => {
    const account = await api.newAccount()
    await account.create(hourOfClip)
    await setCap(account, 0.1)
    expect((await account.get(path)).body.limits).toMatchObject({ monthly_cap_usd: 0.1, held_usd: 0.6 })
    expect((await account.post('/v1/jobs', { ...hourOfClip, end: 1 })).status).toBe(402)
  })

  it('the cap is checked before the credits', async () => {
    const account = await api.newAccount()
    await setCap(account, 1)
    const answer = await account.post('/v1/jobs', { ...hourOfClip, end: 36_000 })
    expect([answer.status, codeOf(answer)]).toEqual([402, 'spend_cap_reached'])
    // No month has enough.
    expect(answer.body.error.message).toBe('This job holds 6 USD, and 1 USD of the monthly cap is left. Raise the cap.')
  })

  it('402 billing_required above the credits until billing is active, which sets a cap of 100 USD if there is none', async () => {
    const account = await api.newAccount()
    await leaveCredits(api.db, account.accountId, 100_000n)
    const refused = await account.post('/v1/jobs', hourOfClip)
    expect([refused.status, codeOf(refused)]).toEqual([402, 'billing_required'])

    await activateBilling(api.db, account.accountId)
    const jobId = await account.create(hourOfClip)
    expect((await account.get(path)).body.limits).toMatchObject({
      monthly_cap_usd: Number(firstCapMicroUsd) / 1e6,
      credits_left_usd: 0,
      held_usd: 0.6,
      billing: 'active',
    })
    const [hold] = await api.db.ledgerEntry.findMany({ where: { jobId } })
    expect(hold).toMatchObject({ creditMicroUsd: 100_000n, billableMicroUsd: 500_000n })

    const careful = await api.newAccount()
    await setCap(careful, 3)
    await activateBilling(api.db, careful.accountId)
    expect((await careful.get(path)).body.limits).toMatchObject({ monthly_cap_usd: 3, billing: 'active' })
  })
})
