import { takeOrRefuse } from '../../../accounts/quotas.ts'
import type { Config } from '../../../config.ts'
import { createKeyedQueue } from '../../../core/concurrency.ts'
import { ServiceError } from '../../../core/errors.ts'
import { billingMonth } from '../../../core/money.ts'
import { hourSeconds } from '../../../core/time-code.ts'
import type { Database } from '../../../db/database.ts'
import { findUnsentInvoices, prepareInvoice } from '../../invoices/prepare-invoice.ts'
import { type BillingLink, type BillingProvider, type CloseAccountInput, returnPath } from '../provider.ts'
import { applyEvent } from './apply-event.ts'
import { dropCustomer, ensureCustomer, forgetCustomers, type StripeDependencies } from './customers.ts'
import { isMissing, openStripe, withStripeErrors } from './open-stripe.ts'
import { readEvent } from './read-event.ts'
import { chargeOpenInvoices, sendInvoice } from './send-invoice.ts'

export type StripeConfig = Pick<
  Config,
  'BASE_URL' | 'STRIPE_SECRET_KEY' | 'STRIPE_WEBHOOK_SECRET' | 'STRIPE_API_ENDPOINT'
>

/** How long an event waits for others of its account, while Stripe answers slowly. Stripe repeats an event that was not taken. */
const maxWaitMs = 60_000

/** Takes real money by Stripe: a payment method by Checkout, an invoice each month, and events that report what became of them. */
export function stripeProvider(
  config: StripeConfig,
  db: Database,
  firstPauseMilliseconds = 500,
): Required<BillingProvider> {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, BASE_URL } = config
  if (!secretKey || !webhookSecret) throw new Error('Stripe needs its keys')
  const deps = {
    db,
    stripe: openStripe({ secretKey, apiEndpoint: config.STRIPE_API_ENDPOINT }),
    firstPauseMilliseconds,
  }
  // Events of one account would overtake each other's readings, and be read again for each that does.
  const inTurn = createKeyedQueue()
  const closeAccount = async (input: CloseAccountInput) => {
    const customer = await db.billingCustomer.findUnique({ where: { accountId: input.accountId } })
    if (!customer?.customerId) return
    await prepareInvoice(db, input)
    for (const invoice of await findUnsentInvoices(db, input)) await sendInvoice(deps, invoice, customer.customerId)
  }
  return {
    createLink: (accountId) =>
      withStripeErrors(() => createStripeLink({ ...deps, returnUrl: `${BASE_URL}${returnPath}` }, accountId)),
    closeAccount: (input) => withStripeErrors(() => closeAccount(input)),
    receiveEvent: (body, signature) =>
      withStripeErrors(async () => {
        const event = readEvent(deps.stripe, body, signature, webhookSecret)
        if (!event) return
        const waitsUntil = Date.now() + maxWaitMs
        await inTurn(event.customerId, async () => {
          if (Date.now() > waitsUntil) throw new ServiceError('service_unavailable')
          await applyEvent(deps, event)
        })
      }),
    forgetCustomer: (accountId) =>
      withStripeErrors(async () => {
        // The last invoice, before nobody can be charged any more.
        await closeAccount({ accountId, month: billingMonth(new Date()) })
        await chargeOpenInvoices(deps, accountId)
        await forgetCustomers(deps, accountId)
      }),
  }
}

/** Stripe accepts half an hour to a day. */
const checkoutSeconds = 3_600
/** A session of the portal ends when it is not opened within five minutes. */
const portalSeconds = 300

export interface LinkDependencies extends StripeDependencies {
  /** Where Stripe sends the owner afterwards. */
  readonly returnUrl: string
}

/** Stripe limits the calls of the whole service, so the loop of one account must not use them up. */
const linksAnHour = 10

/** The customer portal if billing is active or a payment failed; otherwise Checkout, which collects a payment method and charges nothing. Throws `rate_limited`. */
export async function createStripeLink(deps: LinkDependencies, accountId: string): Promise<BillingLink> {
  const quota = { subject: `billing links ${accountId}`, limit: linksAnHour, windowSeconds: hourSeconds }
  await takeOrRefuse(
    deps.db,
    quota,
    `This account can get ${linksAnHour} billing links an hour. Open the last one, or wait for the number of seconds in Retry-After.`,
  )
  const customer = await ensureCustomer(deps, accountId)
  try {
    return await linkFor(deps, accountId, customer)
  } catch (error) {
    if (!isMissing(error)) throw error
    await dropCustomer(deps.db, accountId, customer)
    return linkFor(deps, accountId, await ensureCustomer(deps, accountId))
  }
}

async function linkFor({ stripe, db, returnUrl }: LinkDependencies, accountId: string, customer: string) {
  const account = await db.account.findUniqueOrThrow({ where: { id: accountId } })
  const unpaid = await db.invoice.count({ where: { accountId, status: 'past_due' } })
  if (account.billingStatus === 'active' || unpaid > 0) {
    const { url } = await stripe.billingPortal.sessions.create({ customer, return_url: returnUrl })
    return { url, expiresInSeconds: portalSeconds }
  }
  const { url } = await stripe.checkout.sessions.create({
    mode: 'setup',
    currency: 'usd',
    customer,
    client_reference_id: accountId,
    expires_at: Math.floor(Date.now() / 1000) + checkoutSeconds,
    success_url: returnUrl,
    cancel_url: returnUrl,
  })
  if (!url) throw new Error('the session of Stripe has no address')
  return { url, expiresInSeconds: checkoutSeconds }
}
