import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { checkLedger } from '../../../src/billing/check-ledger.ts'
import { settleJob } from '../../../src/jobs/settle-job.ts'
import { type Api, codeOf, onLoopback, startApi } from '../../api/api.ts'
import { leaveCredits } from '../accounts.ts'
import { acceptClip, draftClip } from '../jobs.ts'
import { describeProvider } from './contract.ts'

let api: Api
let inactive: Api
beforeAll(async () => {
  ;[api, inactive] = await Promise.all([startApi({ ...onLoopback, BILLING: 'embedded' }), startApi()])
})
afterAll(() => Promise.all([api.close(), inactive.close()]))

const form = (url: string, fields: Record<string, string> = {}) =>
  api.call({
    method: 'POST',
    url,
    payload: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
const pathOf = (url: string) => new URL(url).pathname

async function activate(url: string): Promise<void> {
  const { status, headers } = await form(`${pathOf(url)}/activate`)
  expect([status, headers['location']]).toEqual([303, pathOf(url)])
}

describeProvider({ name: 'inactive', db: () => inactive.db, provider: () => inactive.billing })
describeProvider({ name: 'embedded', db: () => api.db, provider: () => api.billing, activate })

describe('POST /v1/account/billing-link', () => {
  it('501 endpoint_unavailable, and no billing pages, if the service takes no money', async () => {
    const answer = await (await inactive.newAccount()).post('/v1/account/billing-link')
    expect([answer.status, codeOf(answer)]).toEqual([501, 'endpoint_unavailable'])
    const { body } = await (await api.newAccount()).post('/v1/account/billing-link')
    expect((await inactive.call({ url: pathOf(body.billing_link.url) })).status).toBe(404)
  })

  it('200 with a link to a page that explains itself', async () => {
    const { status, body } = await (await api.newAccount()).post('/v1/account/billing-link')
    expect([status, body.billing_link]).toEqual([
      200,
      { url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:3000\/billing\/acct_/), expires_in_seconds: 3600 },
    ])
    const page = await api.call({ url: pathOf(body.billing_link.url) })
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.text).toContain('This is a development stand-in.')
    expect(page.text).toContain('Activate billing')
  })
})

describe('the embedded page', () => {
  it('records a payment of the billed amount, once for each form', async () => {
    const { accountId, post } = await api.newAccount()
    const { url } = (await post('/v1/account/billing-link')).body.billing_link
    await leaveCredits(api.db, accountId, 4_000n)
    await activate(url)
    const { job } = await acceptClip(api.db, accountId, { seconds: 60 })
    await draftClip(api.db, job.id, 60_000)
    await settleJob(api.db, job.id)

    const { text } = await api.call({ url: pathOf(url) })
    expect(text).toContain('Record a payment of 0.006 USD')
    const [, reference = ''] = /name="reference" value="(\w+)"/.exec(text) ?? []
    const answers = await Promise.all([1, 2, 3].map(() => form(`${pathOf(url)}/payment`, { reference })))
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303])
    const payments = await api.db.ledgerEntry.findMany({ where: { accountId, kind: 'payment' } })
    expect(payments.map(({ billableMicroUsd }) => billableMicroUsd)).toEqual([6_000n])
    expect(await api.db.account.findUniqueOrThrow({ where: { id: accountId } })).toMatchObject({ billedMicroUsd: 0n })
    expect((await api.call({ url: pathOf(url) })).text).not.toContain('Record a payment')
    expect(await checkLedger(api.db)).toEqual([])
  })

  it('404 for a link that was changed or has expired', async () => {
    const [one, two] = [await api.newAccount(), await api.newAccount()]
    const link = async ({ post }: typeof one) =>
      new URL((await post('/v1/account/billing-link')).body.billing_link.url).pathname
    const path = await link(one)
    const altered = path.replace(one.accountId, two.accountId)
    expect((await form(`${altered}/activate`)).status).toBe(404)
    vi.setSystemTime(Date.now() + 3_601_000)
    try {
      expect((await form(`${path}/activate`)).status).toBe(404)
    } finally {
      vi.useRealTimers()
    }
    expect(
      await api.db.account.count({ where: { billingStatus: 'active', id: { in: [one.accountId, two.accountId] } } }),
    ).toBe(0)
  })

  it('its forms are accepted by no other route', async () => {
    const { token } = await api.newAccount()
    const answer = await api.call(
      {
        method: 'POST',
        url: '/v1/jobs',
        payload: 'endpoint=audio%2Fdetect-silence',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
      token,
    )
    expect([answer.status, codeOf(answer)]).toEqual([415, 'unsupported_content_type'])
  })
})
