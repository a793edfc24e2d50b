import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readBuiltPages } from '../../api/dashboard/routes.ts'
import { freePort } from '../../scripts/stack/ports.ts'
import { newId } from '../../src/core/ids.ts'
import { password, signedIn } from '../api/account/sign-in/sign-in.ts'
import { type Api, startApi } from '../api/api.ts'
import { type FakeStripe, signatureOf, startFakeStripe, webhookSecret } from '../billing/stripe/fake-stripe.ts'
import { noChromium } from '../setup/chromium.ts'
import { required } from '../setup/required.ts'
import { assertAccessible, assertFitsPhone, desktop, openBrowser, openRoom, phone, press, typeInto } from './browse.ts'

const skipped = noChromium ? ` (skipped: ${noChromium})` : ''

describe.skipIf(noChromium)(`the billing page with Stripe, by keyboard alone${skipped}`, { retry: 0 }, () => {
  let fake: FakeStripe
  let api: Api
  let browser: Browser
  let page: Page
  let accountId: string
  beforeAll(async () => {
    fake = await startFakeStripe()
    const port = await freePort()
    const stripe = {
      ...{ BILLING: 'stripe', STRIPE_SECRET_KEY: 'sk_test_secret', STRIPE_WEBHOOK_SECRET: webhookSecret },
      STRIPE_API_ENDPOINT: fake.endpoint,
    }
    const baseUrl = `http://127.0.0.1:${port}`
    const pages = await readBuiltPages(path.join(required('TEST_SERVICE_BUILD'), 'pages'))
    api = await startApi({ ...stripe, BASE_URL: baseUrl }, { pages })
    await api.app.listen({ host: '127.0.0.1', port })
    const person = await signedIn(api)
    accountId = person.accountId
    const opened = await openBrowser(baseUrl)
    browser = opened.browser
    page = opened.page
    // The provider's pages are on other hosts, where this machine asks nothing.
    await page.route(/^https:/, (route) => route.fulfill({ contentType: 'text/html', body: 'the provider' }))
    await page.goto(`${baseUrl}/dashboard/sign-in?next=%2Fbilling`)
    await typeInto(page, 'Email address', person.email)
    await typeInto(page, 'Password', password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Billing' }).waitFor()
  })
  afterAll(async () => {
    await browser?.close()
    await Promise.all([api?.close(), fake?.close()])
  })

  /** Presses the button, and returns the address at the provider to which it leads. Comes back to the page. */
  async function follow(button: string): Promise<string> {
    const asked = page.waitForRequest(/^https:/)
    await press(page, 'button', button)
    const url = (await asked).url()
    await page.waitForURL(/^https:/)
    await page.goto(`${api.config.BASE_URL}/dashboard/billing`)
    await page.getByRole('heading', { name: 'Payment' }).waitFor()
    return url
  }

  it('leads to Checkout until billing is active, and then to the portal', async () => {
    await page.getByText('Billing is not active').waitFor()
    await page.getByText('None yet.').waitFor()
    const checkout = await follow('Activate billing')
    expect(checkout).toMatch(/^https:\/\/checkout\./)
    const { payload } = fake.completeCheckout(checkout.split('/').at(-1) ?? '')
    const headers = { 'content-type': 'application/json', 'stripe-signature': signatureOf(payload) }
    const answer = await api.call({ method: 'POST', url: '/api/webhooks/stripe', payload, headers })
    expect(answer.status).toBe(200)
    await page.reload()
    await page.getByText('Billing is active').waitFor()
    expect(await follow('Card and invoices')).toMatch(/^https:\/\/portal\./)
  })

  it('lists the invoices, and leads to the payment of one that is past due', async () => {
    const invoice = (month: string, status: 'paid' | 'past_due', amountCents: bigint) => ({
      ...{ id: newId('inv'), accountId, month, status, amountCents, providerId: `in_${month}` },
    })
    await api.db.invoice.createMany({
      data: [invoice('2026-09', 'paid', 1234n), invoice('2026-10', 'past_due', 99_950n)],
    })
    await openRoom(page, 'Usage')
    await page.reload()
    await openRoom(page, 'Billing')
    await page.getByText('September 2026').waitFor()
    const rows = await page.getByRole('listitem').filter({ hasText: '2026' }).allTextContents()
    expect(rows).toEqual([
      'October 2026Past due: pay it on the pages of the payment provider$999.50',
      'September 2026Paid$12.34',
    ])
    await assertAccessible(page)
    await page.setViewportSize(phone)
    await assertFitsPhone(page)
    await page.setViewportSize(desktop)
    expect(await follow('Pay the invoice')).toMatch(/^https:\/\/portal\./)
  })
})
