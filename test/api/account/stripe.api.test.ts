import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { settleJob } from '../../../src/jobs/settle-job.ts'
import { leaveCredits } from '../../billing/accounts.ts'
import { acceptClip, draftClip } from '../../billing/jobs.ts'
import {
  type FakeEvent,
  type FakeStripe,
  signatureOf,
  startFakeStripe,
  webhookSecret,
} from '../../billing/stripe/fake-stripe.ts'
import { type Api, codeOf, startApi } from '../api.ts'

let fake: FakeStripe
let api: Api
beforeAll(async () => {
  fake = await startFakeStripe()
  api = await startApi({
    BILLING: 'stripe',
    STRIPE_SECRET_KEY: 'sk_test_secret',
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_ENDPOINT: fake.endpoint,
  })
})
afterAll(() => Promise.all([api.close(), fake.close()]))

const post = (payload: string, headers: Record<string, string> = {}, type = 'application/json') =>
  api.call({ method: 'POST', url: '/api/webhooks/stripe', payload, headers: { 'content-type': type, ...headers } })
const deliver = ({ payload }: FakeEvent) => post(payload, { 'stripe-signature': signatureOf(payload) })

/** An account whose owner gave a card. */
async function payer() {
  const account = await api.newAccount()
  const { body } = await account.post('/v1/account/billing-link')
  const answer = await deliver(fake.completeCheckout(String(body.billing_link.url).split('/').at(-1) ?? ''))
  expect([answer.status, answer.body.received]).toEqual([200, true])
  return account
}

describe('with Stripe', () => {
  it('a link leads to Checkout, its event activates billing, and the owner is told', async () => {
    const { get, post: send } = await payer()
    expect((await get('/v1/account/limits')).body.limits).toMatchObject({ billing: 'active', monthly_cap_usd: 100 })
    expect((await get('/v1/account/notices')).body.notices[0]).toMatchObject({
      kind: 'billing_activated',
      subject: 'Billing is active',
      data: { cap_usd: 100 },
    })
    const { billing_link } = (await send('/v1/account/billing-link')).body
    expect(billing_link).toEqual({ url: expect.stringContaining('https://portal.example/'), expires_in_seconds: 300 })
  })

  it('429 rate_limited for the eleventh link of an account in an hour, before Stripe is asked', async () => {
    const { post: send } = await api.newAccount()
    const links = await Promise.all(Array.from({ length: 10 }, () => send('/v1/account/billing-link')))
    expect(new Set(links.map(({ status }) => status))).toEqual(new Set([200]))
    fake.behaviour.faultOf = () => '429'
    const refused = await send('/v1/account/billing-link')
    fake.behaviour.faultOf = () => undefined
    expect([refused.status, codeOf(refused)]).toEqual([429, 'rate_limited'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_500)
  })

  it('503 service_unavailable if Stripe does not answer, and nothing of its answer in the log', async () => {
    const { post: send } = await api.newAccount()
    fake.behaviour.faultOf = () => '429'
    const answer = await send('/v1/account/billing-link')
    fake.behaviour.faultOf = () => undefined
    expect([answer.status, codeOf(answer)]).toEqual([503, 'service_unavailable'])
    expect(api.logLines.join('')).toContain('\\"status\\":429')
    expect(api.logLines.join('')).not.toMatch(/sk_test_secret|whsec_/)
  })

  it('invoices are listed, with what became of them', async () => {
    const { accountId, get } = await payer()
    expect((await get('/v1/account/invoices')).body.invoices).toEqual([])
    await leaveCredits(api.db, accountId, 0n)
    const { job } = await acceptClip(api.db, accountId, { seconds: 3_600 })
    await draftClip(api.db, job.id, 3_600_000)
    await settleJob(api.db, job.id)
    const month = new Date().toISOString().slice(0, 7)
    await api.billing.closeAccount?.({ accountId, month })
    const common = { id: expect.stringMatching(/^inv_/), month, amount_usd: 0.6, created_at: expect.any(String) }
    expect((await get('/v1/account/invoices')).body.invoices).toEqual([{ ...common, status: 'open' }])
    await deliver(fake.charge([...fake.invoices.keys()].at(-1) ?? ''))
    const { invoices } = (await get('/v1/account/invoices')).body
    expect(invoices).toEqual([{ ...common, status: 'paid', paid_at: expect.any(String) }])
    const other = await api.newAccount()
    expect((await other.get('/v1/account/invoices')).body.invoices).toEqual([])
  })

  it('owners return to a page', async () => {
    const page = await api.call({ url: '/billing/return' })
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  })
})

describe('the webhook endpoint', () => {
  it('refuses what Stripe did not sign', async () => {
    const event = fake.emit('customer.updated', [...fake.customers.values()][0] ?? never())
    const good = signatureOf(event.payload)
    const now = Math.floor(Date.now() / 1000)
    for (const answer of [
      await post(event.payload),
      ...(await Promise.all(
        ['nonsense', '', 't=1', `t=${now},v1=`, `t=${now},v1`, `v1=${'a'.repeat(64)}`, 'é'].map((signature) =>
          post(event.payload, { 'stripe-signature': signature }),
        ),
      )),
      await post(event.payload, { 'stripe-signature': signatureOf(event.payload, { secret: 'whsec_other' }) }),
      await post(event.payload, { 'stripe-signature': signatureOf(event.payload, { secondsAgo: 600 }) }),
      await post(`${event.payload} `, { 'stripe-signature': good }),
      await post('', { 'stripe-signature': good }),
    ]) {
      expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request'])
    }
    expect((await post(event.payload, { 'stripe-signature': good })).status).toBe(200)
  })

  it('takes bytes as they are, and only so many', async () => {
    const payload = '{ "id": "evt_1",\n "type": "other.kind", "data": { "object": {} }, "id": "evt_1" }'
    expect((await post(payload, { 'stripe-signature': signatureOf(payload) })).status).toBe(200)
    const large = JSON.stringify({ text: 'x'.repeat(300_000) })
    expect((await post(large, { 'stripe-signature': signatureOf(large) })).status).toBe(413)
    expect((await post('a=b', {}, 'application/x-www-form-urlencoded')).status).toBe(415)
  })

  it('refuses what Stripe signed and is no JSON, or has a text that cannot be stored', async () => {
    const customer = [...fake.customers.values()][0] ?? never()
    const { payload } = fake.emit('customer.updated', customer)
    const [id = ''] = /evt_\w+/.exec(payload) ?? []
    const changed = (text: string, by: string) => payload.replaceAll(text, by)
    const texts = [
      ...['', ' ', 'no JSON', '{', payload.slice(1), `${payload}}`, '['.repeat(200_000), '\0', changed('{', '{\0')],
      ...[id, customer.id].flatMap((text) => [changed(text, `${text}\\u0000`), changed(text, `${text}\\ud800`)]),
      changed('customer.updated', 'customer.updated\\u0000'),
    ]
    for (const text of texts) {
      const answer = await post(text, { 'stripe-signature': signatureOf(text) })
      expect([text.slice(0, 99), answer.status, codeOf(answer)]).toEqual([text.slice(0, 99), 400, 'invalid_request'])
    }
  })

  it('leaves alone events without what it reads', async () => {
    const customer = [...fake.customers.keys()][0]
    const ids = ['', '/', '..', '.', '?', '#', ' ', '%', 'in_1?expand[]=x', 7, null, []].map((id) => ({ id, customer }))
    const events = [{}, null, [], { id: 'in_1' }, ...ids].map((object, at) => ({
      ...{ id: `evt_odd${at}`, type: 'invoice.paid', data: { object } },
    }))
    const thin = { id: 'evt_thin', object: 'v2.core.event', type: 'invoice.paid' }
    for (const text of [null, [], 7, 'text', {}, thin, ...events].map((event) => JSON.stringify(event))) {
      const answer = await post(text, { 'stripe-signature': signatureOf(text) })
      expect([text, answer.status]).toEqual([text, 200])
    }
  })

  it('does not exist without Stripe', async () => {
    const inactive = await startApi()
    const answer = await inactive.call({ method: 'POST', url: '/api/webhooks/stripe', payload: {} })
    expect(answer.status).toBe(404)
    expect((await inactive.call({ url: '/billing/return' })).status).toBe(404)
    await inactive.close()
  })
})

function never(): never {
  throw new Error('the stand-in has no customer')
}
