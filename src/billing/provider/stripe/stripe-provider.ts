import type { Config } from '../../../config.ts'
import { createKeyedQueue } from '../../../core/concurrency.ts'
import { ServiceError } from '../../../core/errors.ts'
import { billingMonth } from '../../../core/money.ts'
import type { Database } from '../../../store/database.ts'
import { findUnsentInvoices, prepareInvoice } from '../../invoices/prepare-invoice.ts'
import type { BillingProvider, CloseAccountInput } from '../provider.ts'
import { returnPath } from '../return-path.ts'
import { applyEvent } from './apply-event.ts'
import { forgetCustomers } from './customers.ts'
import { createStripeLink } from './links.ts'
import { openStripe } from './open-stripe.ts'
import { readEvent } from './read-event.ts'
import { chargeOpenInvoices, sendInvoice } from './send-invoice.ts'
import { withStripeErrors } from './stripe-errors.ts'

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
