import type Stripe from 'stripe'
import { ServiceError } from '../../../core/errors.ts'
import { type Database, lockAccount, type Transaction } from '../../../db/database.ts'
import { changeBilling, type InactiveReason } from '../../activate-billing.ts'
import { type InvoiceReading, recordInvoice } from '../../invoices/prepare-invoice.ts'
import type { StripeDependencies } from './customers.ts'
import { isMissing } from './open-stripe.ts'
import { readingOf, type StripeEvent } from './read-event.ts'

/** A reading is repeated if an event that another process took was committed meanwhile. */
const maxReadings = 50

/**
 * Brings the account of an event up to what Stripe says now, whatever the event says: the order and the number of events do not
 * matter. The event's id is committed with the effect. Events about customers of other services are left alone.
 */
export async function applyEvent({ stripe, db }: StripeDependencies, event: StripeEvent): Promise<void> {
  if (await db.billingEvent.findUnique({ where: { id: event.id } })) return
  for (let attempt = 1; attempt <= maxReadings; attempt += 1) {
    const known = await findKnown(db, event)
    if (!known) return
    const reading = await readAccount(stripe, { ...event, customerId: known.customerId ?? event.customerId })
    const isNewest = await db.$transaction((tx) => commitReading(tx, event, known, reading))
    if (isNewest) return
  }
  throw new ServiceError('service_unavailable')
}

/** The account of the event's customer; of an invoice also when that customer was deleted since: Stripe still takes its payment, and voids it. */
async function findKnown(db: Database, { customerId, invoiceId }: StripeEvent): Promise<KnownCustomer | null> {
  const known = await db.billingCustomer.findUnique({ where: { customerId } })
  if (known || invoiceId === undefined) return known
  const invoice = await db.invoice.findUnique({ where: { providerId: invoiceId }, select: { accountId: true } })
  return invoice && db.billingCustomer.findUnique({ where: { accountId: invoice.accountId } })
}

interface Reading {
  readonly isDeleted: boolean
  readonly hasPaymentMethod: boolean
  readonly invoice: InvoiceReading | undefined
}

async function readAccount(stripe: Stripe, { customerId, checkoutId, invoiceId }: StripeEvent): Promise<Reading> {
  if (checkoutId !== undefined) await adoptPaymentMethod(stripe, checkoutId, customerId)
  const [customer, invoice] = await Promise.all([
    unlessMissing(stripe.customers.retrieve(customerId)),
    invoiceId === undefined ? undefined : unlessMissing(stripe.invoices.retrieve(invoiceId)),
  ])
  const isDeleted = customer === undefined || customer.deleted === true
  return {
    isDeleted,
    hasPaymentMethod: !isDeleted && Boolean(customer.invoice_settings.default_payment_method),
    invoice: invoice && readingOf(invoice),
  }
}

/** Makes the payment method that Checkout collected the one that invoices charge, unless there is one, or it was removed meanwhile. */
async function adoptPaymentMethod(stripe: Stripe, checkoutId: string, customerId: string): Promise<void> {
  const session = await unlessMissing(stripe.checkout.sessions.retrieve(checkoutId, { expand: ['setup_intent'] }))
  const intent = session?.setup_intent
  if (!intent || typeof intent === 'string' || intent.status !== 'succeeded') return
  const methodId = typeof intent.payment_method === 'string' ? intent.payment_method : intent.payment_method?.id
  const customer = await unlessMissing(stripe.customers.retrieve(customerId))
  if (!methodId || !customer || customer.deleted || customer.invoice_settings.default_payment_method) return
  const method = await unlessMissing(stripe.paymentMethods.retrieve(methodId))
  if (method?.customer !== customerId) return
  await stripe.customers.update(customerId, { invoice_settings: { default_payment_method: methodId } })
}

interface KnownCustomer {
  readonly accountId: string
  /** Null after it was deleted. */
  readonly customerId: string | null
  readonly version: number
}

/** False if another reading was committed since the version was read. */
async function commitReading(
  tx: Transaction,
  { id, type }: StripeEvent,
  { accountId, version }: KnownCustomer,
  { isDeleted, hasPaymentMethod, invoice }: Reading,
): Promise<boolean> {
  await lockAccount(tx, accountId)
  if (await tx.billingEvent.findUnique({ where: { id } })) return true
  const { count } = await tx.billingCustomer.updateMany({
    where: { accountId, version },
    data: { version: { increment: 1 }, ...(isDeleted ? { customerId: null } : {}) },
  })
  if (count === 0) return false
  await tx.billingEvent.create({ data: { id, type } })
  if (invoice) await recordInvoice(tx, accountId, invoice)
  const pastDue = await tx.invoice.count({ where: { accountId, status: 'past_due' } })
  const inactiveReason = inactiveReasonOf({ isDeleted, hasPaymentMethod, isPastDue: pastDue > 0 })
  await changeBilling(tx, { accountId, key: id, inactiveReason })
  return true
}

function inactiveReasonOf(facts: {
  readonly isDeleted: boolean
  readonly hasPaymentMethod: boolean
  readonly isPastDue: boolean
}): InactiveReason | null {
  if (facts.isDeleted) return 'customer_deleted'
  if (facts.isPastDue) return 'payment_failed'
  return facts.hasPaymentMethod ? null : 'no_payment_method'
}

async function unlessMissing<T>(object: Promise<T>): Promise<T | undefined> {
  try {
    return await object
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}
