import type Stripe from 'stripe'
import type { InvoiceReading } from '../../invoices/record-invoice.ts'

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
