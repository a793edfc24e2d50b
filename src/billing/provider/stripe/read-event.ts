import type Stripe from 'stripe'
import { z } from 'zod'
import { ServiceError } from '../../../core/errors.ts'
import { isPostgresText, notPostgresText } from '../../../core/text.ts'
import type { InvoiceReading } from '../../invoices/prepare-invoice.ts'

/** What is read of an event: which objects to fetch. What it says of them may be old, because events come late and in any order. */
export interface StripeEvent {
  readonly id: string
  readonly type: string
  readonly customerId: string
  readonly invoiceId?: string
  readonly checkoutId?: string
}

const customer = z.string().nullish()
const eventShape = z.object({
  id: z.string().max(255),
  type: z.string().max(255),
  data: z.object({
    object: z.object({ id: z.string().optional(), customer: customer.catch(null) }),
    previous_attributes: z.object({ customer: customer.catch(null) }).nullish(),
  }),
})

const signedSeconds = 300

/**
 * The event of a request's body, if it is of a kind that changes something here. Throws `invalid_request` if the signature is not
 * Stripe's, or is older than five minutes; Stripe signs each delivery again. Also if the body is no JSON, or has ids that cannot be stored.
 */
export function readEvent(stripe: Stripe, body: Buffer, signature: string, secret: string): StripeEvent | undefined {
  const verifier = stripe.webhooks.signature
  if (!verifier) throw new Error('the package of Stripe verifies no signatures')
  try {
    verifier.verifyHeader(body, signature, secret, signedSeconds)
  } catch {
    // Its error is not always one of the package's own: an empty signature fails in the comparison.
    throw new ServiceError('invalid_request', 'The signature does not fit the body.')
  }
  const parsed = eventShape.safeParse(parseJson(body))
  if (!parsed.success) return undefined
  if (!isPostgresText(JSON.stringify(parsed.data))) {
    throw new ServiceError('invalid_request', `The event: ${notPostgresText}`)
  }
  const { id, type, data } = parsed.data
  const { object, previous_attributes: previous } = data
  const about = aboutOf(type, { id: object.id, customer: object.customer ?? previous?.customer })
  return about?.customerId === undefined ? undefined : { id, type, ...about, customerId: about.customerId }
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw new ServiceError('invalid_request', 'The body is no JSON. Send a signed event.')
  }
}

interface EventObject {
  readonly id: string | undefined
  readonly customer: string | null | undefined
}

function aboutOf(type: string, { id, customer: of }: EventObject) {
  const customerId = of ?? undefined
  switch (type) {
    case 'checkout.session.completed':
      return { customerId, ...(id === undefined ? {} : { checkoutId: id }) }
    case 'invoice.paid':
    case 'invoice.payment_failed':
    case 'invoice.marked_uncollectible':
    case 'invoice.voided':
      return { customerId, ...(id === undefined ? {} : { invoiceId: id }) }
    case 'payment_method.detached':
      return { customerId }
    case 'customer.updated':
    case 'customer.deleted':
      return { customerId: id }
    default:
      return undefined
  }
}

/** The metadata of an invoice that names our row. */
export const invoiceIdField = 'invoice_id'

/** What became of an invoice that is not open any more. A draft is nothing yet. */
const finalStatuses: Readonly<Record<string, InvoiceReading['status']>> = {
  paid: 'paid',
  void: 'void',
  uncollectible: 'past_due',
}

/** What an invoice of Stripe says of one of ours. Undefined for drafts, and for invoices that somebody else made. */
export function readingOf({ id, status, metadata, attempted }: Stripe.Invoice): InvoiceReading | undefined {
  const invoiceId = metadata?.[invoiceIdField]
  const open = attempted ? 'past_due' : 'open'
  const read = status === 'open' ? open : finalStatuses[status ?? 'draft']
  return invoiceId && read ? { invoiceId, providerId: id, status: read } : undefined
}
