import { hourSeconds } from '../../../core/durations.ts'
import { ServiceError } from '../../../core/errors.ts'
import { takeFromQuota } from '../../../store/quotas.ts'
import type { BillingLink } from '../provider.ts'
import { dropCustomer, ensureCustomer, type StripeDependencies } from './customers.ts'
import { isMissing } from './stripe-errors.ts'

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
  await countLink(deps.db, accountId)
  const customer = await ensureCustomer(deps, accountId)
  try {
    return await linkFor(deps, accountId, customer)
  } catch (error) {
    if (!isMissing(error)) throw error
    await dropCustomer(deps.db, accountId, customer)
    return linkFor(deps, accountId, await ensureCustomer(deps, accountId))
  }
}

async function countLink(db: LinkDependencies['db'], accountId: string): Promise<void> {
  const quota = { subject: `billing links ${accountId}`, limit: linksAnHour, windowSeconds: hourSeconds }
  const { fits, resetSeconds } = await takeFromQuota(db, quota)
  if (fits) return
  throw new ServiceError(
    'rate_limited',
    `This account can get ${linksAnHour} billing links an hour. Open the last one, or wait for the number of seconds in Retry-After.`,
    { retryAfterSeconds: resetSeconds },
  )
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
