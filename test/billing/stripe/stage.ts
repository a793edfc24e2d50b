import Stripe from 'stripe'
import { afterAll, expect, vi } from 'vitest'
import { createAccount } from '../../../src/accounts/own-account.ts'
import { stripeProvider } from '../../../src/billing/provider/stripe/stripe-provider.ts'
import { newId } from '../../../src/core/ids.ts'
import { settleJob } from '../../../src/jobs/settle-job.ts'
import { openTestDatabase } from '../../setup/database.ts'
import { leaveCredits } from '../accounts.ts'
import { acceptClip, draftClip } from '../jobs.ts'
import { type FakeEvent, signatureOf, startFakeStripe, webhookSecret } from './fake-stripe.ts'

/** A database, a stand-in for Stripe and the provider between them, until the file's tests have ended. */
export async function openStripeStage() {
  const db = await openTestDatabase()
  const fake = await startFakeStripe()
  // The package's own tries, which are as many as for Stripe, pause for milliseconds instead of half a second and more.
  const pause = vi.spyOn(Stripe.prototype, 'getInitialNetworkRetryDelay').mockReturnValue(0.005)
  afterAll(() => {
    pause.mockRestore()
    return fake.close()
  })
  const config = {
    BASE_URL: 'https://api.example',
    STRIPE_SECRET_KEY: 'sk_test_a',
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_ENDPOINT: fake.endpoint,
  }
  /** The provider of a process. */
  const openProvider = () => stripeProvider(config, db, 1)
  const provider = openProvider()

  const deliver = (event: FakeEvent, options?: Parameters<typeof signatureOf>[1], to = provider) =>
    to.receiveEvent(Buffer.from(event.payload), signatureOf(event.payload, options))

  const accountOf = (id: string) => db.account.findUniqueOrThrow({ where: { id } })

  /** An account whose owner opened the link and gave a card. It has no credits left. */
  async function newPayer({ isGood = true } = {}) {
    const accountId = await createAccount(db, newId('acct'))
    await leaveCredits(db, accountId, 0n)
    const { url } = await provider.createLink(accountId)
    await deliver(fake.completeCheckout(url.split('/').at(-1) ?? '', isGood))
    expect(await accountOf(accountId)).toMatchObject({ billingStatus: 'active' })
    const { customerId } = await db.billingCustomer.findUniqueOrThrow({ where: { accountId } })
    return { accountId, customerId: customerId ?? '' }
  }

  /** Completes a job on `seconds` of media, which cost a millionth of a dollar for 6 ms, in a month. */
  async function use(accountId: string, seconds: number, month?: string): Promise<void> {
    if (month) vi.setSystemTime(new Date(`${month}-15T12:00:00Z`))
    const { job } = await acceptClip(db, accountId, { seconds })
    await draftClip(db, job.id, seconds * 1000)
    await settleJob(db, job.id)
    vi.useRealTimers()
  }

  /** What the ledger has billed the account for, up to a month, in micro-USD. */
  async function billableUntil(accountId: string, month: string): Promise<bigint> {
    const entries = await db.ledgerEntry.findMany({ where: { accountId, kind: { in: ['capture', 'adjustment'] } } })
    const until = entries.filter((entry) => entry.kind === 'adjustment' || entry.month <= month)
    return until.reduce((sum, { billableMicroUsd }) => sum + billableMicroUsd, 0n)
  }

  /** The finalized invoices of a customer, with the sum of their lines. */
  const invoicesOf = (customerId: string) =>
    [...fake.invoices.values()]
      .filter(({ customer, status }) => customer === customerId && status !== 'draft')
      .map((invoice) => ({
        invoice,
        cents: fake.itemsOf(invoice.id).reduce((sum, { amount }) => sum + amount, 0),
      }))

  return { db, fake, provider, openProvider, deliver, accountOf, newPayer, use, billableUntil, invoicesOf }
}
